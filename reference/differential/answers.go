// What the Go libraries make of a body: the object read, and that object in every representation.
package main

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	aggregation "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// body is what a client would send.
type body struct {
	from   string
	custom bool
	kind   schema.GroupVersionKind
	bytes  []byte
	// keepsInnerKinds: objects within the object may have a kind, which they lose when they are stored.
	keepsInnerKinds bool
	// isBroken: of a custom resource, metadata may be of any form. A server would have refused it.
	isBroken bool
}

// answer is a line of the output. Bytes are base64; what doesn't apply is left out.
type answer struct {
	N            int      `json:"n"`
	From         string   `json:"from"`
	Custom       bool     `json:"custom,omitempty"`
	Group        string   `json:"group"`
	Version      string   `json:"version"`
	Kind         string   `json:"kind"`
	Body         []byte   `json:"body"`
	Error        string   `json:"error,omitempty"`
	StrictErrors []string `json:"strictErrors,omitempty"`

	JSON             []byte `json:"json,omitempty"`
	Pretty           []byte `json:"pretty,omitempty"`
	YAML             []byte `json:"yaml,omitempty"`
	YAMLError        string `json:"yamlError,omitempty"`
	Protobuf         []byte `json:"protobuf,omitempty"`
	CBOR             []byte `json:"cbor,omitempty"`
	CBORError        string `json:"cborError,omitempty"`
	Metadata         []byte `json:"metadata,omitempty"`
	MetadataProtobuf []byte `json:"metadataProtobuf,omitempty"`
	// Stored is the JSON of what comes back after it was stored as Protobuf.
	Stored []byte `json:"stored,omitempty"`
}

var scheme = func() *runtime.Scheme {
	all := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientscheme.AddToScheme, apiextensions.AddToScheme, aggregation.AddToScheme} {
		if err := add(all); err != nil {
			panic(err)
		}
	}
	return all
}()

var (
	jsonSerializer     = newJSON(scheme, scheme, json.SerializerOptions{Strict: true})
	prettySerializer   = newJSON(scheme, scheme, json.SerializerOptions{Pretty: true})
	yamlSerializer     = newJSON(scheme, scheme, json.SerializerOptions{Yaml: true})
	protobufSerializer = protobuf.NewSerializer(scheme, scheme)
	cborSerializer     = cbor.NewSerializer(scheme, scheme, cbor.Strict(true))
	customSerializer   = newJSON(anyKind{}, anyKind{}, json.SerializerOptions{Strict: true})
	customCBORReader   = cbor.NewSerializer(anyKind{}, anyKind{}, cbor.Strict(true))
)

func newJSON(creater runtime.ObjectCreater, typer runtime.ObjectTyper, options json.SerializerOptions) *json.Serializer {
	return json.NewSerializerWithOptions(json.DefaultMetaFactory, creater, typer, options)
}

