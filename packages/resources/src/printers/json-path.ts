// The JSONPath of a CustomResourceDefinition's columns, in the dialect kubectl has: text to steps.

/** One step from values to values. */
export type Step =
  | { type: 'field'; name: string }
  | { type: 'wildcard' }
  | { type: 'recursive' }
  | { type: 'slice'; start: number; end: number | undefined; step: number | undefined; single: boolean }
  | { type: 'union'; paths: readonly (readonly Step[])[] }
  | { type: 'filter'; left: readonly Step[]; operator: string; right: readonly Step[] }
  | { type: 'literal'; value: string | Whole | Float | boolean }
  | { type: 'word' };

/** Numbers keep their Go type: an int and a float don't compare. */
export type Whole = { whole: bigint };
export type Float = { float: number };

/** What a path can't be read as. A definition with such a column shows the columns before it. */
export class JsonPathError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JsonPathError';
  }
}

/** `.spec.ports[0].name`: the steps of its first action; what follows a `}` shows nowhere. */
export function parseJsonPath(path: string): readonly Step[] {
  const parser = new Parser(`${path}}`);
  const steps = parser.action();
  parser.rest();
  return steps;
}

const QUOTED_KEY = /^'([^']*)'$/;
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.+?)$/s;
const ENDS_NAME = /[\s.,[\]$@{}]/;
const STARTS_WORD = /[\p{L}\p{Nd}_]/u;

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Up to and with the closing brace. */
  action(): Step[] {
    const steps: Step[] = [];
    for (;;) {
      const character = this.#text[this.#at];
      if (character === '}') {
        this.#at++;
        return steps;
      }
      if (character === undefined || character === '\n') throw new JsonPathError('unclosed action');
      this.#step(character, steps);
    }
  }

  /** Text and further actions: read for their errors. */
  rest(): void {
    for (let open = this.#open(); open >= 0; open = this.#open()) {
      this.#at = open + 1;
      this.action();
    }
  }

  #open(): number {
    return this.#text.indexOf('{', this.#at);
  }

  #step(character: string, steps: Step[]): void {
    if (this.#text.startsWith('[?(', this.#at)) steps.push(this.#filter());
    else if (this.#text.startsWith('..', this.#at)) this.#recursive(steps);
    else if (character === ' ' || character === '@' || character === '$') this.#at++;
    else if (character === '[') steps.push(...this.#array());
    else if (character === '"' || character === "'") steps.push(this.#quoted(character));
    else if (character === '.') steps.push(this.#field(this.#at + 1));
    else if (/[-+0-9]/.test(character)) steps.push(this.#number());
    else if (STARTS_WORD.test(character)) steps.push(this.#word());
    else throw new JsonPathError(`unrecognized character in action: ${character}`);
  }

  #recursive(steps: Step[]): void {
    if (steps.at(-1)?.type === 'recursive') throw new JsonPathError('invalid multiple recursive descent');
    this.#at += 2;
    steps.push({ type: 'recursive' });
    if (STARTS_WORD.test(this.#text[this.#at] ?? '')) steps.push(this.#field(this.#at));
  }

  #field(start: number): Step {
    let at = start;
    for (; at < this.#text.length && !ENDS_NAME.test(this.#text[at]!); at++) {
      if (this.#text[at] === '\\') at++;
    }
    this.#at = at;
    const name = this.#text.slice(start, at);
    return name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') };
  }

  #array(): readonly Step[] {
    const close = this.#text.indexOf(']', this.#at);
    const inner = this.#text.slice(this.#at + 1, close);
    if (close < 0 || inner.includes('\n')) throw new JsonPathError('unterminated array');
    this.#at = close + 1;
    const parts = inner.split(',');
    if (parts.length > 1) {
      return [{ type: 'union', paths: parts.map((part) => actionOf(`[${part.replace(/^ +| +$/g, '')}]`)) }];
    }
    const key = QUOTED_KEY.exec(inner);
    return key === null ? [sliceOf(inner === '*' ? ':' : inner)] : actionOf(`.${key[1]}`);
  }

  #filter(): Step {
    const start = this.#at + 3;
    const end = this.#filterEnd(start);
    const text = this.#text.slice(start, end);
    this.#at = end + 2;
    const comparison = COMPARISON.exec(text);
    if (comparison === null) return { type: 'filter', left: actionOf(text), operator: 'exists', right: [] };
    const [, left = '', operator = '', right = ''] = comparison;
    return { type: 'filter', left: actionOf(left), operator, right: actionOf(right) };
  }

  /** The parenthesis that closes a filter: the first one outside of its one pair of quotes. */
  #filterEnd(start: number): number {
    let pair = '';
    let closed = false;
    for (let at = start; ; at++) {
      const character = this.#text[at];
      if (character === undefined || character === '\n') throw new JsonPathError('unterminated filter');
      if (character === '"' || character === "'") {
        if (pair === '') pair = character;
        else if (character === pair && this.#text[at - 1] !== '\\') closed = true;
      } else if (character === ')' && (pair !== '') === closed) {
        if (this.#text[at + 1] !== ']') throw new JsonPathError('unclosed array expect ]');
        return at;
      }
    }
  }

  #quoted(mark: string): Step {
    const start = this.#at + 1;
    let at = start;
    for (; this.#text[at] !== mark; at++) {
      if (this.#text[at] === '\\') at++;
      const character = this.#text[at];
      if (character === undefined || character === '\n')
        throw new JsonPathError('unterminated quoted string');
    }
    this.#at = at + 1;
    return { type: 'literal', value: unescaped(this.#text.slice(start, at), mark) };
  }

  #number(): Step {
    const text = /^[-+]?[.\p{Nd}]*/u.exec(this.#text.slice(this.#at))![0];
    this.#at += text.length;
    if (/^[-+]?\d+$/.test(text)) return { type: 'literal', value: { whole: BigInt(text.replace('+', '')) } };
    const float = /\d/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(float)) throw new JsonPathError(`cannot parse number ${text}`);
    return { type: 'literal', value: { float } };
  }

  #word(): Step {
    let end = this.#at;
    while (end < this.#text.length && !ENDS_NAME.test(this.#text[end]!)) end++;
    const word = this.#text.slice(this.#at, end);
    this.#at = end;
    if (word === 'true' || word === 'false') return { type: 'literal', value: word === 'true' };
    return { type: 'word' };
  }
}

function actionOf(text: string): Step[] {
  return new Parser(`${text}}`).action();
}

function sliceOf(text: string): Step {
  const found = SLICE.exec(text);
  if (found === null) throw new JsonPathError(`invalid array index ${text}`);
  const [, start = '', end, step] = found;
  return {
    type: 'slice',
    start: numberOf(start) ?? 0,
    end: numberOf(end?.slice(1)),
    step: numberOf(step?.slice(1)),
    single: end === undefined,
  };
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (text === '-') throw new JsonPathError(`array index ${text} is not a number`);
  return Number(text);
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** Go's escapes; a quote may be escaped where it is the one around the text. */
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.)|$)/gs;
const LAST_CODE_POINT = 0x10ffff;

function unescaped(text: string, mark: string): string {
  return text.replace(ESCAPE, (whole, x, u, long, octal, simple) => {
    const plain = simple === mark ? mark : ESCAPES[simple];
    if (plain !== undefined) return plain;
    const code = octal === undefined ? Number.parseInt(x ?? u ?? long, 16) : Number.parseInt(octal, 8);
    if (!(code <= LAST_CODE_POINT)) throw new JsonPathError(`invalid escape ${whole}`);
    return String.fromCodePoint(code);
  });
}
