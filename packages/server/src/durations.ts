// Durations as Go writes them, `1h30m` or `250ms`, and what Go says of those it can't read.

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  '\u00b5s': 1e-3,
  '\u03bcs': 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Beyond 2^63 nanoseconds Go has no number. */
const LONGEST_MS = 2 ** 63 / 1e6;

/** Milliseconds. The error of one that can't be read is time.ParseDuration's. */
export function parseDuration(text: string): number {
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return 0;
  if (unsigned === '') throw refused('invalid duration', text);
  let total = 0;
  for (let rest = unsigned; rest !== ''; ) {
    const number = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)/.exec(rest)?.[0];
    if (number === undefined) throw refused('invalid duration', text);
    const unit = /^[^0-9.]*/.exec(rest.slice(number.length))?.[0] ?? '';
    if (unit === '') throw refused('missing unit in duration', text);
    const factor = Object.hasOwn(UNIT_MS, unit) ? UNIT_MS[unit] : undefined;
    if (factor === undefined) throw refused(`unknown unit ${quoted(unit)} in duration`, text);
    total += Number(number) * factor;
    if (!(total < LONGEST_MS)) throw refused('invalid duration', text);
    rest = rest.slice(number.length + unit.length);
  }
  return text.startsWith('-') ? -total : total;
}

function refused(problem: string, text: string): Error {
  return new Error(`time: ${problem} ${quoted(text)}`);
}

/** Package time has its own quoting: every byte that isn't printable ASCII in hex. */
function quoted(text: string): string {
  const shown = [...Buffer.from(text)].map((byte) => {
    if (byte < 0x20 || byte >= 0x80) return `\\x${byte.toString(16).padStart(2, '0')}`;
    const character = String.fromCharCode(byte);
    return character === '"' || character === '\\' ? `\\${character}` : character;
  });
  return `"${shown.join('')}"`;
}
