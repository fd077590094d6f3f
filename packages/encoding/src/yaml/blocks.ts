// Walks a value's nodes and writes them as nested blocks. No recursion: the open containers lie in columns.
import type { ByteWriter } from '../json/writer.ts';
import { YAML_DEPTH_LIMIT } from './errors.ts';
import { nextNode, orderKeys } from './key-order.ts';
import { Lines } from './lines.ts';
import { ARRAY, KIND_BITS, NODE_COLUMNS, Nodes, NUMBER, OBJECT, TEXT } from './nodes.ts';
import { printNumber } from './number.ts';
import { endsInBreak, NEVER_FOLD, writeText } from './scalar.ts';
import { chooseStyle, LITERAL, MULTILINE } from './style.ts';

const INDENT = 2;

/** Keys longer than this are written behind a `?`. */
const SIMPLE_KEY_BYTES = 128;

/** Longer numbers may not be 64-bit integers. */
const SURE_DIGITS = 18;

/** Room kept from one value to the next; more is given back. */
const KEPT_KEYS = 64 * 1024;

export class BlockWriter {
  readonly #nodes = new Nodes();
  readonly #lines = new Lines();
  /** The keys of the open mappings, each mapping's in order, the innermost last. */
  #keys = new Int32Array(0);
  #depth = 0;
  readonly #isMapping = new Uint8Array(YAML_DEPTH_LIMIT + 1);
  readonly #indent = new Int32Array(YAML_DEPTH_LIMIT + 1);
  /** What is next: an index of #keys in a mapping, a node in a sequence; and where that ends. */
  readonly #cursor = new Int32Array(YAML_DEPTH_LIMIT + 1);
  readonly #end = new Int32Array(YAML_DEPTH_LIMIT + 1);
  /** Where #keys of this container and those around it end. */
  readonly #keysEnd = new Int32Array(YAML_DEPTH_LIMIT + 1);

  /** @throws YamlError before anything is written */
  write(json: Uint8Array, out: ByteWriter, indent: number, asItem: boolean, enclosing: number): void {
    try {
      this.#nodes.read(json, enclosing);
      // No mapping has more keys than there are nodes, nor have all that are open at once.
      if (this.#keys.length < this.#nodes.end) this.#keys = new Int32Array(2 * this.#nodes.end);
      this.#depth = 0;
      if (asItem) this.#openItems(0, this.#nodes.end, indent);
      else this.#writeRoot(indent);
      this.#writeBlocks(out);
      this.#lines.flush(out);
    } finally {
      this.#lines.release();
      this.#nodes.release();
      if (this.#keys.length > KEPT_KEYS) this.#keys = new Int32Array(0);
    }
  }

  #writeRoot(indent: number): void {
    if (this.#isBlock(0)) {
      this.#open(0, indent);
    } else {
      this.#lines.spaces(indent);
      this.#writeFlat(0, indent + INDENT);
    }
  }

  #writeBlocks(out: ByteWriter): void {
    const { columns } = this.#nodes;
    const lines = this.#lines;
    /** A child that begins behind `- ` or `: ` on the line. */
    let inline = false;
    while (this.#depth > 0) {
      const frame = this.#depth;
      const cursor = this.#cursor[frame]!;
      if (cursor === this.#end[frame]) {
        this.#depth--;
        continue;
      }
      const indent = this.#indent[frame]!;
      if (!inline) {
        lines.flushIfFull(out);
        lines.spaces(indent);
      }
      let node = cursor;
      let isBehindKey = false;
      if (this.#isMapping[frame] === 1) {
        const key = this.#keys[cursor]!;
        this.#cursor[frame] = cursor + 1;
        isBehindKey = this.#writeKey(key, indent);
        node = key + NODE_COLUMNS;
      } else {
        this.#cursor[frame] = nextNode(columns, node);
        lines.byte(HYPHEN);
      }
      inline = false;
      if (!this.#isBlock(node)) {
        lines.byte(SPACE);
        this.#writeFlat(node, indent + INDENT);
      } else if (isBehindKey) {
        lines.newline();
        this.#open(node, (columns[node]! & KIND_BITS) === ARRAY ? indent : indent + INDENT);
      } else {
        lines.byte(SPACE);
        this.#open(node, indent + INDENT);
        inline = true;
      }
    }
  }

