// What subcommands share that go up step by step: which lists, and the loads of the steps.
import { allCells, type CellKey, selectCells } from '@sluice/bench';
import { readPositive } from './server-flags.ts';

/** Readers, gate and job are the subcommand's. */
export function chooseLists(patterns: readonly string[]): CellKey[] {
  const lists = allCells().filter(
    ({ readers, gate, job }) => readers === 1 && gate === 'on' && job === 'list',
  );
  return selectCells(lists, patterns);
}

/** `1,2,5`, ascending. */
export function numbersOf(flag: string, text: string): number[] {
  return text
    .split(',')
    .map((part) => readPositive(flag, part))
    .sort((a, b) => a - b);
}
