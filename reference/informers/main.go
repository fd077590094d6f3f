// Kubernetes' own Go clients against any server: an informer that is held to the server's objects, a measure of how
// long one takes to sync, a manager that reconciles a custom resource. One line of JSON for each thing told.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	// controller-runtime has put a --kubeconfig of its own among the program's flags.
	flags := flag.NewFlagSet("informers", flag.ExitOnError)
	mode := flags.String("mode", "hold", "hold, measure or manager")
	kubeconfig := flags.String("kubeconfig", "", "of the server")
	watchList := flags.Bool("watch-list", true, "begin with a streaming list (KEP-3157)")
	contentType := flags.String("content-type", "application/vnd.kubernetes.protobuf", "or application/json")
	pids := flags.String("pids", "", "measure: process ids of the server, with commas between")
	repetitions := flags.Int("reps", 5, "measure: how often")
	must(flags.Parse(os.Args[1:]))
	// Read by client-go when it is first asked for.
	must(os.Setenv("KUBE_FEATURE_WatchListClient", strconv.FormatBool(*watchList)))
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	must(err)
	config.ContentType = *contentType
	config.AcceptContentTypes = *contentType + ",application/json"
	config.QPS = -1
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	must(run(ctx, *mode, config, *pids, *repetitions))
}

func run(ctx context.Context, mode string, config *rest.Config, pids string, repetitions int) error {
	switch mode {
	case "hold":
		return hold(ctx, config, os.Stdin)
	case "measure":
		return measure(ctx, config, pids, repetitions)
	case "manager":
		return manage(ctx, config)
	default:
		return fmt.Errorf("no mode %q", mode)
	}
}

func tell(told any) {
	must(json.NewEncoder(os.Stdout).Encode(told))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
