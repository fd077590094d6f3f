// One run of a typed decoder: where it is, what it found odd, and how Go would put that into words.
import type { JsonPath, JsonReader } from '@sluice/encoding';
import { goQuote } from '../go-quote.ts';
import { DecodeError, type FoundKind } from '../kind.ts';
import type { Field } from './field-table.ts';

/** The reference stops collecting here. */
const STRICT_ERRORS = 100;

/** So much is put together of paths, those of errors already known included: a key can be as long as a body. */
const PATH_CHARACTERS = 1 << 20;

/** Structs within structs. Only JSONSchemaProps can nest without end; the stack bears more than twice this. */
const STRUCT_DEPTH_LIMIT = 600;

/** A field of a struct, a place in a slice, or a key of a map. */
export type Step = Field | number | string;

export class Session {
  readonly reader: JsonReader;
  readonly path: Step[] = [];
  readonly strictErrors: string[] = [];
  /** The unknown fields among the strict errors, unquoted. */
  readonly unknownPaths: string[] = [];
  readonly #found: FoundKind | undefined;
  #structs = 0;
  #pathCharacters = 0;
  /** Within an own JSON form Go starts a decoder of its own, which isn't strict. */
  #lenient = 0;
  /** Go goes on after a wrong type, and reports the first at the end. */
  #wrongType: string | undefined;
  /** What the reference finds only when it converts what it decoded. */
  #wrongLater: string | undefined;

  /** @param found goes into the errors. */
  constructor(reader: JsonReader, found?: FoundKind) {
    this.reader = reader;
    this.#found = found;
  }

  /** @throws DecodeError for the first wrong type, if there was one. */
  finish(): void {
    const error = this.#wrongType ?? this.#wrongLater;
    if (error !== undefined) throw new DecodeError(error, this.#found);
  }

  /** Stops here: what own JSON forms (times, quantities, …) refuse is final. */
  fail(message: string): never {
    throw new DecodeError(message, this.#found);
  }

  unknown(key: string): void {
    const path = this.#odd('unknown', [key]);
    if (path !== undefined) this.unknownPaths.push(path);
  }

  /** @param path from where the decoder is. @returns whether more duplicates are of interest. */
  duplicate(path: JsonPath): boolean {
    this.#odd('duplicate', path);
    return this.#collects();
  }

  /** Keeps `message` unless an earlier one was kept. */
  keep(message: string): void {
    this.#wrongType ??= message;
  }

  keepMismatch(value: string, goType: string): void {
    this.#wrongType ??= this.mismatch(value, goType);
  }

  keepForLater(message: string): void {
    this.#wrongLater ??= message;
  }

  /** `json: cannot unmarshal number into Go struct field Container.spec.containers.name of type string` */
  mismatch(value: string, goType: string): string {
    const fields = this.path.filter((step) => typeof step === 'object');
    const owner = fields.at(-1)?.owner;
    const where =
      owner === undefined
        ? 'Go value'
        : `Go struct field ${owner}.${fields.map((field) => field.errorName).join('.')}`;
    return `json: cannot unmarshal ${value} into ${where} of type ${goType}`;
  }

  /** Walks over a value of the wrong type. True if it is null, which is never wrong. */
  skipMismatch(goType: string): boolean {
    const value = this.valueName();
    if (value === 'null') {
      this.reader.skip();
      return true;
    }
    this.keepMismatch(value, goType);
    this.reader.skip();
    return false;
  }

  /** What Go's errors call the value that comes next. */
  valueName(): string {
    return VALUE_NAMES.get(this.reader.peek()) ?? 'number';
  }

  /** Runs what Go gives to a decoder of its own: nothing in there is strict, and its first error is final. */
  inOwnDecoder<Value>(run: () => Value): Value {
    const outer = this.#wrongType;
    this.#wrongType = undefined;
    this.#lenient++;
    const value = run();
    if (this.#wrongType !== undefined) this.fail(this.#wrongType);
    this.#lenient--;
    this.#wrongType = outer;
    return value;
  }

  enterStruct(): void {
    if (++this.#structs > STRUCT_DEPTH_LIMIT) this.fail('json: structs nest too deep');
  }

  leaveStruct(): void {
    this.#structs--;
  }

  #collects(): boolean {
    const { length } = this.strictErrors;
    return this.#lenient === 0 && length < STRICT_ERRORS && this.#pathCharacters < PATH_CHARACTERS;
  }

  #odd(what: 'unknown' | 'duplicate', path: JsonPath): string | undefined {
    if (!this.#collects()) return undefined;
    const fullPath = pathText([...this.path, ...path]);
    this.#pathCharacters += fullPath.length;
    const text = `${what} field ${goQuote(fullPath)}`;
    if (this.strictErrors.includes(text)) return undefined;
    this.strictErrors.push(text);
    return fullPath;
  }
}

/** `spec.containers[1].env[0].value` */
export function pathText(path: readonly Step[]): string {
  let text = '';
  for (const [place, step] of path.entries()) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += (place === 0 ? '' : '.') + (typeof step === 'string' ? step : step.json);
  }
  return text;
}

const VALUE_NAMES: ReadonlyMap<number, string> = new Map(
  [
    ['{', 'object'],
    ['[', 'array'],
    ['"', 'string'],
    ['t', 'bool'],
    ['f', 'bool'],
    ['n', 'null'],
  ].map(([first, name]) => [first!.charCodeAt(0), name!]),
);
