// YAML bodies as trees: the first document, its plain scalars read as the Go library reads them (YAML 1.1, and a little more).
import { setImmediate as nextTurn } from 'node:timers/promises';
import { JsonNumber, type JsonObject, type JsonValue, printFloat } from '@sluice/encoding';
import { goQuote } from '@sluice/resources';
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { CONTROL_CHARACTERS, hasControlCharacters, yamlProblem } from './yaml-problem.ts';

/** So much is scanned before others get their turn. */
const SLICE_CHARACTERS = 16 * 1024;
/** Anchors repeated by aliases, all values counted: a page of text could stand for gigabytes. */
const ALIASED_LIMIT_VALUES = 100_000;
/** Characters of the texts among them. */
const ALIASED_LIMIT_CHARACTERS = 16 * 1024 * 1024;
/**
 * Collections within collections, aliases followed. Whoever reads YAML recurses, and running out of stack can't be relied on to
 * be an exception: V8 aborts the process when it has to compile an expression there. The stack bears three times this.
 */
const DEPTH_LIMIT = 250;

export class YamlError extends Error {
  override readonly name = 'YamlError';
}

/** `duplicates` is the error that a repeated key is when it matters, '' if there is none. */
export type YamlDocument = { value: JsonValue; duplicates: string };

/** @throws YamlError in the words of Go's library where they are the same mistakes. */
export async function readYaml(text: string): Promise<YamlDocument> {
  if (hasControlCharacters(text)) throw new YamlError(CONTROL_CHARACTERS);
  const lines = new LineCounter();
  const document = await firstDocument(text, lines);
  const [problem] = document?.errors ?? [];
  if (problem !== undefined) throw new YamlError(yamlProblem(text, problem));
  if (!document) return { value: null, duplicates: '' };
  const reader = new Reader(lines);
  const value = reader.value(document.contents);
  const duplicates = reader.duplicates.map((duplicate) => `\n  ${duplicate}`).join('');
  return { value, duplicates: duplicates && `yaml: unmarshal errors:${duplicates}` };
}

async function firstDocument(text: string, lines: LineCounter): Promise<Document.Parsed | undefined> {
  const parser = new Parser(lines.addNewLine);
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false });
  lines.addNewLine(0);
  let scanned = 0;
  // The text is given whole: the scanner miscounts indentation where a slice of text ends in it.
  for (const lexeme of new Lexer().lex(text)) {
    for (const document of compose(composer, parser.next(lexeme))) return document;
    scanned += lexeme.length;
    if (scanned < SLICE_CHARACTERS) continue;
    scanned = 0;
    await nextTurn();
  }
  for (const document of compose(composer, parser.end())) return document;
  for (const document of composer.end()) return document;
  return undefined;
}

function* compose(composer: Composer, tokens: Iterable<CST.Token>): Generator<Document.Parsed, void> {
  for (const token of tokens) {
    if (token.type === 'document') checkDepth(token);
    yield* composer.next(token);
  }
}

/** Without recursion, before anybody recurses. */
function checkDepth(document: CST.Document): void {
  let level: (CST.Token | null | undefined)[] = [document.value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_LIMIT) throw tooDeep();
    level = level.flatMap((token) =>
      token && 'items' in token ? token.items.flatMap(({ key, value }) => [key, value]) : [],
    );
  }
}

function tooDeep(): YamlError {
  return new YamlError(`yaml: exceeded max depth of ${DEPTH_LIMIT}`);
}