  /** A container with something in it. */
  #isBlock(node: number): boolean {
    const { columns } = this.#nodes;
    return (columns[node]! & KIND_BITS) >= ARRAY && columns[node + 1]! > 0;
  }

  #open(node: number, indent: number): void {
    const { columns } = this.#nodes;
    if ((columns[node]! & KIND_BITS) === ARRAY) {
      this.#openItems(node + NODE_COLUMNS, columns[node + 2]!, indent);
      return;
    }
    const from = this.#keysEnd[this.#depth]!;
    const frame = ++this.#depth;
    this.#isMapping[frame] = 1;
    this.#indent[frame] = indent;
    this.#cursor[frame] = from;
    this.#end[frame] = orderKeys(this.#nodes, node, this.#keys, from);
    this.#keysEnd[frame] = this.#end[frame]!;
  }

  #openItems(first: number, end: number, indent: number): void {
    const frame = ++this.#depth;
    this.#isMapping[frame] = 0;
    this.#keysEnd[frame] = this.#keysEnd[frame - 1]!;
    this.#indent[frame] = indent;
    this.#cursor[frame] = first;
    this.#end[frame] = end;
  }

  /** `key:`, or a line `? key` and `:` on the next. True for the first. */
  #writeKey(key: number, indent: number): boolean {
    const { text, columns } = this.#nodes;
    const lines = this.#lines;
    const start = columns[key + 1]!;
    const end = columns[key + 2]!;
    const classes = columns[key]!;
    const style = chooseStyle(text, start, end, classes);
    const isSimple = style < MULTILINE && end - start <= SIMPLE_KEY_BYTES;
    if (isSimple) {
      writeText(lines, text, start, end, classes, style, NEVER_FOLD);
    } else {
      lines.byte(QUESTION_MARK);
      lines.byte(SPACE);
      this.#writeFlat(key, indent + INDENT);
      lines.spaces(indent);
    }
    lines.byte(COLON);
    return isSimple;
  }

  /** A scalar or an empty container, and the end of its line. `indent` is that of its further lines. */
  #writeFlat(node: number, indent: number): void {
    const { text, columns } = this.#nodes;
    const lines = this.#lines;
    const classes = columns[node]!;
    const start = columns[node + 1]!;
    const end = columns[node + 2]!;
    const kind = classes & KIND_BITS;
    if (kind === TEXT) {
      const style = chooseStyle(text, start, end, classes) & ~MULTILINE;
      writeText(lines, text, start, end, classes, style, indent);
      if (style === LITERAL && endsInBreak(text, start, end)) return;
    } else if (kind === NUMBER && !isSureInteger(text, start, end)) {
      lines.ascii(printNumber(text.toString('latin1', start, end)));
    } else if (kind >= ARRAY) {
      const bracket = kind === OBJECT ? OPEN_BRACE : OPEN_BRACKET;
      lines.byte(bracket);
      // In ASCII each closes two behind itself.
      lines.byte(bracket + 2);
    } else {
      lines.copy(text, start, end);
    }
    lines.newline();
  }
}

const HYPHEN = 0x2d;
const QUESTION_MARK = 0x3f;
const COLON = 0x3a;
const SPACE = 0x20;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const ZERO = 0x30;
const NINE = 0x39;

function isSureInteger(text: Buffer, start: number, end: number): boolean {
  if (end - start > SURE_DIGITS) return false;
  const first = text[start]!;
  if (first < ZERO) return end - start > 2 && isSureInteger(text, start + 1, end);
  for (let at = start; at < end; at++) if (text[at]! < ZERO || text[at]! > NINE) return false;
  return true;
}
