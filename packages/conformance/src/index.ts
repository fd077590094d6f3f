// What @sluice/conformance gives to other packages.
export {};
