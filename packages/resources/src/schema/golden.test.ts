// The codecs against what the Go libraries read and wrote.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { JsonReader, printText, quote, sortedKeys } from '@sluice/encoding';
import type { ApiObject, Codec } from '../kind.ts';
import { builtInCodec } from './built-in.ts';
import { decodeUnstructured } from './custom.ts';
import { canonicalDuration } from './duration.ts';
import { OWN_DECODERS } from './own-forms.ts';
import { type Print, structPrinter } from './printer.ts';
import { canonicalQuantity } from './quantity.ts';
import { typeOfKind } from './scheme.ts';
import { Session } from './session.ts';
import { canonicalMicroTime, canonicalTime } from './time.ts';
import { readTypeMeta } from './type-meta.ts';

test('canonicalQuantity() prints each quantity as the reference does', () => {
  for (const { in: input, out, error } of lines<Single>('quantity')) {
    assert.deepEqual(canonicalQuantity(input.trim()), out === undefined ? { error } : { text: out }, input);
  }
});

test('canonicalTime(), canonicalMicroTime() and canonicalDuration() print each as the reference does', () => {
  for (const { type, in: input, out, error } of lines<Single & { type: string }>('time')) {
    assert.deepEqual(single(type, input), out === undefined ? { error } : { out }, `${type} ${input}`);
  }
});

test('the IntOrString decoder reads each as the reference does', () => {
  for (const { in: input, out, error } of lines<Single>('intorstring')) {
    assert.deepEqual(intOrString(input), out === undefined ? { error } : { out }, input);
  }
});

test('decode() and encode() give what the reference decodes and encodes', () => {
  for (const line of lines<DecodeCase>('json-decode')) {
    const body = Buffer.from(line.in ?? line.inBase64 ?? '', line.inBase64 === undefined ? 'utf8' : 'base64');
    const what = `${line.into}: ${body.toString().slice(0, 200)}`;
    const expected = line.strict.out === undefined ? { error: line.strict.error } : strictOf(line);
    assert.deepEqual(decodeAndEncode(line.into, body), expected, what);
  }
});

test('every kind: decode() and encode() give the same bytes, and so do read() and encode()', () => {
  const kinds = lines<{ name: string; json: string; empty: string }>('kinds');
  assert.equal(kinds.length, 113);
  for (const { name, json, empty } of kinds) {
    for (const text of [json, empty]) {
      const body = Buffer.from(text.trim());
      const { codec, prefix } = codecOf(body);
      const { object, strictErrors } = codec.decode(body);
      assert.deepEqual(strictErrors, [], name);
      const item = encoded(codec, object);
      assert.equal((prefix + item.slice(1)).replace(/,}$/, '}'), text.trim(), name);
      assert.equal(encoded(codec, codec.read(Buffer.from(item))), item, name);
      assert.equal(encoded(codec, codec.decodeValue(object).object), item, name);
    }
  }
});

type Single = { in: string; out?: string; error?: string };
type Outcome = { out?: string; error?: string; strictErrors?: string[] };
type DecodeCase = {
  into: string;
  why: string;
  in?: string;
  inBase64?: string;
  lenient: Outcome;
  strict: Outcome;
};

function lines<Line>(name: string): Line[] {
  const text = readFileSync(new URL(`../../testdata/${name}.ndjson`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

function single(type: string, json: string): Outcome {
  if (type === 'Duration') {
    const value = JSON.parse(json);
    if (typeof value !== 'string')
      return { error: 'json: cannot unmarshal number into Go value of type string' };
    const result = canonicalDuration(value);
    return 'error' in result ? result : { out: JSON.stringify(result.text) };
  }
  const canonical = type === 'Time' ? canonicalTime : canonicalMicroTime;
  const value = json.startsWith('"') ? canonical(JSON.parse(json)) : undefined;
  const decoded = attempt(`meta/v1.${type}`, json);
  if (value !== undefined && 'error' in value) assert.equal(decoded.error, value.error);
  return decoded;
}

function intOrString(json: string): Outcome {
  try {
    readTypeMeta(Buffer.from(json));
  } catch (error) {
    const { message } = error as Error;
    if (!message.includes('cannot unmarshal')) return { error: message.replace(/^.*json parse error: /, '') };
  }
  return attempt('intstr.IntOrString', json);
}

function attempt(type: string, json: string): Outcome {
  try {
    const value = OWN_DECODERS[type]!(new Session(new JsonReader(json)), undefined);
    return { out: printText(value ?? null) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

function decodeAndEncode(into: string, body: Buffer): Outcome {
  try {
    if (into === 'unstructured') {
      const { object, strictErrors } = decodeUnstructured(body);
      return { out: printText(object, sortedKeys), strictErrors };
    }
    const { codec, print } = codecOf(body, into);
    const { object, strictErrors } = codec.decode(body);
    return { out: print(object), strictErrors: [...strictErrors] };
  } catch (error) {
    if ((error as Error).name !== 'DecodeError') throw error;
    return { error: (error as Error).message };
  }
}

/** The codec of what a body says it is: the vectors' decoder takes any kind. */
function codecOf(body: Buffer, into = 'ConfigMap'): { codec: Codec; prefix: string; print: Print } {
  let meta = { group: '', version: 'v1', kind: into };
  try {
    const read = readTypeMeta(body).meta;
    if (read.kind !== '' && read.version !== '' && typeOfKind(read)) meta = read;
  } catch {}
  const apiVersion = meta.group === '' ? meta.version : `${meta.group}/${meta.version}`;
  const prefix = `{"kind":"${meta.kind}","apiVersion":"${apiVersion}",`;
  const type = typeOfKind(meta)!;
  return { codec: builtInCodec(type, meta), prefix, print: structPrinter(type) };
}

function encoded(codec: Codec, object: ApiObject): string {
  const { head, tail } = codec.encode(object);
  if (tail.length === 0) return `${Buffer.from(head)}`;
  const metadata = object.get('metadata');
  const revision = metadata instanceof Map ? metadata.get('resourceVersion') : undefined;
  if (typeof revision === 'string')
    return `${Buffer.from(head)}${quote(revision).slice(1, -1)}${Buffer.from(tail)}`;
  // None was there: take the field out again, with one of the commas around it.
  const before = Buffer.from(head)
    .toString()
    .replace(/,?"resourceVersion":"$/, '');
  const after = Buffer.from(tail).toString().slice(1);
  return before + (before.endsWith('{') && after.startsWith(',') ? after.slice(1) : after);
}

function strictOf({ strict }: DecodeCase): Outcome {
  return { out: strict.out!, strictErrors: strict.strictErrors ?? [] };
}

test('structPrinter() prints zero values', () => {
  assert.equal(
    structPrinter('core/v1.Pod')(undefined),
    '{"metadata":{},"spec":{"containers":null},"status":{}}',
  );
});
