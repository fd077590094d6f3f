// What is wrong with YAML in the words of Go's library, and the line it would tell: its parser counts lines from 0, its
// scanner from 1, and both leave out the first.
import type { YAMLParseError } from 'yaml';

/** The message that the reference has for a body whose first mistake is `error`. */
export function yamlProblem(text: string, error: YAMLParseError): string {
  for (const [pattern, told] of MISTAKES) {
    if (!pattern.test(error.message)) continue;
    const place = new Place(text, error.pos[0]);
    const { words, by, row = place.row } = told(place, error.message);
    const line = by === 'parser' || row === 0 ? row : row + 1;
    return `yaml: ${line === 0 ? '' : `line ${line}: `}${words}`;
  }
  const row = new Place(text, error.pos[0]).row;
  return `yaml: line ${row + 1}: ${error.message.split(' at line')[0]}`;
}

/** The error of a text that has such characters, wherever they stand. */
export const CONTROL_CHARACTERS = 'yaml: control characters are not allowed';

export function hasControlCharacters(text: string): boolean {
  return UNREADABLE.test(text);
}

const UNREADABLE = /[^\t\n\r\u{20}-\u{7e}\u{85}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

type Told = {
  words: string;
  by: 'parser' | 'scanner';
  /** Where the library notices it, counted from 0; otherwise where it is. */
  row?: number;
};

const NO_KEY: Told = { words: 'did not find expected key', by: 'parser' };
const NO_DASH: Told = { words: "did not find expected '-' indicator", by: 'parser' };
const NO_NODE: Told = { words: 'did not find expected node content', by: 'parser' };
const NO_TOKEN = 'found character that cannot start any token';
const NO_MAPPING = 'mapping values are not allowed in this context';

/** By what the parser here says of them; the first that fits. */
const MISTAKES: readonly [RegExp, (place: Place, message: string) => Told][] = [
  [
    /^Flow (sequence|map) in block|^Flow (sequence|map) must end|^Missing , between flow|not allowed within flow/,
    unclosed,
  ],
  [/^Missing closing .quote/, scanner('found unexpected end of stream')],
  [
    /^Nested mappings are not allowed/,
    (place) => ({ words: NO_MAPPING, by: 'scanner', row: place.rowOfColon() }),
  ],
  [/cannot start on same line with directives-end/, scanner(NO_MAPPING)],
  [/^Implicit keys need to be on a single line/, keyOfLines],
  [/^Implicit map keys need to be followed/, keyWithoutValue],
  [/^All mapping items must start at the same column|^A block sequence may not be used/, () => NO_KEY],
  [/^All sequence items must start at the same column/, () => NO_DASH],
  [
    /^Unexpected scalar at node end/,
    (place) => (place.lineBefore().trimStart().startsWith('- ') ? NO_DASH : NO_KEY),
  ],
  [/^Unexpected flow-(seq|map)-end token/, () => NO_NODE],
  [
    /^Unexpected block-seq-ind on same line/,
    scanner('block sequence entries are not allowed in this context'),
  ],
  [/^Tabs are not allowed/, tab],
  [/^Plain value cannot start with/, scanner(NO_TOKEN)],
  [/^Block scalar header includes/, scanner('did not find expected comment or line break')],
  [/^Invalid escape sequence \\[xuU]/, scanner('did not find expected hexdecimal number')],
  [/^Invalid escape sequence/, scanner('found unknown escape character')],
  [/^Verbatim tags must end/, scanner("did not find the expected '>'")],
  [/^The !! tag has no suffix/, scanner('did not find expected tag URI')],
  [/^(Alias|Anchor) cannot be an empty/, scanner('did not find expected alphabetic or numeric character')],
];

function scanner(words: string): () => Told {
  return () => ({ words, by: 'scanner' });
}

function unclosed(place: Place, message: string): Told {
  const isMap = / map /.test(message) || (!/ sequence /.test(message) && place.isWithinBraces());
  return { words: `did not find expected ',' or '${isMap ? '}' : ']'}'`, by: 'parser' };
}

/** Where an entry of the same mapping or sequence stands before it, it had to be a key. */
function keyOfLines(place: Place): Told {
  if (place.startsWithDash()) return NO_KEY;
  if (place.hasSibling()) return keyWithoutValue(place);
  return { words: NO_MAPPING, by: 'scanner', row: place.rowOfColon() };
}

/** Noticed at what comes next. */
function keyWithoutValue(place: Place): Told {
  return { words: "could not find expected ':'", by: 'scanner', row: place.row + 1 };
}

/** Within a plain scalar of several lines it is noticed as what it is. */
function tab(place: Place): Told {
  const before = place.lineBefore().trimEnd();
  const words = /(^|[:\-|>,[{])$/.test(before) ? NO_TOKEN : 'found a tab character that violates indentation';
  return { words, by: 'scanner' };
}

class Place {
  readonly #text: string;
  readonly #at: number;
  /** Counted from 0. Go's library begins a line at the end of a text that doesn't end one. */
  readonly row: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
    const isCutOff = at >= text.length && text.length > 0 && !text.endsWith('\n');
    this.row = rowOf(text, at) + (isCutOff ? 1 : 0);
  }

  /** Of the first colon from here on that a value follows. */
  rowOfColon(): number {
    const found = this.#text.slice(this.#at).search(/:(\s|$)/);
    return rowOf(this.#text, this.#at + Math.max(found, 0));
  }

  startsWithDash(): boolean {
    return this.#text.startsWith('- ', this.#at);
  }

  /** The last line with anything on it before this one. */
  lineBefore(): string {
    const start = this.#text.lastIndexOf('\n', this.#at - 1);
    return (start < 0 ? '' : this.#text.slice(0, start)).trimEnd().split('\n').at(-1)!;
  }

  /** Whether the line before begins at this column. */
  hasSibling(): boolean {
    const column = this.#at - (this.#text.lastIndexOf('\n', this.#at - 1) + 1);
    const before = this.lineBefore();
    return before !== '' && !before.startsWith('---') && before.search(/\S/) === column;
  }

  isWithinBraces(): boolean {
    const before = this.#text.slice(0, this.#at);
    return before.lastIndexOf('{') > before.lastIndexOf('[');
  }
}

function rowOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length - 1;
}
