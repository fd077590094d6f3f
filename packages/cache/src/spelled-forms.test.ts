// Forms in every encoding: leaves joined are what the encoding makes of the whole list, and threads give the same bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ByteWriter,
  cborListHead,
  cborListTail,
  encodeCbor,
  encodeYaml,
  type ProtobufList,
  streamMarshal,
  streamSize,
  yamlListFrame,
} from '@sluice/encoding';
import { cborForm, partialObject, protobufCodec } from '@sluice/resources';
import fc from 'fast-check';
import { encodeLeaf } from './encode-leaf.ts';
import { EncodingWorkers } from './encoding-workers.ts';
import { type Encoding, type Form, FormError, formOf, runOf, type View } from './forms.ts';
import type { Leaf } from './leaf.ts';
import { CONFIG_MAPS, inputOf, kindOf, leafOfTexts, noDefinition, shownAs } from './test-leaves.ts';

const ENCODINGS: readonly Encoding[] = ['json', 'pretty', 'yaml', 'protobuf', 'cbor'];
const VIEWS: readonly View[] = [
  { shows: 'object' },
  { shows: 'metadata', version: 'v1' },
  { shows: 'metadata', version: 'v1beta1' },
  { shows: 'row', version: 'v1', include: 'Metadata' },
];

/** ConfigMaps as they are stored. */
const items: fc.Arbitrary<string[]> = fc.array(
  fc
    .record({ name: text(), labels: texts(), data: texts() })
    .map(({ name, labels, data }) =>
      JSON.stringify({ metadata: { name, resourceVersion: '1', labels }, data }),
    ),
  { minLength: 1, maxLength: 12 },
);

function text(): fc.Arbitrary<string> {
  return fc.string({ maxLength: 30 }).filter((value) => !/[<>&]/.test(value));
}

function texts(): fc.Arbitrary<Record<string, string>> {
  return fc.dictionary(text(), text(), { minKeys: 1, maxKeys: 4, noNullPrototype: true }).map(sorted);
}

