// The cells of the benchmark: what they differ in, their names, and how a name or a part of it selects them.

export const KINDS = ['configmaps', 'pods', 'customresources'] as const;
export const REPRESENTATIONS = ['json', 'pretty', 'protobuf', 'cbor', 'yaml', 'table', 'metadata'] as const;
export const ENCODINGS = ['identity', 'gzip'] as const;
export const PROTOCOLS = ['h1', 'h2'] as const;
export const READERS = [1, 10] as const;
export const GATES = ['on', 'off'] as const;
export const JOBS = ['list', 'paged', 'selector', 'watchlist', 'watch'] as const;

export type Kind = (typeof KINDS)[number];
export type Representation = (typeof REPRESENTATIONS)[number];
export type Encoding = (typeof ENCODINGS)[number];
export type Protocol = (typeof PROTOCOLS)[number];
export type Gate = (typeof GATES)[number];
export type Job = (typeof JOBS)[number];

export type CellKey = {
  kind: Kind;
  representation: Representation;
  encoding: Encoding;
  http: Protocol;
  readers: number;
  /** Whether the gates of streamed lists are on (KEP-5116). */
  gate: Gate;
  job: Job;
};

/** `pods/protobuf/gzip/h2/r1/on/list` */
export function cellName(cell: Omit<CellKey, 'job'> & { job: string }): string {
  const { kind, representation, encoding, http, readers, gate, job } = cell;
  return [kind, representation, encoding, http, `r${readers}`, gate, job].join('/');
}

/** Every combination there is: 1,680. A kind's watches come last, since they write. */
export function allCells(): CellKey[] {
  const cells: CellKey[] = [];
  for (const kind of KINDS)
    for (const job of JOBS)
      for (const representation of REPRESENTATIONS)
        for (const encoding of ENCODINGS)
          for (const http of PROTOCOLS)
            for (const readers of READERS)
              for (const gate of GATES)
                cells.push({ kind, representation, encoding, http, readers, gate, job });
  return cells;
}

/**
 * What a whole run measures: lists of every kind in every representation, compressed or not, over both protocols, by
 * one reader and by ten; without the gates only what they are about; other jobs by one reader over HTTP/2.
 */
export function standardCells(): CellKey[] {
  return allCells().filter((cell) => {
    const { job, gate, http, readers } = cell;
    if (job !== 'list') return gate === 'on' && http === 'h2' && readers === 1 && isUsual(cell);
    return gate === 'on' || isGated(cell);
  });
}

/** A look at everything that fits into three minutes. */
export function quickCells(): CellKey[] {
  return standardCells().filter(({ kind, representation, encoding, http, readers, gate, job }) => {
    if (http === 'h1') return false;
    if (readers > 1) return kind === 'pods' && representation === 'json';
    if (gate === 'off') return kind === 'pods' && encoding === 'identity';
    return job === 'list' || (kind === 'pods' && representation === 'json' && encoding === 'identity');
  });
}

/**
 * Those whose name begins with one of the patterns, word by word: `pods/protobuf/gzip/h2`. A word may be several,
 * `json,cbor`, and hold stars: `*`.
 * @throws Error when a pattern selects none
 */
export function selectCells(cells: readonly CellKey[], patterns: readonly string[]): CellKey[] {
  if (patterns.length === 0) return [...cells];
  const chosen = new Set<CellKey>();
  for (const pattern of patterns) {
    const found = cells.filter((cell) => matches(cellName(cell), pattern));
    if (found.length === 0) throw new Error(`--only ${pattern} selects no cell`);
    for (const cell of found) chosen.add(cell);
  }
  return cells.filter((cell) => chosen.has(cell));
}

function isGated({ representation }: CellKey): boolean {
  return representation === 'json' || representation === 'protobuf';
}

/** Representations of jobs other than a plain list that clients ask for, plain; the usual two compressed as well. */
function isUsual({ job, representation, encoding }: CellKey): boolean {
  if (encoding === 'gzip')
    return job !== 'watch' && (representation === 'json' || representation === 'protobuf');
  const isWatch = job === 'watch' || job === 'watchlist';
  return !isWatch || (representation !== 'pretty' && representation !== 'yaml');
}

function matches(name: string, pattern: string): boolean {
  const words = name.split('/');
  return pattern.split('/').every((part, index) => {
    const word = words[index];
    return word !== undefined && part.split(',').some((choice) => wildcard(choice).test(word));
  });
}

function wildcard(text: string): RegExp {
  const literal = (part: string) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${text.split('*').map(literal).join('.*')}$`);
}
