// Fills an object of any Go type at random: zero values, empty lists beside none, the largest and smallest numbers, odd texts.
package main

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand"
	"reflect"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// So many fields are filled at most: some types would go on for ever.
const fieldsMax = 120

type filler struct {
	*rand.Rand
	// keepsBadText allows texts that aren't UTF-8, which only Protobuf can carry.
	keepsBadText    bool
	keepsInnerKinds bool
	// left is how many fields may still be filled.
	left int
}

func (f *filler) object(kind schema.GroupVersionKind) runtime.Object {
	object, err := scheme.New(kind)
	if err != nil {
		panic(err)
	}
	f.left = 1 + f.Intn(1+f.Intn(fieldsMax))
	f.value(reflect.ValueOf(object).Elem(), 0)
	object.GetObjectKind().SetGroupVersionKind(kind)
	return object
}

func (f *filler) value(value reflect.Value, depth int) {
	if value.CanAddr() && f.ownForm(value.Addr().Interface(), depth) {
		return
	}
	switch value.Kind() {
	case reflect.Struct:
		for _, i := range f.Perm(value.NumField()) {
			if value.Field(i).CanSet() && f.isFilled(depth) {
				f.value(value.Field(i), depth+1)
			}
		}
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		f.value(value.Elem(), depth)
	case reflect.Slice:
		f.slice(value, depth)
	case reflect.Map:
		f.mapping(value, depth)
	case reflect.String:
		value.SetString(f.text())
	case reflect.Bool:
		value.SetBool(f.Intn(3) > 0)
	case reflect.Int32:
		value.SetInt(int64(int32(f.integer())))
	case reflect.Int64:
		value.SetInt(f.integer())
	case reflect.Float64:
		value.SetFloat(f.float())
	}
}

// isFilled is the likelier the higher the field: deep ones are many.
func (f *filler) isFilled(depth int) bool {
	if f.left == 0 || depth > 0 && f.Intn(5) >= 2 {
		return false
	}
	f.left--
	return true
}

func (f *filler) slice(value reflect.Value, depth int) {
	if value.Type().Elem().Kind() == reflect.Uint8 {
		raw := make([]byte, f.Intn(1+f.Intn(70)))
		f.Read(raw)
		value.SetBytes(raw)
		return
	}
	length := f.length()
	value.Set(reflect.MakeSlice(value.Type(), length, length))
	for i := range length {
		f.value(value.Index(i), depth+1)
	}
}

func (f *filler) mapping(value reflect.Value, depth int) {
	value.Set(reflect.MakeMap(value.Type()))
	for range f.length() {
		key := reflect.New(value.Type().Key()).Elem()
		f.value(key, depth+1)
		item := reflect.New(value.Type().Elem()).Elem()
		f.value(item, depth+1)
		value.SetMapIndex(key, item)
	}
}

func (f *filler) length() int {
	if f.Intn(6) == 0 {
		return 0
	}
	return 1 + f.Intn(3)
}

// ownForm fills types whose fields are not what they are written as.
func (f *filler) ownForm(pointer any, depth int) bool {
	switch target := pointer.(type) {
	case *metav1.TypeMeta:
		// The object's own is set at the end. Of one within it Protobuf says nothing.
		if f.keepsInnerKinds {
			*target = metav1.TypeMeta{Kind: f.text(), APIVersion: f.text()}
		}
	case *metav1.Time:
		*target = metav1.Time{Time: f.time()}
	case *metav1.MicroTime:
		*target = metav1.MicroTime{Time: f.time()}
	case *metav1.Duration:
		target.Duration = time.Duration(f.integer())
	case *resource.Quantity:
		*target = resource.MustParse(f.quantity())
	case *intstr.IntOrString:
		*target = intstr.FromString(f.text())
		if f.Intn(2) == 0 {
			*target = intstr.IntOrString{Type: intstr.Int, IntVal: int32(f.integer())}
		}
	case *runtime.RawExtension:
		target.Raw = f.rawObject()
	case *metav1.FieldsV1:
		target.Raw = f.rawObject()
	case *apiextensions.JSON:
		target.Raw = f.raw()
	case *apiextensions.JSONSchemaPropsOrBool:
		target.Allows = f.Intn(2) == 0
		if f.Intn(2) == 0 && depth < 12 {
			target.Allows, target.Schema = true, &apiextensions.JSONSchemaProps{}
			f.value(reflect.ValueOf(target.Schema).Elem(), depth+1)
		}
	case *apiextensions.JSONSchemaPropsOrArray:
		target.Schema = &apiextensions.JSONSchemaProps{}
		f.value(reflect.ValueOf(target.Schema).Elem(), depth+1)
	case *apiextensions.JSONSchemaPropsOrStringArray:
		target.Property = []string{f.text()}
	default:
		return false
	}
	return true
}

