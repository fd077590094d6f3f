// What @sluice/cache gives to other packages.
export {};
