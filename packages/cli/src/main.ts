// The `sluice` command: finds the subcommand and runs it.
export {};
