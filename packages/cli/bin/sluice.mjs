#!/usr/bin/env node
// The `sluice` command; the code is in ../src, built to ../dist.
await import('../dist/main.js');
