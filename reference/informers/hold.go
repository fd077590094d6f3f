package main

import (
	"bufio"
	"context"
	"io"
	"maps"
	"net/http"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// How long an informer may take to know what the server knows.
const settleLimit = 60 * time.Second

// held is what an informer of ConfigMaps holds beside what the server has, and what it met on the way.
type held struct {
	// Objects on the server, of which the informer holds each in the same resourceVersion.
	Objects int `json:"objects"`
	// Names of objects that only one of both has, or both in different resourceVersions, at the time limit.
	Different []string `json:"different"`
	// How often the informer asked for the whole state: once, and again when its resourceVersion was too old.
	Begun int64 `json:"begun"`
	// How often a list or a watch could not be opened.
	Failed int64 `json:"failed"`
	// Events told to a handler. One object may be told of once for several changes.
	Added   int64 `json:"added"`
	Updated int64 `json:"updated"`
	Deleted int64 `json:"deleted"`
}

// hold runs an informer, and compares it with the server at each line of input until there is none.
func hold(ctx context.Context, config *rest.Config, lines io.Reader) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	var begun, failed atomic.Int64
	watched := rest.CopyConfig(config)
	watched.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			if query := request.URL.Query(); !query.Has("watch") || query.Get("sendInitialEvents") == "true" {
				begun.Add(1)
			}
			return next.RoundTrip(request)
		})
	})
	watching, err := kubernetes.NewForConfig(watched)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(watching, 0)
	informer := factory.Core().V1().ConfigMaps().Informer()
	err = informer.SetWatchErrorHandler(func(*cache.Reflector, error) { failed.Add(1) })
	if err != nil {
		return err
	}
	seen := &seen{versions: map[string]string{}}
	if _, err := informer.AddEventHandler(seen); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	tell(map[string]int{"synced": len(informer.GetStore().ListKeys())})
	for scanner := bufio.NewScanner(lines); scanner.Scan(); {
		objects, different, err := settle(ctx, client, informer.GetStore(), seen)
		if err != nil {
			return err
		}
		added, updated, deleted := seen.counts()
		tell(held{objects, different, begun.Load(), failed.Load(), added, updated, deleted})
	}
	return nil
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	return f(request)
}

// seen is what a handler makes of the events it is told.
type seen struct {
	sync.Mutex
	versions                map[string]string
	added, updated, deleted int64
}

func (s *seen) OnAdd(object any, _ bool) {
	s.put(&s.added, object)
}

func (s *seen) OnUpdate(_, object any) {
	s.put(&s.updated, object)
}

func (s *seen) OnDelete(object any) {
	s.Lock()
	defer s.Unlock()
	if unknown, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = unknown.Obj
	}
	s.deleted++
	delete(s.versions, nameOf(object.(*corev1.ConfigMap)))
}

func (s *seen) put(count *int64, object any) {
	s.Lock()
	defer s.Unlock()
	*count++
	item := object.(*corev1.ConfigMap)
	s.versions[nameOf(item)] = versionOf(item)
}

func (s *seen) counts() (added, updated, deleted int64) {
	s.Lock()
	defer s.Unlock()
	return s.added, s.updated, s.deleted
}

func (s *seen) known() map[string]string {
	s.Lock()
	defer s.Unlock()
	return maps.Clone(s.versions)
}

// settle waits until the store, and a handler, know exactly the server's objects, and tells what is different when they
// never do.
func settle(ctx context.Context, client kubernetes.Interface, store cache.Store, seen *seen) (int, []string, error) {
	for end := time.Now().Add(settleLimit); ; time.Sleep(50 * time.Millisecond) {
		list, err := client.CoreV1().ConfigMaps("").List(ctx, metav1.ListOptions{})
		if err != nil {
			return 0, nil, err
		}
		wanted, stored := map[string]string{}, map[string]string{}
		for _, item := range list.Items {
			wanted[nameOf(&item)] = versionOf(&item)
		}
		for _, object := range store.List() {
			item := object.(*corev1.ConfigMap)
			stored[nameOf(item)] = versionOf(item)
		}
		different := append(differences(wanted, stored), differences(wanted, seen.known())...)
		if len(different) == 0 || time.Now().After(end) {
			return len(wanted), different, nil
		}
	}
}

func differences(wanted, found map[string]string) []string {
	different := []string{}
	for name, version := range wanted {
		if found[name] != version {
			different = append(different, name)
		}
	}
	for name := range found {
		if _, ok := wanted[name]; !ok {
			different = append(different, name)
		}
	}
	sort.Strings(different)
	return different
}

func nameOf(item *corev1.ConfigMap) string {
	return item.Namespace + "/" + item.Name
}

func versionOf(item *corev1.ConfigMap) string {
	return string(item.UID) + "@" + item.ResourceVersion
}
