// Field selectors: `metadata.name=a,status.phase!=Running`, read by the reference's grammar and refused in its words.
import { compareUtf8 } from '@sluice/encoding';
import { SelectorError } from './label.ts';

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

export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text)
    .sort(compareUtf8)
    .filter((part) => part !== '')
    .map((part) => parseTerm(part, text));
  return fieldSelector(terms);
}

/** `=` with nothing on either side says nothing. */
export function fieldSelector(all: readonly FieldTerm[]): FieldSelector {
  const terms = all.filter(({ field, value }) => field !== '' || value !== '');
  return {
    terms,
    empty: terms.length === 0,
    text: terms.map(({ field, operator, value }) => field + operator + escaped(value)).join(','),
    matches: (get) =>
      terms.every(({ field, operator, value }) => (get(field) === value) === (operator === '=')),
    exact: (field) => terms.find((term) => term.field === field && term.operator === '=')?.value,
  };
}

/** At commas without a backslash before them. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...terms, text.slice(start)];
}

function parseTerm(term: string, whole: string): FieldTerm {
  const operator = /!=|==|=/.exec(term);
  if (operator === null) throw new SelectorError(`invalid selector: '${whole}'; can't understand '${term}'`);
  const value = unescaped(term.slice(operator.index + operator[0].length));
  return { field: term.slice(0, operator.index), operator: operator[0] === '!=' ? '!=' : '=', value };
}

function unescaped(text: string): string {
  let value = '';
  const characters = [...text];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === ',' || character === '=') {
      throw new SelectorError(
        `invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`,
      );
    }
    if (character !== '\\') {
      value += character;
      continue;
    }
    const next = characters[++at] ?? '';
    if (next === '' || !'\\,='.includes(next)) {
      throw new SelectorError(`invalid field selector: invalid escape sequence: \\${next}`);
    }
    value += next;
  }
  return value;
}

function escaped(value: string): string {
  return value.replace(/[\\,=]/g, (character) => `\\${character}`);
}
