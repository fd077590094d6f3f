// The members of a JSON object as the fields of a message: both are walked in the same order, so a member is found by
// its first letter among the few that may come next.
import { skipValue } from '../json/member.ts';
import type { Message, MessageField } from './schema.ts';
import type { Transcoding, Write } from './transcoding.ts';
import { ProtobufError } from './wire.ts';
import { zeroElement, zeroField } from './zero.ts';

/**
 * The cursor is on the first member's quote, or on the closing brace, where it stays. `among`: the members stand among
 * those of another message; stops, comma passed, at the first that isn't ours.
 */
export type Members = (run: Transcoding, among: boolean) => void;

export function membersWriter(message: Message, writerOf: (field: MessageField) => Write): Members {
  const fields = message.fields;
  const names = fields.flatMap((field, place) => namesOf(field).map((name) => ({ name, place })));
  const firsts = Uint8Array.from(names, ({ name }) => name.charCodeAt(0));
  const keys = names.map(({ name }) => Buffer.from(`${name}"`));
  const places = Uint8Array.from(names, ({ place }) => place);
  const isPart = fields.map((field) => field.json === '');
  const writes = fields.map(writerOf);
  const zeros = zeroRuns(fields);
  const nulls = fields.map((field) =>
    field.nullIsZero === true ? zeroElement(field.number, field.form) : undefined,
  );
  const numbers = fields.map((field) => field.number);
  const inOrder = numbers.every((number, place) => place === 0 || numbers[place - 1]! < number);
  const count = names.length;

  function find(json: Uint8Array, at: number, from: number): number {
    const first = json[at]!;
    for (let place = from; place < count; place++) {
      if (firsts[place] === first && startsWith(json, at, keys[place]!)) return place;
    }
    return count;
  }

  /** Fields from `from` on and before `to` are not in the JSON. */
  function writeZeros(run: Transcoding, from: number, to: number): void {
    if (inOrder) {
      const { bytes, starts } = zeros;
      if (starts[from]! < starts[to]!) run.copy(bytes, starts[from]!, starts[to]!);
      return;
    }
    for (let place = from; place < to; place++) {
      if (zeros.starts[place] === zeros.starts[place + 1]) continue;
      run.mark(numbers[place]!);
      run.copy(zeros.bytes, zeros.starts[place]!, zeros.starts[place + 1]!);
    }
  }

  /** @throws ProtobufError when it is a member of ours that stands behind its place. */
  function skipUnknown(run: Transcoding): void {
    if (find(run.json, run.at + 1, 0) < count) throw new ProtobufError('members in another order');
    const colon = skipValue(run.json, run.at);
    run.at = skipValue(run.json, colon + 1);
    if (run.json[run.at] === COMMA) run.at++;
  }

  return (run, among) => {
    const { json } = run;
    const base = run.marked;
    let next = 0;
    let field = 0;
    while (json[run.at] === QUOTE) {
      const found = find(json, run.at + 1, next);
      if (found === count) {
        if (among) break;
        skipUnknown(run);
        continue;
      }
      const place = places[found]!;
      if (place > field) writeZeros(run, field, place);
      field = place + 1;
      if (isPart[place]) {
        if (!inOrder) run.mark(numbers[place]!);
        writes[place]!(run);
        next = found + 1;
        while (next < count && places[next] === place) next++;
        continue;
      }
      next = found + 1;
      run.at += keys[found]!.length + 2;
      if (json[run.at] === NULL) {
        const pointed = nulls[place];
        if (pointed === undefined) {
          writeZeros(run, place, field);
        } else {
          if (!inOrder) run.mark(numbers[place]!);
          run.copy(pointed, 0, pointed.length);
        }
        run.at += 4;
      } else {
        if (!inOrder) run.mark(numbers[place]!);
        writes[place]!(run);
      }
      if (json[run.at] === COMMA) run.at++;
    }
    if (field < fields.length) writeZeros(run, field, fields.length);
    if (!inOrder) run.sortMarks(base);
  };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const NULL = 0x6e;

/** Names of JSON members that end up in a field: those of a part are its own members'. */
function namesOf(field: MessageField): string[] {
  if (field.json !== '') return [field.json];
  return field.form.kind === 'message' ? field.form.message.fields.flatMap(namesOf) : [];
}

function startsWith(json: Uint8Array, at: number, key: Uint8Array): boolean {
  for (let place = 1; place < key.length; place++) if (json[at + place] !== key[place]) return false;
  return true;
}

/** All fields' zeros behind each other: field n's are bytes[starts[n]] to bytes[starts[n + 1]]. */
function zeroRuns(fields: readonly MessageField[]): { bytes: Uint8Array; starts: readonly number[] } {
  const starts = [0];
  const parts = fields.map(zeroField);
  for (const part of parts) starts.push(starts.at(-1)! + part.length);
  return { bytes: Uint8Array.from(Buffer.concat(parts)), starts };
}
