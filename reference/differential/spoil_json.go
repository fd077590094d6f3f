// Spoils JSON: unknown, repeated, misspelled and mistyped members, odd spellings of what is right, and broken syntax.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf16"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor"
)

// node is JSON as it is written: members keep their order and may come twice.
type node struct {
	// literal is the text of what is neither object nor array nor string.
	literal string
	text    *string
	keys    []string
	items   []*node
	isMap   bool
}

func spoilJSON(f *filler, encoded []byte) []byte {
	root := parse(json.NewDecoder(bytes.NewReader(encoded)))
	var all []*node
	root.collect(&all)
	for range 1 + f.Intn(3) {
		f.spoilNode(all[f.Intn(len(all))])
	}
	var out strings.Builder
	f.print(&out, root)
	return f.spoilBytes([]byte(out.String()))
}

func (f *filler) spoilNode(target *node) {
	switch {
	case f.Intn(6) == 0:
		*target = node{literal: f.json(2)}
	case target.isMap && len(target.keys) > 0:
		place := f.Intn(len(target.keys))
		key := target.keys[place]
		switch f.Intn(6) {
		case 0:
			target.add(key, target.items[place])
		case 1:
			target.add(key, &node{literal: f.json(2)})
		case 2:
			target.add(strings.ToUpper(key[:min(1, len(key))])+key[min(1, len(key)):], target.items[place])
		case 3:
			target.add(f.text(), &node{literal: f.json(2)})
		case 4:
			target.items[place] = &node{literal: "null"}
		case 5:
			other := f.Intn(len(target.keys))
			target.keys[place], target.keys[other] = target.keys[other], target.keys[place]
			target.items[place], target.items[other] = target.items[other], target.items[place]
		}
	case target.isMap:
		target.add(f.text(), &node{literal: f.json(2)})
	case target.text == nil && target.items != nil:
		target.items = append(target.items, &node{literal: f.json(2)})
	case target.text == nil:
		target.literal = numbers[f.Intn(len(numbers))]
	default:
		*target.text = f.text()
	}
}

// spoilBytes breaks one body of twelve.
func (f *filler) spoilBytes(encoded []byte) []byte {
	if len(encoded) == 0 {
		return encoded
	}
	place := f.Intn(len(encoded))
	switch f.Intn(48) {
	case 0:
		return encoded[:place]
	case 1:
		encoded[place] = byte(f.Intn(256))
	case 2:
		return append([]byte("\ufeff"), encoded...)
	case 3:
		return append(encoded, "{} x,]"[f.Intn(6)])
	}
	return encoded
}

func (n *node) add(key string, item *node) {
	n.keys = append(n.keys, key)
	n.items = append(n.items, item)
}

func (n *node) collect(all *[]*node) {
	*all = append(*all, n)
	for _, item := range n.items {
		item.collect(all)
	}
}

func parse(decoder *json.Decoder) *node {
	decoder.UseNumber()
	token, err := decoder.Token()
	if err != nil {
		panic(err)
	}
	switch value := token.(type) {
	case json.Delim:
		found := &node{isMap: value == '{', items: []*node{}}
		for decoder.More() {
			if found.isMap {
				key, err := decoder.Token()
				if err != nil {
					panic(err)
				}
				found.keys = append(found.keys, key.(string))
			}
			found.items = append(found.items, parse(decoder))
		}
		if _, err := decoder.Token(); err != nil {
			panic(err)
		}
		return found
	case string:
		return &node{text: &value}
	case nil:
		return &node{literal: "null"}
	default:
		return &node{literal: fmt.Sprint(value)}
	}
}

func (f *filler) print(out *strings.Builder, n *node) {
	switch {
	case n.text != nil:
		out.WriteString(f.quoted(*n.text))
	case n.items == nil:
		out.WriteString(n.literal)
	default:
		marks := "[]"
		if n.isMap {
			marks = "{}"
		}
		out.WriteByte(marks[0])
		for i, item := range n.items {
			if i > 0 {
				out.WriteByte(',')
			}
			f.space(out)
			if n.isMap {
				out.WriteString(f.quoted(n.keys[i]))
				f.space(out)
				out.WriteByte(':')
				f.space(out)
			}
			f.print(out, item)
			f.space(out)
		}
		out.WriteByte(marks[1])
	}
}

func (f *filler) space(out *strings.Builder) {
	if f.Intn(20) == 0 {
		out.WriteString([]string{" ", "\n", "\t", "\r\n", "  "}[f.Intn(5)])
	}
}

// quoted spells a text in one of the ways JSON has; of thirty-two one says something that no text is.
func (f *filler) quoted(text string) string {
	if f.Intn(6) > 0 {
		plain, _ := json.Marshal(text)
		return string(plain)
	}
	var out strings.Builder
	out.WriteByte('"')
	for _, char := range text {
		switch {
		case char == '"' || char == '\\' || char < ' ' || f.Intn(5) == 0:
			for _, unit := range utf16.Encode([]rune{char}) {
				fmt.Fprintf(&out, []string{`\u%04x`, `\u%04X`}[f.Intn(2)], unit)
			}
		case char == '/' && f.Intn(2) == 0:
			out.WriteString(`\/`)
		default:
			out.WriteRune(char)
		}
	}
	switch f.Intn(32) {
	case 0:
		out.WriteString([]string{`\ud800`, `\udc00`, `\ud83d\u0041`, `\ud83d\ud83d\ude00`, "\xff", "\xed\xa0\x80", "a\xc3b"}[f.Intn(7)])
	case 1:
		out.WriteString(`\b\f\n\r\t\"\\`)
	}
	out.WriteByte('"')
	return out.String()
}

// customJSON is a custom resource: metadata as it should be, all else as it comes.
func customJSON(f *filler) (encoded []byte, isBroken bool) {
	metadata := f.metadata()
	members := []string{`"kind":"Foo"`, `"apiVersion":"g.io/v1"`, `"metadata":` + metadata}
	for range f.length() {
		members = append(members, f.quoted(f.text())+":"+f.json(0))
	}
	f.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	whole := []byte("{" + strings.Join(members, ",") + "}")
	encoded = f.spoilBytes(bytes.Clone(whole))
	return encoded, !bytes.Equal(encoded, whole)
}

func (f *filler) metadata() string {
	var metadata metav1.ObjectMeta
	f.left = f.Intn(fieldsMax / 4)
	f.value(reflect.ValueOf(&metadata).Elem(), 0)
	encoded, err := json.Marshal(metadata)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

// customCBOR is what the library writes of such a one, here and there a byte changed.
func customCBOR(f *filler) []byte {
	object := &unstructured.Unstructured{}
	for {
		text, _ := customJSON(f)
		if _, _, err := unstructured.UnstructuredJSONScheme.Decode(text, nil, object); err == nil {
			break
		}
	}
	encoded, err := encode(cbor.NewSerializer(anyKind{}, anyKind{}), object)
	if err != nil {
		panic(err)
	}
	if f.Intn(3) == 0 {
		encoded[f.Intn(len(encoded))] = byte(f.Intn(256))
	}
	if f.Intn(20) == 0 {
		encoded = encoded[:f.Intn(len(encoded))]
	}
	return encoded
}
