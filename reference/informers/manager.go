package main

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const (
	widgets   = 20
	finalizer = "example.test/held"
	// For everything together; nothing of it takes long.
	managerLimit = 90 * time.Second
)

var widgetKind = schema.GroupVersionKind{Group: "example.test", Version: "v1", Kind: "Widget"}

const definition = `{
	"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
	"metadata": {"name": "widgets.example.test"},
	"spec": {
		"group": "example.test", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
		"versions": [{
			"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
			"schema": {"openAPIV3Schema": {"type": "object", "properties": {
				"spec": {"type": "object", "properties": {"size": {"type": "integer"}}},
				"status": {"type": "object", "properties": {"size": {"type": "integer"}}}
			}}}
		}]
	}
}`

// manage runs a manager that is elected leader and copies each Widget's size into its status; makes Widgets, changes
// them, deletes them, and waits each time until the manager has done its part.
func manage(ctx context.Context, config *rest.Config) error {
	ctx, stop := context.WithTimeout(ctx, managerLimit)
	defer stop()
	log.SetLogger(zap.New())
	direct, err := client.New(config, client.Options{})
	if err != nil {
		return err
	}
	if err := define(ctx, direct); err != nil {
		return fmt.Errorf("definition: %w", err)
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:                       metricsserver.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              "widgets",
		LeaderElectionNamespace:       "default",
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return err
	}
	if err := ctrl.NewControllerManagedBy(manager).For(newWidget("")).Complete(reconciler{manager.GetClient()}); err != nil {
		return err
	}
	running, stopManager := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(running) }()
	if err := live(ctx, direct); err != nil {
		stopManager()
		return err
	}
	stopManager()
	if err := <-ended; err != nil {
		return err
	}
	tell(map[string]int{"reconciled": widgets})
	return nil
}

func define(ctx context.Context, direct client.Client) error {
	crd := &unstructured.Unstructured{}
	if err := crd.UnmarshalJSON([]byte(definition)); err != nil {
		return err
	}
	if err := direct.Create(ctx, crd); err != nil {
		return err
	}
	return until(ctx, func(ctx context.Context) (bool, error) {
		if err := direct.Get(ctx, client.ObjectKeyFromObject(crd), crd); err != nil {
			return false, err
		}
		conditions, _, err := unstructured.NestedSlice(crd.Object, "status", "conditions")
		for _, condition := range conditions {
			if of := condition.(map[string]any); of["type"] == "Established" && of["status"] == "True" {
				return true, err
			}
		}
		return false, err
	})
}

type reconciler struct{ client.Client }

func (r reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	widget := newWidget("")
	if err := r.Get(ctx, request.NamespacedName, widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if widget.GetDeletionTimestamp() != nil {
		controllerutil.RemoveFinalizer(widget, finalizer)
		return ctrl.Result{}, client.IgnoreNotFound(r.Update(ctx, widget))
	}
	if controllerutil.AddFinalizer(widget, finalizer) {
		return ctrl.Result{}, r.Update(ctx, widget)
	}
	if sizeIn(widget, "status") == sizeIn(widget, "spec") {
		return ctrl.Result{}, nil
	}
	before := widget.DeepCopy()
	if err := unstructured.SetNestedField(widget.Object, sizeIn(widget, "spec"), "status", "size"); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Status().Patch(ctx, widget, client.MergeFrom(before))
}

func live(ctx context.Context, direct client.Client) error {
	for n := 1; n <= widgets; n++ {
		widget := newWidget(fmt.Sprintf("w%d", n))
		widget.Object["spec"] = map[string]any{"size": int64(n)}
		if err := direct.Create(ctx, widget); err != nil {
			return err
		}
	}
	if err := untilSizes(ctx, direct, 1); err != nil {
		return fmt.Errorf("status of new Widgets: %w", err)
	}
	for n := 1; n <= widgets; n++ {
		patch := client.RawPatch("application/merge-patch+json", fmt.Appendf(nil, `{"spec":{"size":%d}}`, 100*n))
		if err := direct.Patch(ctx, newWidget(fmt.Sprintf("w%d", n)), patch); err != nil {
			return err
		}
	}
	if err := untilSizes(ctx, direct, 100); err != nil {
		return fmt.Errorf("status of changed Widgets: %w", err)
	}
	if err := direct.DeleteAllOf(ctx, newWidget(""), client.InNamespace("default")); err != nil {
		return err
	}
	return until(ctx, func(ctx context.Context) (bool, error) {
		list, err := listWidgets(ctx, direct)
		return err == nil && len(list.Items) == 0, err
	})
}

func untilSizes(ctx context.Context, direct client.Client, factor int64) error {
	return until(ctx, func(ctx context.Context) (bool, error) {
		list, err := listWidgets(ctx, direct)
		if err != nil {
			return false, err
		}
		done := 0
		for _, item := range list.Items {
			if size := sizeIn(&item, "status"); size == sizeIn(&item, "spec") && size%factor == 0 && size > 0 {
				done++
			}
		}
		return done == widgets, nil
	})
}

func listWidgets(ctx context.Context, direct client.Client) (*unstructured.UnstructuredList, error) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(widgetKind.GroupVersion().WithKind("WidgetList"))
	return list, direct.List(ctx, list, &client.ListOptions{Raw: &metav1.ListOptions{}})
}

func newWidget(name string) *unstructured.Unstructured {
	widget := &unstructured.Unstructured{}
	widget.SetGroupVersionKind(widgetKind)
	widget.SetNamespace("default")
	widget.SetName(name)
	return widget
}

func sizeIn(widget *unstructured.Unstructured, part string) int64 {
	size, _, _ := unstructured.NestedInt64(widget.Object, part, "size")
	return size
}

func until(ctx context.Context, condition wait.ConditionWithContextFunc) error {
	return wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, condition)
}