func (b body) answer() answer {
	out := answer{From: b.from, Custom: b.custom, Group: b.kind.Group, Version: b.kind.Version, Kind: b.kind.Kind, Body: b.bytes}
	object, err := b.read()
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		for _, one := range strict.Errors() {
			out.StrictErrors = append(out.StrictErrors, one.Error())
		}
	} else if err != nil {
		out.Error = err.Error()
		return out
	}
	if b.kind.Group == apiextensions.GroupName {
		if err := respell(reflect.ValueOf(object)); err != nil {
			out.Error = err.Error()
			return out
		}
	}
	var jsonErr error
	out.JSON, jsonErr = encode(jsonSerializer, object)
	if jsonErr != nil || !utf8.Valid(out.JSON) {
		// Raw JSON is printed as it came: it may be none, or no UTF-8.
		out.JSON = nil
		return out
	}
	out.Pretty, _ = encode(prettySerializer, object)
	var yamlErr error
	if out.YAML, yamlErr = encode(yamlSerializer, object); yamlErr != nil {
		out.YAML, out.YAMLError = nil, yamlErr.Error()
	}
	if partial := partialOf(object); partial != nil && !b.isBroken {
		out.Metadata, _ = encode(jsonSerializer, partial)
	}
	kept, isSame := b.asKept(object, out.JSON)
	if kept == nil {
		return out
	}
	var cborErr error
	if !every(reflect.ValueOf(kept), isFieldSet) {
		out.CBOR = nil
	} else if out.CBOR, cborErr = encode(cborSerializer, kept); cborErr != nil {
		out.CBOR, out.CBORError = nil, cborErr.Error()
	}
	if partial := partialOf(kept); partial != nil && !b.isBroken {
		out.MetadataProtobuf, _ = encode(protobufSerializer, partial)
	}
	if b.custom {
		return out
	}
	// What was read may lack what was expected anyway.
	kept.GetObjectKind().SetGroupVersionKind(b.kind)
	out.Protobuf, _ = encode(protobufSerializer, kept)
	if isSame && !b.keepsInnerKinds && !strings.HasSuffix(b.kind.Kind, "List") {
		stored, _, err := protobufSerializer.Decode(out.Protobuf, nil, nil)
		if err == nil {
			out.Stored, _ = encode(jsonSerializer, stored)
		}
	}
	return out
}

// asKept is the object as far as its JSON tells it: that is what Sluice keeps. The second result is false where this loses
// something: which bytes a text had that weren't UTF-8, how raw JSON was spelled, that a number was written as a fraction.
func (b body) asKept(object runtime.Object, encoded []byte) (runtime.Object, bool) {
	if !b.custom && every(reflect.ValueOf(object), isToldByJSON) {
		return object, true
	}
	decoder := jsonSerializer
	if b.custom {
		decoder = customSerializer
	}
	kept, _, err := decoder.Decode(encoded, &b.kind, nil)
	if err != nil {
		return nil, false
	}
	again, _ := encode(jsonSerializer, kept)
	if !bytes.Equal(plain(again), plain(encoded)) {
		return nil, false
	}
	return kept, false
}

// plain spells alike what stands for bytes that are no UTF-8 and what came as the character U+FFFD.
func plain(encoded []byte) []byte {
	return bytes.ReplaceAll(encoded, []byte(`\ufffd`), []byte("\ufffd"))
}

func (b body) read() (runtime.Object, error) {
	var decoder runtime.Decoder
	var into runtime.Object
	switch {
	case b.custom && b.from == "cbor":
		decoder, into = customCBORReader, &unstructured.Unstructured{}
	case b.custom:
		decoder = customSerializer
	case b.from == "protobuf":
		decoder = protobufSerializer
	case b.from == "cbor":
		decoder = cborSerializer
	default:
		decoder = jsonSerializer
	}
	object, _, err := decoder.Decode(b.bytes, &b.kind, into)
	return object, err
}

// partialOf is nil for what has no metadata of an object: lists.
func partialOf(object runtime.Object) runtime.Object {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil
	}
	partial := meta.AsPartialObjectMetadata(accessor)
	partial.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("PartialObjectMetadata"))
	return partial
}

func encode(encoder runtime.Encoder, object runtime.Object) ([]byte, error) {
	var buffer bytes.Buffer
	err := encoder.Encode(object, &buffer)
	return buffer.Bytes(), err
}

func mustEncode(encoder runtime.Encoder, object runtime.Object) []byte {
	encoded, err := encode(encoder, object)
	if err != nil {
		panic(fmt.Sprintf("%v of %#v", err, object))
	}
	return encoded
}

// anyKind makes every kind an unstructured one.
type anyKind struct{}

func (anyKind) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(kind)
	return object, nil
}

func (anyKind) ObjectKinds(object runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	return []schema.GroupVersionKind{object.GetObjectKind().GroupVersionKind()}, false, nil
}

func (anyKind) Recognizes(schema.GroupVersionKind) bool { return true }
