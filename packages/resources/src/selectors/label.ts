// Label selectors: `a,!b,c=1,d in (x,y),n>5`, read by the reference's grammar and refused in its words.
import { compareUtf8 } from '@sluice/encoding';
import { goQuote } from '../go-quote.ts';
import { labelKeyProblems, labelValueProblems } from '../names.ts';

export type LabelOperator = 'exists' | '!' | '=' | '==' | '!=' | 'in' | 'notin' | 'gt' | 'lt';

/** `values` are sorted and each once. */
export type LabelRequirement = { key: string; operator: LabelOperator; values: readonly string[] };

export interface LabelSelector {
  /** By key; all of them must hold. */
  readonly requirements: readonly LabelRequirement[];
  /** Matches everything. */
  readonly empty: boolean;
  /** The canonical spelling. */
  readonly text: string;
  matches(labels: ReadonlyMap<string, string>): boolean;
}

/** A selector that can't be read; the message is the reference's. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

export function parseLabelSelector(text: string): LabelSelector {
  const requirements = new Parser(tokensOf(text)).selector();
  requirements.sort((a, b) => compareUtf8(a.key, b.key));
  return {
    requirements,
    empty: requirements.length === 0,
    text: requirements.map(spelled).join(','),
    matches: (labels) => requirements.every((requirement) => holds(requirement, labels.get(requirement.key))),
  };
}

/** Whether a requirement holds for the label's value; undefined: the object lacks the label. */
export function holds(requirement: LabelRequirement, value: string | undefined): boolean {
  switch (requirement.operator) {
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case '=':
    case '==':
    case 'in':
      return value !== undefined && requirement.values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !requirement.values.includes(value);
    case 'gt':
      return comparesTo(value, requirement, (label, bound) => label > bound);
    case 'lt':
      return comparesTo(value, requirement, (label, bound) => label < bound);
  }
}

function comparesTo(
  value: string | undefined,
  requirement: LabelRequirement,
  compare: (label: bigint, bound: bigint) => boolean,
): boolean {
  const label = value === undefined ? undefined : int64(value);
  const bound = int64(requirement.values[0] ?? '');
  return label !== undefined && bound !== undefined && compare(label, bound);
}

const INT64_MAX = 2n ** 63n - 1n;

function int64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = text.startsWith('+') ? BigInt(text.slice(1)) : BigInt(text);
  return value <= INT64_MAX && value >= -INT64_MAX - 1n ? value : undefined;
}

