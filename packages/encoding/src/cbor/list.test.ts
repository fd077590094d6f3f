// Lists and watch frames in CBOR: head, items and tail together are what the reference writes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decodeFirst, Tagged } from 'cborg';
import { eachMember, skipValue } from '../json/member.ts';
import { ByteWriter } from '../json/writer.ts';
import type { CborForm } from './form.ts';
import { cborFrame } from './frames.ts';
import { cborListHead, cborListTail } from './list.ts';
import { encodeCbor, encodeCborItem } from './value.ts';

test('cborListHead(), encodeCborItem() and cborListTail() give what the reference writes, item by item', () => {
  const lines = readFileSync(new URL('../../testdata/cbor-lists.ndjson', import.meta.url), 'utf8');
  const cases = lines.trim().split('\n');
  assert.equal(cases.length, 240);
  for (const line of cases) {
    const { id, kind, list, cbor } = JSON.parse(line) as Record<'id' | 'kind' | 'list' | 'cbor', string>;
    const { envelope, items } = parts(Buffer.from(list, 'base64'));
    const count = items?.length ?? (kind === 'unstructured' ? 0 : null);
    const writer = new ByteWriter();
    for (const item of items ?? []) encodeCborItem(item, writer, FORMS[kind]);
    const streamed = Buffer.concat([cborListHead(envelope, count), writer.take(), cborListTail(envelope)]);
    assert.equal(streamed.toString('base64'), cbor, id);
  }
});

test('cborListHead() says how many items come in the shortest way', () => {
  const envelope = Buffer.from('{"kind":"PodList","apiVersion":"v1","metadata":{}}');
  for (const [count, hex] of [
    [0, '80'],
    [23, '97'],
    [24, '9818'],
    [1000, '9903e8'],
    [120_000, '9a0001d4c0'],
  ] as const) {
    const head = Buffer.from(cborListHead(envelope, count)).toString('hex');
    assert.equal(head, `d9d9f7a4${hexOf('kind')}${hexOf('PodList')}${hexOf('items')}${hex}`);
  }
});

test('cborFrame() writes events that end by themselves, the tag also within', () => {
  const object = encodeCbor(Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}'));
  const frames = Buffer.concat([cborFrame('ADDED', object), cborFrame('BOOKMARK', object)]);
  const options = { useMaps: true, strict: true, tags: Tagged.preserve(55799) };
  const types: string[] = [];
  let rest: Uint8Array = frames;
  while (rest.length > 0) {
    const [event, remainder] = decodeFirst(rest, options) as [Tagged, Uint8Array];
    const [type, embedded] = [...(event.value as Map<Uint8Array, unknown>).values()];
    types.push(Buffer.from(type as Uint8Array).toString());
    assert.ok(embedded instanceof Tagged && embedded.value instanceof Map);
    rest = remainder;
  }
  assert.deepEqual(types, ['ADDED', 'BOOKMARK']);
  const start = `d9d9f7a2${hexOf('type')}${hexOf('ADDED')}${hexOf('object')}d9d9f7a3`;
  assert.ok(frames.toString('hex').startsWith(start));
});

const FORMS: Readonly<Record<string, CborForm>> = {
  ConfigMapList: { members: new Map([['binaryData', { each: 'bytes' }]]) },
  SecretList: { members: new Map([['data', { each: 'bytes' }]]) },
};

/** A list's items and its other members. */
function parts(list: Buffer): { envelope: Uint8Array; items: Uint8Array[] | undefined } {
  const members: Buffer[] = [];
  let items: Uint8Array[] | undefined;
  eachMember(list, 0, (keyStart, keyEnd, valueStart, valueEnd) => {
    if (list.toString('latin1', keyStart, keyEnd) !== 'items') {
      members.push(list.subarray(keyStart - 1, valueEnd), Buffer.from(','));
    } else if (list[valueStart] === 0x5b) {
      items = elements(list.subarray(valueStart, valueEnd));
    }
    return true;
  });
  return { envelope: Buffer.concat([Buffer.from('{'), ...members.slice(0, -1), Buffer.from('}')]), items };
}

function elements(array: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 1; array[at] !== 0x5d; ) {
    const end = skipValue(array, at);
    found.push(array.subarray(at, end));
    at = array[end] === 0x2c ? end + 1 : end;
  }
  return found;
}

function hexOf(text: string): string {
  return Buffer.from(String.fromCharCode(0x40 + text.length) + text, 'latin1').toString('hex');
}