func (f *filler) integer() int64 {
	edges := []int64{0, 1, -1, 127, 128, -128, 1 << 31, 1<<31 - 1, -1 << 31, 1 << 53, 1<<53 + 1, math.MaxInt64, math.MinInt64}
	switch f.Intn(4) {
	case 0:
		return edges[f.Intn(len(edges))]
	case 1:
		return int64(f.Uint64() >> f.Intn(64))
	default:
		return int64(f.Intn(2000) - 200)
	}
}

func (f *filler) float() float64 {
	edges := []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e-7, 1e-6, 1e20, 1e21, 123456789, math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53, 1e15 + 0.5, 100, 3.5}
	if f.Intn(2) == 0 {
		return edges[f.Intn(len(edges))]
	}
	return f.NormFloat64() * math.Pow(10, float64(f.Intn(40)-20))
}

func (f *filler) time() time.Time {
	const year9999 = 253402300799
	switch f.Intn(8) {
	case 0:
		return time.Time{}
	case 1:
		return time.Unix(f.Int63n(year9999), f.Int63n(1e9))
	case 2:
		return time.Unix(-f.Int63n(62135596800), f.Int63n(1e9))
	case 3:
		return time.Unix(f.Int63n(1e6), 0)
	default:
		return time.Unix(1.6e9+f.Int63n(3e8), f.Int63n(1e6)*1000)
	}
}

func (f *filler) quantity() string {
	texts := []string{"0", "1", "100m", "1Gi", "1.5Gi", "1e3", "1E", "-1", "0.1", "1n", "1.0", "1000", "1024", "1k", "-0.5", "9223372036854775807", "9223372036854775808", "12345678901234567890123", "0.0000000001", "1Ei", "8Ei", "1e-9", "3.14159265358979", "+5", "1024Ki", "100u", "1500m", ".5", "5.", "1M", "007", "1e18", "1e20"}
	if f.Intn(3) > 0 {
		return texts[f.Intn(len(texts))]
	}
	digits := []byte{}
	for range 1 + f.Intn(24) {
		digits = append(digits, "0123456789"[f.Intn(10)])
	}
	text := string(digits)
	if f.Intn(2) == 0 {
		text += "." + string(digits[:f.Intn(len(digits)+1)])
	}
	suffixes := []string{"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E-2", "e12", "e-15"}
	return []string{"", "", "-", "+"}[f.Intn(4)] + text + suffixes[f.Intn(len(suffixes))]
}

func (f *filler) raw() []byte {
	var compacted bytes.Buffer
	text := f.json(0)
	if err := json.Compact(&compacted, []byte(text)); err != nil {
		panic(err)
	}
	if f.Intn(4) == 0 {
		return []byte(text)
	}
	return compacted.Bytes()
}

func (f *filler) rawObject() []byte {
	for {
		if raw := f.raw(); raw[0] == '{' {
			return raw
		}
	}
}

func compact(object runtime.Object) []byte    { return mustEncode(jsonSerializer, object) }
func protobufOf(object runtime.Object) []byte { return mustEncode(protobufSerializer, object) }
func cborOf(object runtime.Object) []byte     { return mustEncode(cborSerializer, object) }