function spelled({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`;
    default:
      return `${key}${operator === 'gt' ? '>' : operator === 'lt' ? '<' : operator}${values.join(',')}`;
  }
}

type Token = {
  type: 'identifier' | 'end' | ')' | ',' | '!' | '==' | '=' | '>' | 'in' | '<' | '!=' | 'notin' | '(';
  text: string;
};

const SYMBOLS = ['==', '!=', '=', '!', '(', ')', ',', '>', '<'] as const;
const SPACE = /[ \t\r\n]/;
const ENDS_WORD = /[=!(),><\0 \t\r\n]/;

/** Always ends with an `end` token. A NUL ends the text, as in the reference. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length && text[at] !== '\0') {
    if (SPACE.test(text[at] ?? '')) {
      at++;
      continue;
    }
    const symbol = SYMBOLS.find((candidate) => text.startsWith(candidate, at));
    if (symbol !== undefined) {
      tokens.push({ type: symbol, text: symbol });
      at += symbol.length;
      continue;
    }
    let end = at;
    while (end < text.length && !ENDS_WORD.test(text[end] ?? '')) end++;
    const word = text.slice(at, end);
    tokens.push({ type: word === 'in' || word === 'notin' ? word : 'identifier', text: word });
    at = end + (text[end] === '\0' ? 1 : 0);
  }
  tokens.push({ type: 'end', text: '' });
  return tokens;
}

const BINARY_OPERATORS: Partial<Record<Token['type'], LabelOperator>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

/** Recursive descent over the tokens, one method a rule of the grammar. */
class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  selector(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const { type, text } = this.#peek();
      if (type === 'end') return requirements;
      if (type !== 'identifier' && type !== '!') {
        throw new SelectorError(`found '${text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirement());
      const after = this.#take();
      if (after.type === 'end') return requirements;
      if (after.type !== ',')
        throw new SelectorError(`found '${after.text}', expected: ',' or 'end of string'`);
      const next = this.#peek();
      if (next.type !== 'identifier' && next.type !== '!') {
        throw new SelectorError(`found '${next.text}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): LabelRequirement {
    const absent = this.#peek().type === '!';
    if (absent) this.#take();
    const key = this.#identifier();
    const problems = labelKeyProblems(key);
    if (problems.length > 0) throw refused(`<nil>: Invalid value: ${goQuote(key)}: ${problems.join('; ')}`);
    if (absent) return { key, operator: '!', values: [] };
    const next = this.#peek().type;
    if (next === 'end' || next === ',') return { key, operator: 'exists', values: [] };
    const operator = this.#operator();
    const isSet = operator === 'in' || operator === 'notin';
    return checked({ key, operator, values: isSet ? this.#set() : [this.#value()] });
  }

  #operator(): LabelOperator {
    const { type, text } = this.#takeRaw();
    const operator = BINARY_OPERATORS[type];
    if (operator === undefined) throw refused(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
    return operator;
  }

  /** `a=` and `a=,b` compare with the empty value. */
  #value(): string {
    const { type } = this.#peek();
    return type === 'end' || type === ',' ? '' : this.#identifier();
  }

  #identifier(): string {
    const { type, text } = this.#take();
    if (type !== 'identifier') throw refused(`found '${text}', expected: identifier`);
    return text;
  }

  #set(): string[] {
    const open = this.#take();
    if (open.type !== '(') throw refused(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.type === ')') {
      this.#take();
      return [''];
    }
    if (first.type !== 'identifier' && first.type !== ',') {
      throw refused(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = this.#setMembers();
    this.#take();
    return [...values].sort(compareUtf8);
  }

  /** Up to the closing parenthesis. A comma at an end or before another one stands for an empty value. */
  #setMembers(): Set<string> {
    const values = new Set<string>();
    for (;;) {
      const { type, text } = this.#take();
      if (type === 'identifier') {
        values.add(text);
        const next = this.#peek();
        if (next.type === ')') return values;
        if (next.type !== ',') throw refused(`found '${next.text}', expected: ',' or ')'`);
      } else if (type === ',') {
        if (values.size === 0) values.add('');
        const next = this.#peek().type;
        if (next === ')' || next === ',') values.add('');
        if (next === ')') return values;
      } else {
        throw refused(`found '${text}', expected: ',', or identifier`);
      }
    }
  }

  /** Keywords are ordinary names everywhere but in an operator's place. */
  #peek(): Token {
    const token = this.#tokens[this.#position] ?? { type: 'end', text: '' };
    return token.type === 'in' || token.type === 'notin' ? { type: 'identifier', text: token.text } : token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#position++;
    return token;
  }

  #takeRaw(): Token {
    return this.#tokens[this.#position++] ?? { type: 'end', text: '' };
  }
}

/** All that is wrong with the values, one or `[a, b]`. */
function checked(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  const errors = new Set<string>();
  for (const [index, value] of values.entries()) {
    if ((operator === 'gt' || operator === 'lt') && int64(value) === undefined) {
      errors.add(
        `values[${index}]: Invalid value: ${goQuote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
  }
  for (const [index, value] of values.entries()) {
    const problems = labelValueProblems(value);
    if (problems.length > 0) {
      errors.add(`values[${index}][${key}]: Invalid value: ${goQuote(value)}: ${problems.join('; ')}`);
    }
  }
  if (errors.size > 0) {
    const texts = [...errors];
    throw refused(texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`);
  }
  return requirement;
}

function refused(problem: string): SelectorError {
  return new SelectorError(`unable to parse requirement: ${problem}`);
}
