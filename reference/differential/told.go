// Tells whether an object is all in its JSON, and does what happens to raw JSON once a server converts an object.
package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"unicode/utf8"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// every asks about an object and all that is within it, by pointers where there can be some.
func every(value reflect.Value, holds func(any) bool) bool {
	if value.Kind() != reflect.Pointer && !holds(value.Interface()) {
		return false
	}
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		return value.IsNil() || every(value.Elem(), holds)
	case reflect.Slice:
		for i := range value.Len() {
			if !every(value.Index(i), holds) {
				return false
			}
		}
	case reflect.Map:
		for entries := value.MapRange(); entries.Next(); {
			if !every(entries.Key(), holds) || !every(entries.Value(), holds) {
				return false
			}
		}
	case reflect.Struct:
		for i := range value.NumField() {
			if value.Type().Field(i).IsExported() && !every(value.Field(i), holds) {
				return false
			}
		}
	}
	return true
}

// isToldByJSON is false for what JSON can't say, or not as it was said.
func isToldByJSON(part any) bool {
	switch value := part.(type) {
	case runtime.RawExtension:
		return isAsPrinted(value.Raw) && string(value.Raw) != "null"
	case apiextensions.JSON:
		return isAsPrinted(value.Raw) && string(value.Raw) != "null"
	case metav1.FieldsV1:
		return isAsPrinted(value.Raw) && string(value.Raw) != "null"
	case intstr.IntOrString:
		return value.Type == intstr.Int && value.StrVal == "" || value.Type == intstr.String && value.IntVal == 0
	case []byte:
		return value == nil || len(value) > 0
	}
	text := reflect.ValueOf(part)
	return text.Kind() != reflect.String || utf8.ValidString(text.String())
}

// isFieldSet is false for what the library takes for CBOR though it came as JSON.
func isFieldSet(part any) bool {
	fields, ok := part.(metav1.FieldsV1)
	return !ok || len(fields.Raw) == 0 || fields.Raw[0] == '{'
}

// isAsPrinted is false for raw JSON with space between its parts, or with characters that are escaped when it is printed.
func isAsPrinted(raw []byte) bool {
	var compacted, escaped bytes.Buffer
	if raw == nil {
		return true
	}
	if !utf8.Valid(raw) || json.Compact(&compacted, raw) != nil {
		return false
	}
	json.HTMLEscape(&escaped, compacted.Bytes())
	return bytes.Equal(raw, escaped.Bytes())
}

// respell spells numbers in the raw JSON of a CustomResourceDefinition as converting it does.
func respell(value reflect.Value) error {
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !value.IsNil() {
			return respell(value.Elem())
		}
	case reflect.Slice:
		for i := range value.Len() {
			if err := respell(value.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		for entries := value.MapRange(); entries.Next(); {
			changed := reflect.New(value.Type().Elem()).Elem()
			changed.Set(entries.Value())
			if err := respell(changed); err != nil {
				return err
			}
			value.SetMapIndex(entries.Key(), changed)
		}
	case reflect.Struct:
		if raw, ok := value.Addr().Interface().(*apiextensions.JSON); ok && len(raw.Raw) > 0 {
			var tree any
			if err := utiljson.Unmarshal(raw.Raw, &tree); err != nil {
				return err
			}
			var err error
			raw.Raw, err = utiljson.Marshal(tree)
			return err
		}
		for i := range value.NumField() {
			if !value.Type().Field(i).IsExported() {
				continue
			}
			if err := respell(value.Field(i)); err != nil {
				return err
			}
		}
	}
	return nil
}
