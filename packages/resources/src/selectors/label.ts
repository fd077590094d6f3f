// Label selectors: `a,!b,c=1,d in (x,y),n>5`, read by the reference's grammar and refused in its words.
import { compareUtf8 } from '@sluice/encoding';
import { goQuote } from '../go-quote.ts';
import { labelKeyProblems, labelValueProblems } from '../names.ts';
import { int64, labelTestSteps } from './label-test.ts';
import { type Token, Tokens } from './label-tokens.ts';
import { finish, type Steps, sortSteps } from './steps.ts';

export type LabelOperator = 'exists' | '!' | '=' | '==' | '!=' | 'in' | 'notin' | 'gt' | 'lt';

export type LabelRequirement = { key: string; operator: LabelOperator; values: ReadonlySet<string> };

export interface LabelSelector {
  /** As read; all of them must hold. */
  readonly requirements: readonly LabelRequirement[];
  /** Matches everything. */
  readonly empty: boolean;
  /** The canonical spelling: by key, values sorted. */
  readonly text: string;
  matches(labels: ReadonlyMap<string, string>): boolean;
}

/** A selector that can't be read; the message is the reference's. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

/** @throws SelectorError */
export function parseLabelSelector(text: string): LabelSelector {
  return finish(labelSelectorSteps(text));
}

/** @throws SelectorError at any step. */
export function* labelSelectorSteps(text: string): Steps<LabelSelector> {
  const requirements = yield* new Parser(new Tokens(text)).selector();
  const matches = yield* labelTestSteps(requirements);
  return {
    requirements,
    empty: requirements.length === 0,
    get text() {
      return [...requirements]
        .sort((a, b) => compareUtf8(a.key, b.key))
        .map(spelled)
        .join(',');
    },
    matches,
  };
}

function spelled({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${sorted(values).join(',')})`;
    default:
      return `${key}${operator === 'gt' ? '>' : operator === 'lt' ? '<' : operator}${sorted(values).join(',')}`;
  }
}

function sorted(values: ReadonlySet<string>): string[] {
  return [...values].sort(compareUtf8);
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
  readonly #tokens: Tokens;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  *selector(): Steps<LabelRequirement[]> {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const { type, text } = this.#peek();
      if (type === 'end') return requirements;
      if (type !== 'identifier' && type !== '!') {
        throw new SelectorError(`found '${text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(yield* this.#requirement());
      yield;
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

  *#requirement(): Steps<LabelRequirement> {
    const absent = this.#peek().type === '!';
    if (absent) this.#take();
    const key = this.#identifier();
    const problems = labelKeyProblems(key);
    if (problems.length > 0) throw refused(`<nil>: Invalid value: ${goQuote(key)}: ${problems.join('; ')}`);
    if (absent) return { key, operator: '!', values: NO_VALUES };
    const next = this.#peek().type;
    if (next === 'end' || next === ',') return { key, operator: 'exists', values: NO_VALUES };
    const operator = this.#operator();
    const isSet = operator === 'in' || operator === 'notin';
    const values = isSet ? yield* this.#set() : new Set([this.#value()]);
    return yield* checked({ key, operator, values });
  }

  #operator(): LabelOperator {
    const { type, text } = this.#tokens.take();
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

  *#set(): Steps<Set<string>> {
    const open = this.#take();
    if (open.type !== '(') throw refused(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.type === ')') {
      this.#take();
      return new Set(['']);
    }
    if (first.type !== 'identifier' && first.type !== ',') {
      throw refused(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = yield* this.#setMembers();
    this.#take();
    return values;
  }

  /** Up to the closing parenthesis. A comma at an end or before another one stands for an empty value. */
  *#setMembers(): Steps<Set<string>> {
    const values = new Set<string>();
    for (;;) {
      yield;
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
    return asName(this.#tokens.peek());
  }

  #take(): Token {
    return asName(this.#tokens.take());
  }
}

function asName(token: Token): Token {
  return token.type === 'in' || token.type === 'notin' ? { type: 'identifier', text: token.text } : token;
}

const NO_VALUES: ReadonlySet<string> = new Set();

function* checked(requirement: LabelRequirement): Steps<LabelRequirement> {
  const isNumber = requirement.operator === 'gt' || requirement.operator === 'lt';
  for (const value of requirement.values) {
    if (labelValueProblems(value).length > 0 || (isNumber && int64(value) === undefined)) {
      throw refused(yield* valueProblems(requirement));
    }
    yield;
  }
  return requirement;
}

/** So many are told. The reference tells them all, in fifty times the selector's length. */
const TOLD_PROBLEMS_MAX = 1000;

/** What is wrong with the values, one or `[a, b]`; each is told once. */
function* valueProblems({ key, operator, values }: LabelRequirement): Steps<string> {
  const errors = new Set<string>();
  const inOrder = yield* sortSteps([...values], compareUtf8);
  if (operator === 'gt' || operator === 'lt') {
    for (const [index, value] of inOrder.entries()) {
      if (int64(value) !== undefined) continue;
      errors.add(
        `values[${index}]: Invalid value: ${goQuote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
  }
  for (const [index, value] of inOrder.entries()) {
    const problems = labelValueProblems(value);
    if (problems.length > 0) {
      errors.add(`values[${index}][${key}]: Invalid value: ${goQuote(value)}: ${problems.join('; ')}`);
    }
    if (errors.size === TOLD_PROBLEMS_MAX) break;
    yield;
  }
  const texts = [...errors];
  return texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`;
}

function refused(problem: string): SelectorError {
  return new SelectorError(`unable to parse requirement: ${problem}`);
}