function sorted(members: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function formsOf(): Form[] {
  return VIEWS.flatMap((view) =>
    ENCODINGS.flatMap((encoding) => {
      const isRow = view.shows === 'row';
      if (isRow && (encoding === 'protobuf' || encoding === 'cbor')) return [];
      return formOf(CONFIG_MAPS, view, encoding, noDefinition) ?? [];
    }),
  );
}

function bytesOf(form: Form, leaf: Leaf): Buffer {
  const { bytes, problems } = encodeLeaf(form, inputOf(leaf));
  assert.deepEqual(problems, []);
  return Buffer.from(bytes);
}

const TYPE = { apiVersion: 'v1', kind: 'ConfigMapList' };

test('YAML leaves joined are the list in YAML', () => {
  fc.assert(
    fc.property(items, items, (first, second) => {
      const list = (held: string): Buffer =>
        Buffer.from(`{"apiVersion":"v1","items":[${held}],"kind":"ConfigMapList","metadata":{}}`);
      const out = new ByteWriter();
      encodeYaml(list([...first, ...second].join()), out);
      const { head, tail } = yamlListFrame(list(''));
      const leaves = [first, second].map((texts) => bytesOf(shownAs('yaml'), leafOfTexts(texts)));
      assert.deepEqual(Buffer.concat([head, ...leaves, tail]), Buffer.from(out.take()));
    }),
    { numRuns: 50 },
  );
});

test('Protobuf leaves are the items of the list in Protobuf', () => {
  for (const [layout, form, type] of [
    ['usual', shownAs('protobuf'), { group: '', version: 'v1', kind: 'ConfigMap' }],
    [
      'items-first',
      formOf(CONFIG_MAPS, { shows: 'metadata', version: 'v1beta1' }, 'protobuf', noDefinition)!,
      { group: 'meta.k8s.io', version: 'v1beta1', kind: 'PartialObjectMetadata' },
    ],
  ] as const) {
    const texts = ['{"metadata":{"name":"a"},"data":{"x":"1"}}', '{"metadata":{"name":"b"}}'];
    const codec = protobufCodec(type)!;
    const messages = texts.map((item) => Uint8Array.from(codec.message(Buffer.from(item))));
    const list: ProtobufList = {
      type: TYPE,
      metadata: { resourceVersion: '7', continue: '' },
      items: messages,
      layout,
    };
    const pieces: Uint8Array[] = [];
    streamMarshal(list, streamSize(list), (bytes) => void pieces.push(bytes));
    const whole = Buffer.concat(pieces);
    assert.ok(whole.includes(bytesOf(form, leafOfTexts(texts))), layout);
  }
});

test('Protobuf of metadata, made from the whole object, is that of the metadata alone', () => {
  const form = formOf(CONFIG_MAPS, { shows: 'metadata', version: 'v1' }, 'protobuf', noDefinition)!;
  const codec = protobufCodec({ group: 'meta.k8s.io', version: 'v1', kind: 'PartialObjectMetadata' })!;
  fc.assert(
    fc.property(items, (texts) => {
      const out = new ByteWriter();
      for (const item of texts) codec.encodeItem(partialObject(Buffer.from(item), 'v1', false), out);
      assert.deepEqual(bytesOf(form, leafOfTexts(texts)), Buffer.from(out.take()));
    }),
  );
});

test('CBOR leaves joined are the list in CBOR', () => {
  const texts = ['{"metadata":{"name":"a"},"binaryData":{"x":"AAEC"}}', '{"metadata":{"name":"b"}}'];
  const form = shownAs('cbor');
  const envelope = Buffer.from(
    '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7"}}',
  );
  const list = Buffer.from(
    `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[${texts}]}`,
  );
  const joined = [cborListHead(envelope, 2), bytesOf(form, leafOfTexts(texts)), cborListTail(envelope)];
  const listForm = cborForm({ group: '', version: 'v1', kind: 'ConfigMapList' });
  assert.deepEqual(Buffer.concat(joined), Buffer.from(encodeCbor(list, listForm)));
});

test('an item YAML can’t show is told by its index, in the reference’s words', () => {
  const leaf = leafOfTexts(['{"metadata":{}}', '{"metadata":{"name":"\u007f"}}', '{"metadata":{}}']);
  const encoded = encodeLeaf(shownAs('yaml'), inputOf(leaf));
  assert.deepEqual(encoded.problems, [{ index: 1, message: 'yaml: control characters are not allowed' }]);
  assert.throws(() => runOf(encoded, 0, 3), FormError);
  assert.equal(Buffer.from(runOf(encoded, 2, 3)).toString(), '- metadata: {}\n');
});

test('threads give the bytes the event loop gives, for any items in any form', async (context) => {
  const workers = new EncodingWorkers({ workers: 2 });
  context.after(() => workers.close());
  const forms = formsOf();
  assert.equal(forms.length, 4 + 5 + 5 + 3);
  await fc.assert(
    fc.asyncProperty(items, async (texts) => {
      const input = inputOf(leafOfTexts(texts));
      const encoded = await Promise.all(forms.map((form) => workers.encode(form, input)));
      for (const [i, form] of forms.entries()) {
        const { bytes, ends, problems } = encodeLeaf(form, input);
        assert.ok(Buffer.from(encoded[i]!.bytes).equals(bytes), form.key);
        assert.deepEqual([encoded[i]!.ends, encoded[i]!.problems], [ends, problems]);
      }
    }),
    { numRuns: 30 },
  );
});

test('objects of every kind have all forms', () => {
  for (const [group, version, plural] of [
    ['', 'v1', 'pods'],
    ['apps', 'v1', 'deployments'],
    ['autoscaling', 'v1', 'horizontalpodautoscalers'],
    ['events.k8s.io', 'v1', 'events'],
    ['apiextensions.k8s.io', 'v1', 'customresourcedefinitions'],
    ['apiregistration.k8s.io', 'v1', 'apiservices'],
  ] as const) {
    const kind = kindOf(group, version, plural);
    const leaf = leafOfTexts(['{"metadata":{"name":"a","resourceVersion":"3"}}']);
    for (const encoding of ENCODINGS) {
      const form = formOf(kind, { shows: 'object' }, encoding, noDefinition);
      if (form) assert.ok(bytesOf(form, leaf).includes('a'), form.key);
    }
  }
});
