// Measures a server from outside.
export { type ListOptions, type Measured, measureLists, type Subject } from './list-load.ts';
export { failedLists, printTable } from './list-table.ts';
