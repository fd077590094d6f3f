// Lists and watch frames in CBOR: head, items and tail together are what the reference writes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decode, decodeFirst, encode, Tagged } from 'cborg';
import { eachMember, findMember, skipValue } from '../json/member.ts';
import { ByteWriter } from '../json/writer.ts';
import type { CborForm } from './form.ts';
import { cborFrame } from './frames.ts';
import { cborListHead, cborListTail } from './list.ts';
import { encodeCbor, encodeCborItem } from './value.ts';

test('cborListHead(), encodeCborItem() and cborListTail() give what the reference writes, item by item', () => {
  let streamed = 0;
  for (const { id, kind, list, cbor } of lists()) {
    const { envelope, items } = parts(list);
    const isList = kind === 'unstructured' || findMember(list, 0, 'items') !== undefined;
    if (UNSEEN[id] !== undefined || !isList) continue;
    const count = items?.length ?? (kind === 'unstructured' ? 0 : null);
    const writer = new ByteWriter();
    for (const item of items ?? []) encodeCborItem(item, writer, itemForm(id, kind));
    const body = Buffer.concat([cborListHead(envelope, count), writer.take(), cborListTail(envelope)]);
    assert.equal(body.toString('base64'), cbor, id);
    streamed++;
  }
  assert.equal(streamed, 317);
});

test('encodeCbor() gives what the reference writes of all of these at once', () => {
  const cases = lists().filter(({ id }) => UNSEEN[id] === undefined);
  assert.equal(cases.length, 355 - Object.keys(UNSEEN).length);
  for (const { id, kind, list, cbor } of cases) {
    // Its own serializer adds items to a list that has none, but that is one of this kind only.
    if (id.startsWith('unstructured-shape/') && findMember(list, 0, 'items') === undefined) continue;
    assert.equal(Buffer.from(encodeCbor(list, formOf(id, kind))).toString('base64'), cbor, id);
  }
});

test('where a Go type decides, the rest is what the reference writes', () => {
  const cases = lists().filter(({ id }) => UNSEEN[id] !== undefined);
  assert.equal(cases.length, Object.keys(UNSEEN).length);
  for (const { id, kind, list, cbor } of cases) {
    const ours = firstItem(encodeCbor(list, formOf(id, kind)));
    const theirs = firstItem(Buffer.from(cbor, 'base64'));
    const names = new Set([...ours.keys(), ...theirs.keys()]);
    const differing = [...names].filter((name) => ours.get(name) !== theirs.get(name)).sort();
    assert.deepEqual(differing, UNSEEN[id], id);
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

/** Widget's Go fields, as far as its JSON doesn't show them. */
const WIDGET: CborForm = {
  members: new Map<string, CborForm>([
    ...['bytes', 'bnames', 'nbytes'].map((name) => [name, 'bytes'] as const),
    ...['f32', 'f64', 'f64o'].map((name) => [name, 'double'] as const),
    ['mb', { each: 'bytes' }],
  ]),
};

/** Of the trees that Go programs make: a float64 and a []byte. */
const OF_CASES: Readonly<Record<string, CborForm>> = {
  'go-number/float64-1': { members: new Map([['n', 'double']]) },
  'go-number/float64-neg-zero': { members: new Map([['n', 'double']]) },
  'go-number/bytes': { members: new Map([['n', 'bytes']]) },
};

const ITEM_FORMS: Readonly<Record<string, CborForm>> = {
  ConfigMapList: { members: new Map([['binaryData', { each: 'bytes' }]]) },
  SecretList: { members: new Map([['data', { each: 'bytes' }]]) },
  WidgetList: WIDGET,
};

function itemForm(id: string, kind: string): CborForm | undefined {
  return OF_CASES[id] ?? ITEM_FORMS[kind];
}

/** Of the whole value. */
function formOf(id: string, kind: string): CborForm | undefined {
  if (id === 'single/unstructured') {
    return { members: new Map([['spec', { members: new Map([['f', 'double']]) }]]) };
  }
  const form = itemForm(id, kind);
  return form && { members: new Map([['items', { each: form }]]) };
}

/**
 * Members of the first item that JSON doesn't tell: float32, uint64 beyond int64, json.Number in a tree (`n`); in a struct
 * float32 (`f32`), uint64 (`u64`), numbers as strings (`str`), MarshalText (`txt`: a text string), a nil json.RawMessage
 * with omitempty (`raw`: null), keys that are integers (`mi`), a string that is no UTF-8 (`so`). No kind that is served has
 * any of these, and no decoder of kube-apiserver makes such a tree.
 */
const UNSEEN: Readonly<Record<string, readonly string[]>> = {
  'go-number/float32': ['n'],
  'go-number/max-uint64': ['n'],
  'go-number/json-number': ['n'],
  'odd-type/ItemTextList/two': [''],
  ...Object.fromEntries(
    [
      'zero',
      'nulls',
      'empties',
      'neg-zero',
      'time',
      'quantity',
      'marshalers',
      'duplicate-names',
      'bytes',
    ].map((name) => [`widget/${name}`, ['raw', 'str', 'txt']]),
  ),
  'widget/numbers': ['f32', 'raw', 'str', 'txt', 'u64'],
  'widget/strings': ['raw', 'so', 'str', 'txt'],
  'widget/map-int-keys': ['mi', 'raw', 'str', 'txt'],
  'widget/raw': ['str', 'txt'],
};

type GoldenList = { id: string; kind: string; list: Buffer; cbor: string };

function lists(): GoldenList[] {
  const text = readFileSync(new URL('../../testdata/cbor-lists.ndjson', import.meta.url), 'utf8');
  const cases = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<keyof GoldenList, string>)
    .map((one) => ({ ...one, list: Buffer.from(one.list, 'base64') }));
  assert.equal(cases.length, 355);
  return cases;
}

/** Its members' bytes by name; of an item that is no object its own, by no name. */
function firstItem(body: Uint8Array): ReadonlyMap<string, string> {
  const { value } = decode(body, { useMaps: true, tags: Tagged.preserve(55799, 22) }) as Tagged;
  const list = textKeys(value as Map<unknown, unknown>);
  const [item] = list.get('items') as unknown[];
  const members = item instanceof Map ? textKeys(item) : new Map([['', item]]);
  return new Map([...members].map(([name, member]) => [name, Buffer.from(encode(member)).toString('hex')]));
}

function textKeys(map: Map<unknown, unknown>): Map<string, unknown> {
  return new Map([...map].map(([key, value]) => [Buffer.from(key as Uint8Array).toString(), value]));
}

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
