// Forms: which there are, when there is none, and what becomes of items in them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customKinds, type Kind } from '@sluice/resources';
import { ENCODED_LEAF_MAX_BYTES, encodeLeaf, encodeLeafInSlices } from './encode-leaf.ts';
import { EncodingWorkers } from './encoding-workers.ts';
import { type Form, FormError, formOf, leadBytes, runOf, type StoredDefinition } from './forms.ts';
import {
  CONFIG_MAPS,
  configMapLeaves,
  filledBytes,
  inputOf,
  kindOf,
  leafOfTexts,
  noDefinition,
  shownAs,
} from './test-leaves.ts';

const OBJECT = { shows: 'object' } as const;

const METADATA = { shows: 'metadata', version: 'v1' } as const;
const ROW = { shows: 'row', version: 'v1', include: 'None' } as const;

function text(form: Form, items: readonly string[]): string {
  const leaf = leafOfTexts(items);
  return Buffer.from(encodeLeaf(form, inputOf(leaf)).bytes).toString();
}

test('formOf() gives no form where items are shown as they are stored', () => {
  assert.equal(formOf(CONFIG_MAPS, OBJECT, 'json', noDefinition), undefined);
  assert.ok(formOf(CONFIG_MAPS, OBJECT, 'pretty', noDefinition));
  assert.ok(formOf(kindOf('autoscaling', 'v1', 'horizontalpodautoscalers'), OBJECT, 'json', noDefinition));
});

test('formOf() gives a key of its own to each form', () => {
  const views = [
    OBJECT,
    METADATA,
    { ...METADATA, version: 'v1beta1' },
    ROW,
    { ...ROW, include: 'Object' },
  ] as const;
  const inViews = views.map((view) => formOf(CONFIG_MAPS, view, 'pretty', noDefinition)!.key);
  assert.equal(new Set(inViews).size, views.length);
  const kinds = [kindOf('', 'v1', 'events'), kindOf('events.k8s.io', 'v1', 'events'), CONFIG_MAPS];
  const keys = kinds.map((kind) => shownAs('pretty', kind).key);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(shownAs('pretty').key, shownAs('pretty').key);
});

test('pretty leaves joined are the list indented', () => {
  const items = ['{"metadata":{"name":"a"},"data":{"x":"1"}}', '{"metadata":{}}'];
  const list = JSON.parse(`{"items":[${items}]}`);
  const form = shownAs('pretty');
  const encoded = items.map((item) => text(form, [item])).join('');
  assert.equal(`{\n  "items": [${encoded.slice(leadBytes(form))}\n  ]\n}`, JSON.stringify(list, null, 2));
});

test('runOf() gives neighbours with their separators', () => {
  const [leaf] = configMapLeaves(1, 5);
  const form = shownAs('pretty');
  const encoded = encodeLeaf(form, inputOf(leaf!));
  const each = Array.from({ length: 5 }, (_, i) => Buffer.from(runOf(encoded, i, i + 1)));
  assert.deepEqual(Buffer.concat(each), Buffer.from(encoded.bytes));
  assert.deepEqual(Buffer.from(runOf(encoded, 1, 4)), Buffer.concat(each.slice(1, 4)));
  assert.equal(runOf(encoded, 2, 2).length, 0);
  const problem = { ...encoded, problems: [{ index: 2, message: 'no' }] };
  assert.throws(() => runOf(problem, 0, 3), FormError);
  assert.throws(() => runOf(problem, 2, 3), FormError);
  assert.deepEqual(Buffer.from(runOf(problem, 3, 5)), Buffer.concat(each.slice(3)));
});

test('events are shown in the group they are asked for in', () => {
  const core =
    '{"metadata":{"name":"e","resourceVersion":"7"},"involvedObject":{},"message":"hi","source":{}}';
  const shown = text(shownAs('json', kindOf('events.k8s.io', 'v1', 'events')), [core]);
  assert.match(shown, /^,\{"metadata":\{"name":"e","resourceVersion":"7"[^}]*\},.*"note":"hi"/);
});

test('metadata is shown alone, as what it is', () => {
  const item = '{"metadata":{"name":"a","labels":{"x":"1"}},"data":{"x":"1"}}';
  const form = formOf(CONFIG_MAPS, METADATA, 'json', noDefinition)!;
  const shown =
    '"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","labels":{"x":"1"}}';
  assert.equal(text(form, [item, item]), `,{${shown}},{${shown}}`);
});

