// Makes random bodies of every built-in kind and of custom ones, and tells what the Go libraries make of each:
// one line of JSON a body, for compare.mjs to hold Sluice to.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func main() {
	seed := flag.Int64("seed", 1, "of the random numbers: the same seed, the same bodies")
	first := flag.Int("first", 0, "number of the first body")
	count := flag.Int("count", 1000, "how many bodies")
	list := flag.Bool("list", false, "print the kinds there are, and nothing else")
	flag.Parse()
	kinds := allKinds()
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	if *list {
		for _, kind := range kinds {
			fmt.Fprintf(out, "%s %s\n", kind.GroupVersion(), kind.Kind)
		}
		return
	}
	if wanted := flag.Args(); len(wanted) > 0 {
		kinds = only(kinds, wanted)
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for n := *first; n < *first+*count; n++ {
		// Each body has its own numbers: one can be made again without those before it.
		r := rand.New(rand.NewSource(*seed<<32 + int64(n)))
		answer := makeBody(r, kinds).answer()
		answer.N = n
		if err := encoder.Encode(answer); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// makeBody picks a kind, a way to write it and what is wrong with it.
func makeBody(r *rand.Rand, kinds []schema.GroupVersionKind) body {
	kind := kinds[r.Intn(len(kinds))]
	filler := &filler{Rand: r}
	switch way := r.Intn(100); {
	case way < 12:
		encoded, isBroken := customJSON(filler)
		return body{from: "json", custom: true, kind: customKind, bytes: encoded, isBroken: isBroken}
	case way < 18:
		return body{from: "cbor", custom: true, kind: customKind, bytes: customCBOR(filler), isBroken: true}
	case way < 25:
		filler.keepsInnerKinds = true
		return body{from: "json", kind: kind, bytes: compact(filler.object(kind)), keepsInnerKinds: true}
	case way < 45:
		return body{from: "json", kind: kind, bytes: compact(filler.object(kind))}
	case way < 65 && !isUnversioned(kind):
		return body{from: "json", kind: kind, bytes: spoilJSON(filler, compact(filler.object(kind)))}
	case way < 85:
		filler.keepsBadText = r.Intn(4) == 0
		return body{from: "protobuf", kind: kind, bytes: protobufOf(filler.object(kind))}
	case way < 95 && !isUnversioned(kind):
		filler.keepsBadText = r.Intn(8) == 0
		return body{from: "protobuf", kind: kind, bytes: spoilProtobuf(filler, protobufOf(filler.object(kind)))}
	default:
		return body{from: "cbor", kind: kind, bytes: cborOf(filler.object(kind))}
	}
}

// isUnversioned tells kinds that are the same in every version there could be: answers, no objects.
func isUnversioned(kind schema.GroupVersionKind) bool {
	object, err := scheme.New(kind)
	if err != nil {
		panic(err)
	}
	unversioned, _ := scheme.IsUnversioned(object)
	return unversioned
}

var customKind = schema.GroupVersionKind{Group: "g.io", Version: "v1", Kind: "Foo"}

// allKinds are those of the scheme that are objects or lists of their own, in an order that doesn't change.
func allKinds() []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	for kind := range scheme.AllKnownTypes() {
		isObject := kind.Version != "__internal" && kind.Kind != "WatchEvent" && !strings.HasSuffix(kind.Kind, "Options")
		if isObject {
			kinds = append(kinds, kind)
		}
	}
	sort.Slice(kinds, func(i, j int) bool { return kinds[i].String() < kinds[j].String() })
	return kinds
}

// only takes `group/version Kind`, as -list prints them.
func only(kinds []schema.GroupVersionKind, wanted []string) []schema.GroupVersionKind {
	var found []schema.GroupVersionKind
	for _, kind := range kinds {
		for _, name := range wanted {
			if name == kind.GroupVersion().String()+" "+kind.Kind {
				found = append(found, kind)
			}
		}
	}
	return found
}
