// Flags that every measuring subcommand has: which servers, how they are filled, where results go.
import { join } from 'node:path';
import type { Kind } from '@sluice/bench';
import { readWholeNumber } from '../whole-number.ts';
import type { Size, Sizes } from './contestants.ts';
import { type NamedSubject, readSubject, refuseRemote, SUBJECT_SHOWN } from './subjects.ts';
import { runId } from './surroundings.ts';

/** For parseArgs(). */
export const SERVER_FLAGS: {
  subject: { type: 'string'; multiple: true };
  'without-own': { type: 'boolean' };
  'i-know': { type: 'boolean' };
} & Readonly<Record<Kind | 'out' | 'history', { type: 'string' }>> = {
  subject: { type: 'string', multiple: true },
  'without-own': { type: 'boolean' },
  'i-know': { type: 'boolean' },
  configmaps: { type: 'string' },
  pods: { type: 'string' },
  customresources: { type: 'string' },
  out: { type: 'string' },
  history: { type: 'string' },
};

export const SERVER_USAGE: string = `  --subject      ${SUBJECT_SHOWN}: one more server, filled and measured in turn with the others; with a
                 process id its CPU and memory are read from /proc, else from its /metrics; gate=off: it runs without
                 the gates of streamed lists
  --without-own  starts no Sluice: only the subjects
  --i-know       fills servers that are not on this machine, too
  --configmaps, --pods, --customresources
                 COUNTxBYTES: how many objects, and how much random text in each
  --out          where results go (bench-results/TIME)
  --history      a file that the results are added to; the page then draws all of it
`;

type Values = {
  subject?: string[] | undefined;
  'without-own'?: boolean | undefined;
  'i-know'?: boolean | undefined;
} & { [text in Kind | 'out' | 'history']?: string | undefined };

export type ServerSettings = {
  subjects: NamedSubject[];
  own: boolean;
  sizes: Sizes;
  out: string;
  history: string | undefined;
};

/** `usual`: sizes where a flag says nothing. @throws Error that names the flag */
export function readServerFlags(
  values: Values,
  kinds: readonly Kind[],
  usual: Readonly<Record<Kind, string>>,
): ServerSettings {
  const subjects = (values.subject ?? []).map(readSubject);
  refuseRemote(subjects, values['i-know'] === true);
  if (values['without-own'] && subjects.length === 0) throw new Error('--without-own needs a --subject');
  return {
    subjects,
    own: values['without-own'] !== true,
    sizes: Object.fromEntries(kinds.map((kind) => [kind, readSize(kind, values[kind] ?? usual[kind])])),
    out: values.out ?? join('bench-results', runId(new Date())),
    history: values.history,
  };
}

export function readPositive(flag: string, text: string): number {
  const value = text === '' ? Number.NaN : Number(text);
  if (!(value > 0)) throw new Error(`--${flag} must be a number above 0`);
  return value;
}

export function readSize(flag: string, text: string): Size {
  const match = /^(\d+)(?:x(\d+))?$/.exec(text);
  if (!match) throw new Error(`--${flag} must read COUNTxBYTES`);
  return { count: readWholeNumber(flag, match[1], 1), bytes: Number(match[2] ?? 0) };
}
