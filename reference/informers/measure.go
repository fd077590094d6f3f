package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Linux counts a process' time in hundredths of a second.
const tick = 10 * time.Millisecond

// measure tells of each of several new informers of all Pods how long it took to sync, and what that cost the server.
func measure(ctx context.Context, config *rest.Config, pids string, repetitions int) error {
	for ; repetitions > 0; repetitions-- {
		client, err := kubernetes.NewForConfig(config)
		if err != nil {
			return err
		}
		// A connection of its own, opened before the clock runs.
		if _, err := client.Discovery().ServerVersion(); err != nil {
			return err
		}
		before, err := cpuOf(pids)
		if err != nil {
			return err
		}
		began := time.Now()
		running, stop := context.WithCancel(ctx)
		factory := informers.NewSharedInformerFactory(client, 0)
		store := factory.Core().V1().Pods().Informer().GetStore()
		factory.Start(running.Done())
		factory.WaitForCacheSync(running.Done())
		synced := time.Since(began)
		after, err := cpuOf(pids)
		stop()
		factory.Shutdown()
		if err != nil {
			return err
		}
		tell(map[string]any{
			"objects":            len(store.ListKeys()),
			"synced_seconds":     synced.Seconds(),
			"server_cpu_seconds": (after - before).Seconds(),
		})
	}
	return nil
}

// cpuOf is the time all processes together have run, all their threads, in user and in system mode.
func cpuOf(pids string) (time.Duration, error) {
	var sum time.Duration
	for _, pid := range strings.FieldsFunc(pids, func(r rune) bool { return r == ',' }) {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil {
			return 0, err
		}
		// The program's name may have spaces; it ends at the last bracket. utime and stime are fields 14 and 15.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) < 13 {
			return 0, fmt.Errorf("/proc/%s/stat: too short", pid)
		}
		for _, field := range fields[11:13] {
			ticks, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				return 0, err
			}
			sum += time.Duration(ticks) * tick
		}
	}
	return sum, nil
}