test('rows count ages up to now', () => {
  const leaf = leafOfTexts([
    '{"metadata":{"name":"a","creationTimestamp":"2026-01-01T00:00:00Z"},"data":{"x":"1"}}',
  ]);
  const form = formOf(CONFIG_MAPS, ROW, 'json', noDefinition)!;
  for (const [now, age] of [
    ['2026-01-01T00:01:00Z', '60s'],
    ['2026-01-03T00:00:00Z', '2d'],
  ] as const) {
    const bytes = filledBytes(encodeLeaf(form, inputOf(leaf)), form, Date.parse(now));
    assert.equal(Buffer.from(bytes).toString(), `,{"cells":["a",1,"${age}"],"object":null}`);
  }
});

const WIDGETS = `{"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","names":{"plural":"widgets",
"kind":"Widget"},"scope":"Namespaced","versions":[
{"name":"v1","served":true,"storage":true,
"additionalPrinterColumns":[{"name":"Other","type":"integer","jsonPath":".spec.other"}],"schema":{"openAPIV3Schema":{"type":"object"}}},
{"name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object",
"properties":{"spec":{"type":"object","properties":{"size":{"type":"integer","default":9007199254740993}}}}}}}]},
"status":{"acceptedNames":{"plural":"widgets","kind":"Widget","listKind":"WidgetList"},
"conditions":[{"type":"Established","status":"True"}]}}`;

function widgets(): readonly Kind[] {
  const { codec } = kindOf('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
  return customKinds(codec.read(Buffer.from(WIDGETS)));
}

const DEFINITION = { bytes: Buffer.from(WIDGETS), modRevision: 5n };

test('rows of custom objects have the columns of their definition', () => {
  const form = formOf(widgets()[0]!, ROW, 'json', () => DEFINITION)!;
  const item = '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"other":7}}';
  assert.equal(text(form, [item]), ',{"cells":["w",7],"object":null}');
});

test('custom objects are shown in a version they are not stored in by their definition, in threads as well', async (context) => {
  const definitionOf = (): StoredDefinition => DEFINITION;
  const [v1, v2] = widgets();
  assert.equal(formOf(v1!, OBJECT, 'json', definitionOf), undefined);
  const form = formOf(v2!, OBJECT, 'json', definitionOf)!;
  const item =
    '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w","resourceVersion":"12"},"spec":{"other":1}}';
  const expected =
    ',{"apiVersion":"example.com/v2","kind":"Widget","metadata":{"name":"w","resourceVersion":"12"},"spec":{"size":9007199254740993}}';
  assert.equal(text(form, [item]), expected);
  const workers = new EncodingWorkers({ workers: 1 });
  context.after(() => workers.close());
  for (let n = 0; n < 2; n++) {
    const leaf = leafOfTexts([item]);
    const { bytes } = await workers.encode(form, inputOf(leaf));
    assert.equal(Buffer.from(bytes).toString(), expected);
  }
  const newer = formOf(v2!, OBJECT, 'json', () => ({ ...DEFINITION, modRevision: 6n }))!;
  assert.notEqual(newer.key, form.key);
});

test('encodeLeafInSlices() gives what encodeLeaf() gives, several leaves at a time', async () => {
  const leaves = configMapLeaves(6, 2000, 100);
  const form = shownAs('pretty');
  const encoded = await Promise.all(leaves.map((leaf) => encodeLeafInSlices(form, inputOf(leaf))));
  for (const [i, leaf] of leaves.entries()) {
    const { bytes, ends } = encodeLeaf(form, inputOf(leaf));
    assert.ok(Buffer.from(encoded[i]!.bytes).equals(bytes));
    assert.deepEqual(encoded[i]!.ends, ends);
  }
});

test('encodeLeaf() leaves out what becomes too long, and says so', () => {
  const deep = `{"a":${'['.repeat(9_000)}${'1,'.repeat(20_000)}1${']'.repeat(9_000)}}`;
  const leaf = leafOfTexts(['{"b":1}', deep, '{"c":1}']);
  const { bytes, ends, problems } = encodeLeaf(shownAs('pretty'), inputOf(leaf));
  assert.deepEqual(problems, [{ index: 1, message: `more than ${ENCODED_LEAF_MAX_BYTES} bytes` }]);
  assert.equal(ends[1], ends[0]);
  assert.equal(Buffer.from(bytes).toString(), ',\n    {\n      "b": 1\n    },\n    {\n      "c": 1\n    }');
});