class Reader {
  readonly duplicates: string[] = [];
  readonly #lines: LineCounter;
  /** The newest node of each anchor. Asking the document for it walks all of the document. */
  readonly #anchors = new Map<string, unknown>();
  readonly #open = new Set<unknown>();
  #aliased = 0;
  #aliasedCharacters = 0;
  #depth = 0;

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  value(node: unknown): JsonValue {
    if (++this.#depth > DEPTH_LIMIT + 1) throw tooDeep();
    const value = this.#value(node);
    this.#depth--;
    return value;
  }

  #value(node: unknown): JsonValue {
    if (isAlias(node)) return this.#alias(node.source, this.#anchors.get(node.source));
    if (this.#open.size > 0) this.#countAliased(node);
    else if (isNode(node) && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isMap(node)) return this.#map(node);
    if (isSeq(node)) return node.items.map((item) => this.value(item));
    return isScalar(node) ? scalarValue(node) : null;
  }

  #countAliased(node: unknown): void {
    this.#aliased++;
    if (isScalar(node)) this.#aliasedCharacters += node.source?.length ?? 0;
    if (this.#aliased > ALIASED_LIMIT_VALUES || this.#aliasedCharacters > ALIASED_LIMIT_CHARACTERS) {
      throw new YamlError('yaml: document contains excessive aliasing');
    }
  }

  #alias(name: string, target: unknown): JsonValue {
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${name}' referenced`);
    if (this.#open.has(target)) throw new YamlError(`yaml: anchor '${name}' value contains itself`);
    this.#open.add(target);
    const value = this.value(target);
    this.#open.delete(target);
    return value;
  }

  /** The last of equal keys wins; what `<<` brings in gives way to all that is written out. */
  #map(node: YAMLMap): JsonObject {
    const merged: JsonObject = new Map();
    const object: JsonObject = new Map();
    for (const { key, value } of node.items) {
      if (isScalar(key) && key.source === '<<' && key.type === 'PLAIN') {
        const sources = this.value(value);
        for (const source of Array.isArray(sources) ? sources : [sources]) {
          if (!(source instanceof Map))
            throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
          for (const [name, member] of source) if (!merged.has(name)) merged.set(name, member);
        }
        continue;
      }
      const name = keyText(this.value(key));
      if (object.has(name)) this.#duplicate(key, name);
      object.set(name, this.value(value));
    }
    for (const [name, member] of merged) if (!object.has(name)) object.set(name, member);
    return object;
  }

  #duplicate(key: unknown, name: string): void {
    const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
    this.duplicates.push(`line ${this.#lines.linePos(offset).line}: key ${goQuote(name)} already set in map`);
  }
}

/** Keys of any scalar type are texts in JSON. */
function keyText(key: JsonValue): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'boolean') return String(key);
  if (key instanceof JsonNumber) return key.text;
  throw new YamlError('unsupported map key');
}

const TAGS = /^tag:yaml\.org,2002:(null|bool|int|float)$/;

/** Only plain scalars, and those with a tag that says so, are anything but text. */
function scalarValue(node: Scalar): JsonValue {
  const text = node.source ?? String(node.value ?? '');
  if (node.tag === undefined ? node.type === 'PLAIN' : TAGS.test(node.tag)) return plainValue(text);
  return typeof node.value === 'string' ? node.value : text;
}

const WORDS_OF_PLAIN: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    (word) => [word, true] as const,
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    (word) => [word, false] as const,
  ),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
]);
const INTEGER = /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const NO_NUMBER = /^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/;

export function plainValue(text: string): JsonValue {
  const word = WORDS_OF_PLAIN.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.0-9]/.test(text)) return text;
  if (NO_NUMBER.test(text)) throw new YamlError(`json: unsupported value: ${text}`);
  const plain = text.replaceAll('_', '');
  const integer = INTEGER.exec(plain);
  if (integer) return integerValue(integer[1]!, integer[2]!);
  if (!FLOAT.test(plain) || !Number.isFinite(Number(plain))) return text;
  return new JsonNumber(printFloat(Number(plain)));
}

/** Beyond 64 bits it is a float. */
function integerValue(sign: string, digits: string): JsonValue {
  const octal = /^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits;
  const magnitude = BigInt(octal);
  const value = sign === '-' ? -magnitude : magnitude;
  if (value >= -(2n ** 63n) && value < 2n ** 64n) return new JsonNumber(String(value));
  return new JsonNumber(printFloat(Number(value)));
}
