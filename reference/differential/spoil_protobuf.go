// Spoils Protobuf: fields out of order, twice, unknown, of another wire type, of a wrong length, varints that are too long.
package main

import (
	"encoding/binary"
)

// field is one of a message: what stands before its value, and its value.
type field struct {
	tag   uint64
	value []byte
	// inner is what the value is when it is read as a message, which texts are at times, too.
	inner []*field
}

const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

func spoilProtobuf(f *filler, encoded []byte) []byte {
	const prefix = 4
	if f.Intn(8) == 0 {
		encoded[f.Intn(len(encoded))] = byte(f.Intn(256))
		return encoded
	}
	if f.Intn(16) == 0 {
		return encoded[:f.Intn(len(encoded))]
	}
	root := &field{tag: wireBytes, inner: parseMessage(encoded[prefix:], 0)}
	var all []*field
	root.collect(&all)
	for range 1 + f.Intn(3) {
		f.spoilMessage(all[f.Intn(len(all))])
	}
	return append(encoded[:prefix:prefix], root.message()...)
}

func (f *filler) spoilMessage(target *field) {
	if len(target.inner) == 0 {
		target.value = f.spoilValue(target)
		return
	}
	place := f.Intn(len(target.inner))
	switch f.Intn(6) {
	case 0:
		target.inner = append(target.inner, target.inner[place])
	case 1:
		f.Shuffle(len(target.inner), func(i, j int) { target.inner[i], target.inner[j] = target.inner[j], target.inner[i] })
	case 2:
		target.inner = append(target.inner[:place:place], target.inner[place+1:]...)
	case 3:
		wire := []uint64{wireVarint, wireFixed64, wireBytes, wireFixed32, 3, 4, 6, 7}[f.Intn(8)]
		unknown := &field{tag: uint64(f.Intn(300))<<3 | wire}
		unknown.value = f.spoilValue(unknown)
		target.inner = append(target.inner[:place:place], append([]*field{unknown}, target.inner[place:]...)...)
	case 4:
		changed := *target.inner[place]
		changed.tag = changed.tag&^7 | uint64(f.Intn(8))
		target.inner[place] = &changed
	case 5:
		changed := *target.inner[place]
		changed.inner, changed.value = nil, f.spoilValue(&changed)
		target.inner[place] = &changed
	}
}

func (f *filler) spoilValue(target *field) []byte {
	switch target.tag & 7 {
	case wireVarint:
		varints := [][]byte{{0}, {1}, {2}, {0x80, 0}, {0x81, 0x80, 0}, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1}, {0xff, 0xff, 0xff, 0xff, 0x0f}}
		return varints[f.Intn(len(varints))]
	case wireFixed64:
		return make([]byte, 8)
	case wireFixed32:
		return make([]byte, 4)
	case wireBytes:
		return []byte(f.text())
	}
	return nil
}

func parseMessage(encoded []byte, depth int) []*field {
	fields := []*field{}
	for len(encoded) > 0 {
		tag, size := binary.Uvarint(encoded)
		if size <= 0 || tag>>3 == 0 || depth > 20 {
			return nil
		}
		encoded = encoded[size:]
		found := &field{tag: tag}
		length := 0
		switch tag & 7 {
		case wireVarint:
			_, length = binary.Uvarint(encoded)
		case wireFixed64:
			length = 8
		case wireFixed32:
			length = 4
		case wireBytes:
			announced, size := binary.Uvarint(encoded)
			if size <= 0 || announced > uint64(len(encoded)-size) {
				return nil
			}
			encoded = encoded[size:]
			length = int(announced)
			found.inner = parseMessage(encoded[:length], depth+1)
		default:
			return nil
		}
		if length <= 0 && tag&7 != wireBytes || length > len(encoded) {
			return nil
		}
		found.value = encoded[:length]
		encoded = encoded[length:]
		fields = append(fields, found)
	}
	return fields
}

func (n *field) collect(all *[]*field) {
	*all = append(*all, n)
	for _, inner := range n.inner {
		inner.collect(all)
	}
}

func (n *field) message() []byte {
	var out []byte
	for _, inner := range n.inner {
		value := inner.value
		if len(inner.inner) > 0 {
			value = inner.message()
		}
		out = binary.AppendUvarint(out, inner.tag)
		if inner.tag&7 == wireBytes {
			out = binary.AppendUvarint(out, uint64(len(value)))
		}
		out = append(out, value...)
	}
	return out
}
