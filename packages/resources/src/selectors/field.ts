// Field selectors: `metadata.name=a,status.phase!=Running`, read by the reference's grammar and refused in its words.
import { compareUtf8 } from '@sluice/encoding';
import { SelectorError } from './label.ts';
import { finish, type Steps, sortSteps } from './steps.ts';

export type FieldTerm = { field: string; operator: '=' | '!='; value: string };

export interface FieldSelector {
  /** In the order of the terms' text; all of them must hold. */
  readonly terms: readonly FieldTerm[];
  /** Matches everything. */
  readonly empty: boolean;
  /** The canonical spelling. */
  readonly text: string;
  /** `get` gives a field's text, empty when the object has no such field. */
  matches(get: (field: string) => string): boolean;
  /** The value a field must have, if one term says so. */
  exact(field: string): string | undefined;
}

/** @throws SelectorError */
export function parseFieldSelector(text: string): FieldSelector {
  return finish(fieldSelectorSteps(text));
}

/** @throws SelectorError at any step: of several terms that can't be read the first in their order. */
export function* fieldSelectorSteps(text: string): Steps<FieldSelector> {
  const parts: string[] = [];
  for (const part of partsOf(text)) {
    parts.push(part);
    yield;
  }
  const terms: FieldTerm[] = [];
  for (const part of yield* sortSteps(parts, compareUtf8)) {
    const term = parseTerm(part, text);
    // `=` with nothing on either side says nothing.
    if (term.field !== '' || term.value !== '') terms.push(term);
    yield;
  }
  return yield* selectorSteps(terms);
}

export function fieldSelector(terms: readonly FieldTerm[]): FieldSelector {
  return finish(selectorSteps(terms));
}

function* selectorSteps(terms: readonly FieldTerm[]): Steps<FieldSelector> {
  const matches = yield* fieldTestSteps(terms);
  return {
    terms,
    empty: terms.length === 0,
    get text() {
      return terms.map(({ field, operator, value }) => field + operator + escaped(value)).join(',');
    },
    matches,
    exact: (field) => terms.find((term) => term.field === field && term.operator === '=')?.value,
  };
}

type Demand = { only: string | undefined; except: Set<string>; never: boolean };

/** What terms ask of each field, gathered: as many looks as there are fields, however many terms. */
function* fieldTestSteps(terms: readonly FieldTerm[]): Steps<FieldSelector['matches']> {
  const demands = new Map<string, Demand>();
  for (const { field, operator, value } of terms) {
    const demand = demands.get(field) ?? { only: undefined, except: new Set(), never: false };
    demands.set(field, demand);
    if (operator === '!=') demand.except.add(value);
    else {
      demand.never ||= demand.only !== undefined && demand.only !== value;
      demand.only = value;
    }
    yield;
  }
  return (get) => {
    for (const [field, { only, except, never }] of demands) {
      if (never) return false;
      const value = get(field);
      if ((only !== undefined && only !== value) || except.has(value)) return false;
    }
    return true;
  };
}

const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const EQUALS = 0x3d;

/** Between commas without a backslash before them; what is empty is left out. */
function* partsOf(text: string): Generator<string, void, void> {
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    if (code !== COMMA && at < text.length) continue;
    if (at > start) yield text.slice(start, at);
    start = at + 1;
  }
}

function parseTerm(term: string, whole: string): FieldTerm {
  const operator = /!=|==|=/.exec(term);
  if (operator === null) throw new SelectorError(`invalid selector: '${whole}'; can't understand '${term}'`);
  const value = unescaped(term.slice(operator.index + operator[0].length));
  return { field: term.slice(0, operator.index), operator: operator[0] === '!=' ? '!=' : '=', value };
}

function unescaped(text: string): string {
  if (!/[\\,=]/.test(text)) return text;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === EQUALS) {
      throw new SelectorError(`invalid field selector: unescaped character in value: ${code}`);
    }
    if (code !== BACKSLASH) continue;
    const next = text.charCodeAt(++at);
    if (next !== BACKSLASH && next !== COMMA && next !== EQUALS) {
      const [character = ''] = text.slice(at, at + 2);
      throw new SelectorError(`invalid field selector: invalid escape sequence: \\${character}`);
    }
  }
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    bytes[length++] = bytes[at]!;
  }
  return bytes.toString('utf8', 0, length);
}

function escaped(value: string): string {
  return value.replace(/[\\,=]/g, (character) => `\\${character}`);
}
