// What @sluice/server gives to other packages.
export {};
