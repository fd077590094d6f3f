// Command-line flags, `--name value` or `--name=value`: each is data, and says for itself how its value is read.
import { type Gates, parseDuration, parseGates } from '@sluice/server';

/** `read` throws an Error that says what the value must be; `before`: what was read so far. A switch needs no value. */
export type Flag<Value> = {
  read(text: string, before: Value): Value;
  initial: Value;
  /** What stands for the value in the help text; empty: a switch. */
  shown: string;
  help: string;
};

// biome-ignore lint/suspicious/noExplicitAny: each flag is given what it has read itself.
type Flags = Readonly<Record<string, Flag<any>>>;

export type FlagValues<All extends Flags> = {
  [Name in keyof All]: All[Name] extends Flag<infer Value> ? Value : never;
};

/** The command line can't be understood; the message says why. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/** The last of several values counts, unless the flag adds them up. */
export function readFlags<All extends Flags>(args: readonly string[], flags: All): FlagValues<All> {
  const values: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(flags)) values[name] = flag.initial;
  for (let at = 0; at < args.length; at++) {
    const [name, inline] = splitArgument(args[at] ?? '');
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag === undefined)
      throw new FlagError(`unknown flag --${name}${suggestion(name, Object.keys(flags))}`);
    const isSwitch = flag.shown === '';
    const text = inline ?? (isSwitch ? 'true' : args[++at]);
    if (text === undefined) throw new FlagError(`--${name} needs a value: ${flag.shown}`);
    try {
      values[name] = flag.read(text, values[name]);
    } catch (error) {
      throw new FlagError(`--${name} ${text}: ${(error as Error).message}`);
    }
  }
  return values as FlagValues<All>;
}

function splitArgument(argument: string): [string, string | undefined] {
  const match = /^--([^=]+)(?:=(.*))?$/su.exec(argument);
  if (match === null) throw new FlagError(`unexpected argument ${argument}`);
  return [match[1] ?? '', match[2]];
}

/** One line a flag, in the order they are given. */
export function describeFlags(flags: Flags): string {
  const left = Object.entries(flags).map(
    ([name, { shown }]) => `  --${name}${shown === '' ? '' : ` ${shown}`}`,
  );
  const width = Math.max(...left.map((text) => text.length)) + 2;
  return Object.values(flags)
    .map(({ help }, index) => `${(left[index] ?? '').padEnd(width)}${help}\n`)
    .join('');
}

export function textFlag<Initial extends string | undefined>(
  initial: Initial,
  shown: string,
  help: string,
): Flag<string | Initial> {
  const read = (text: string): string => {
    if (text === '') throw new Error('must not be empty');
    return text;
  };
  return { read, initial, shown, help };
}

export function switchFlag(help: string): Flag<boolean> {
  const read = (text: string): boolean => {
    if (text !== 'true' && text !== 'false') throw new Error('must be true or false');
    return text === 'true';
  };
  return { read, initial: false, shown: '', help };
}

export function portFlag(initial: number, help: string): Flag<number> {
  const read = (text: string): number => {
    const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
    if (!(port <= 65_535)) throw new Error('must be a port, 0 to 65535');
    return port;
  };
  return { read, initial, shown: 'PORT', help };
}

const UNIT_BYTES: Readonly<Record<string, number>> = { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

export function bytesFlag(initial: number, help: string): Flag<number> {
  const read = (text: string): number => {
    const [, digits, unit = ''] = /^([0-9]+)(Ki|Mi|Gi)?$/.exec(text) ?? [];
    const bytes = digits === undefined ? Number.NaN : Number(digits) * (UNIT_BYTES[unit] ?? 1);
    if (!Number.isSafeInteger(bytes))
      throw new Error('must be a number of bytes, such as 1048576, 512Ki, 64Mi or 1Gi');
    return bytes;
  };
  return { read, initial, shown: 'BYTES', help };
}

export function countFlag(initial: number, help: string): Flag<number> {
  const read = (text: string): number => {
    const count = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(count)) throw new Error('must be a whole number, 0 or more');
    return count;
  };
  return { read, initial, shown: 'COUNT', help };
}

/** Milliseconds, as Go writes durations. */
export function durationFlag(initial: number, help: string): Flag<number> {
  const read = (text: string): number => {
    const milliseconds = parseDuration(text);
    if (milliseconds < 0) throw new Error('must not be negative');
    return milliseconds;
  };
  return { read, initial, shown: 'DURATION', help };
}

/** `Name=true,Other=false`, also in several flags. */
export function gatesFlag(initial: Gates, help: string): Flag<Gates> {
  return { read: parseGates, initial, shown: 'NAME=BOOL,…', help };
}

/** A typing mistake is about this far from what was meant. */
const NEAR_EDITS = 4;

export function suggestion(name: string, known: readonly string[]): string {
  const [nearest] = known
    .map((candidate) => ({ candidate, edits: edits(name, candidate) }))
    .filter(({ candidate, edits }) => edits <= NEAR_EDITS && edits < candidate.length)
    .sort((a, b) => a.edits - b.edits);
  return nearest === undefined ? '' : `; did you mean --${nearest.candidate}?`;
}

/** Letters put in, left out or changed on the way from one word to the other (Levenshtein). */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
