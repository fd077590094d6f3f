// What @sluice/bench gives to other packages.
export {};
