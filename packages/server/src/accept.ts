// The Accept header as kube-apiserver's parser reads and orders it, and the stricter look a built-in path's router takes first.

export type Clause = { type: string; subtype: string; q: number; parameters: ReadonlyMap<string, string> };

/** Clauses in the order they are tried. What can't be read is left out. */
export function parseAccept(header: string): Clause[] {
  return insertionSorted(header.split(',').flatMap((text) => parseClause(trimSpaces(text)) ?? []));
}

function parseClause(text: string): Clause | undefined {
  const [mediaType = '', ...rest] = text.split(';');
  const slash = mediaType.indexOf('/');
  const type = trimSpaces(slash < 0 ? mediaType : mediaType.slice(0, slash));
  const subtype = slash < 0 ? '' : mediaType.slice(slash + 1).replace(/\/$/, '');
  if (subtype === '' && type !== '*') return undefined;
  if (subtype.includes('/')) return undefined;
  const parameters = new Map<string, string>();
  let q = 1;
  for (const parameter of rest) {
    const [name, value] = splitParameter(parameter);
    if (name === undefined) continue;
    if (name === 'q') q = parseQuality(value);
    else parameters.set(name, trimSpaces(value));
  }
  return { type, subtype: subtype === '' ? '*' : trimSpaces(subtype), q, parameters };
}

/** Exactly one `=`, and something behind it; one more at the very end is forgiven. */
function splitParameter(text: string): [string, string] | [undefined, ''] {
  const equals = text.indexOf('=');
  const value = equals < 0 ? '' : text.slice(equals + 1);
  const equalsAgain = value.indexOf('=');
  if (value === '' || (equalsAgain >= 0 && equalsAgain < value.length - 1)) return [undefined, ''];
  return [trimSpaces(text.slice(0, equals)), value.replace(/=$/, '')];
}

/** Unreadable is 0: last, but not out. */
function parseQuality(text: string): number {
  return /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(text) ? Math.fround(Number(text)) : 0;
}

/**
 * The comparison isn't an order: a concrete clause with a low q and a wildcard with a high one come before each
 * other. So the algorithm decides, and it is the one Go's sort.Sort uses for up to twelve elements.
 */
function insertionSorted(clauses: Clause[]): Clause[] {
  for (let at = 1; at < clauses.length; at++) {
    for (let back = at; back > 0; back--) {
      const clause = clauses[back] as Clause;
      const before = clauses[back - 1] as Clause;
      if (!comesFirst(clause, before)) break;
      clauses[back - 1] = clause;
      clauses[back] = before;
    }
  }
  return clauses;
}

function comesFirst(a: Clause, b: Clause): boolean {
  if (a.q > b.q) return true;
  if (a.type !== '*' && b.type === '*') return true;
  return a.subtype !== '*' && b.subtype === '*';
}

/** The router knows whole types only: parameters are cut off, and of wildcards it takes only the one for everything. */
export function routerAccepts(header: string, producible: readonly string[]): boolean {
  return header.split(',').some((clause) => {
    const mediaType = trimSpaces(clause.split(';')[0] ?? '');
    return mediaType === '*/*' || producible.includes(mediaType);
  });
}

export function trimSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === ' ') start++;
  while (end > start && text[end - 1] === ' ') end--;
  return text.slice(start, end);
}
