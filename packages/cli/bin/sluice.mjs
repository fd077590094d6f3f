#!/usr/bin/env -S MALLOC_MMAP_THRESHOLD_=131072 node
// The `sluice` command; the code is in ../src, built to ../dist.
// glibc would keep what leaves and twins leave behind: with this threshold their memory goes back to the system at once.
await import('../dist/main.js');
