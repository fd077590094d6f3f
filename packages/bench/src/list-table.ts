// Draws what was measured as a table in plain text, a line for each subject.
import type { Transfer } from './curl.ts';
import type { Measured } from './list-load.ts';

const HEAD = [
  'subject',
  'lists',
  'failed',
  'median s',
  'min–max s',
  'first byte s',
  'bytes/list',
  'MB/s',
  'CPU s/list',
  'RSS before',
  'peak',
  'anon+shm MiB',
];

export function printTable(measured: readonly Measured[]): string {
  const rows = [HEAD, ...measured.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))),
    )
    .map((cells) => `${cells.join('  ')}\n`)
    .join('');
}

/** A list that was refused, or broke off. */
export function failedLists({ listings }: Measured): number {
  return listings.filter(({ code, exit }) => code !== 200 || exit !== 0).length;
}

function rowOf(one: Measured): string[] {
  const { name, listings, seconds, usage } = one;
  const totals = sortedBy(listings, 'total');
  const bytes = listings.reduce((sum, listing) => sum + listing.bytes, 0);
  const memory = usage
    ? [usage.rssBefore, usage.rssPeak, usage.ownPeak].map((mib) => mib.toFixed(0))
    : ['–', '–', '–'];
  return [
    name,
    String(listings.length),
    String(failedLists(one)),
    middle(totals).toFixed(3),
    `${(totals[0] ?? 0).toFixed(3)}–${(totals.at(-1) ?? 0).toFixed(3)}`,
    middle(sortedBy(listings, 'firstByte')).toFixed(4),
    (bytes / listings.length).toFixed(0),
    (bytes / 1e6 / seconds).toFixed(0),
    usage ? (usage.cpuSeconds / listings.length).toFixed(3) : '–',
    ...memory,
  ];
}

function sortedBy(listings: readonly Transfer[], field: 'total' | 'firstByte'): number[] {
  return listings.map((listing) => listing[field]).sort((a, b) => a - b);
}

function middle(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
