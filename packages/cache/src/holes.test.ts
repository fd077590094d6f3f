// Rows that were kept with holes, and filled, against rows made for the moment: every kind, every encoding, any times.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ByteWriter, encodeYamlItem, indentJson } from '@sluice/encoding';
import { customKinds, type Include, type Kind, openKinds, tableOf } from '@sluice/resources';
import fc from 'fast-check';
import { encodeLeaf } from './encode-leaf.ts';
import { EncodingWorkers } from './encoding-workers.ts';
import { type EncodedLeaf, type Form, FormError, formOf, type StoredDefinition } from './forms.ts';
import { pickedItems } from './picked.ts';
import { filledBytes, inputOf, kindOf, leafOfTexts, noDefinition } from './test-leaves.ts';

/** Those a Table can be asked for in. */
const ENCODINGS = ['json', 'pretty', 'yaml'] as const;
const INCLUDES: readonly Include[] = ['None', 'Metadata', 'Object'];

type Recorded = { resource: string; item: string };
const recorded: readonly Recorded[] = readFileSync(
  new URL('../../resources/testdata/table-rows.ndjson', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

const byResource = new Map<string, string[]>();
for (const { resource, item } of recorded) {
  byResource.set(resource, [...(byResource.get(resource) ?? []), item]);
}

const kinds = openKinds();

/** Up to the ends of what a Go duration and a time in JSON hold. */
const moments = fc.oneof(
  fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_000 }),
  fc.integer({ min: 1_767_225_600_000, max: 1_767_225_800_000 }),
  fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }),
);

test('filled() gives the rows that would be made anew, of every kind that was recorded, at any time', () => {
  for (const [resource, rows] of byResource) {
    const kind = kinds.all().find((other) => resourceOf(other) === resource)!;
    // They are stored in the other version.
    if (kind.storageVersion !== resource.slice(0, resource.lastIndexOf('/'))) continue;
    fc.assert(
      fc.property(fc.array(moments, { minLength: 1, maxLength: 5 }), moments, (times, now) => {
        const items = rows.map((item) => withTimes(item, times));
        for (const encoding of ENCODINGS)
          for (const include of INCLUDES) check(kind, items, now, encoding, include);
      }),
      { numRuns: 4 },
    );
  }
});

const TEXTS = ['age-', 'age-00', 'a\nb', '<invalid>', ' x', '#', '1e3', 'é\u2028', 'x '.repeat(60)];

test('filled() gives the rows of custom objects with dates among texts of all sorts', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ made: moments, due: moments, text: fc.constantFrom(...TEXTS) }), { minLength: 1 }),
      moments,
      (all, now) => {
        const items = all.map(({ made, due, text }) =>
          JSON.stringify({
            apiVersion: 'example.com/v1',
            kind: 'Widget',
            metadata: { creationTimestamp: rfc3339(made), name: 'w' },
            spec: { due: rfc3339(due), text },
          }),
        );
        for (const encoding of ENCODINGS) check(widgets(), items, now, encoding, 'Metadata');
      },
    ),
    { numRuns: 30 },
  );
});

test('filled() spells every age there is, in every encoding', () => {
  const seconds = [...Array(700).keys(), ...Array.from({ length: 3000 }, (_, i) => 600 + i * 1801)];
  const days = Array.from({ length: 4000 }, (_, i) => i * 86_400);
  const now = Date.parse('2026-01-01T00:00:00Z');
  const items = [-7, -2, -1, ...seconds, ...days].map((age, i) => {
    return `{"metadata":{"name":"n${i}","creationTimestamp":"${rfc3339(now - age * 1000)}"}}`;
  });
  for (const encoding of ENCODINGS) check(kindOf('', 'v1', 'configmaps'), items, now, encoding, 'None');
});

test('filled() leaves what has no ages as it is, and says what can’t be shown', () => {
  const templates = formFor(kindOf('', 'v1', 'podtemplates'), 'json', 'None');
  const encoded = encodeLeaf(templates, inputOf(leafOfTexts(['{"metadata":{"name":"t"}}'])));
  assert.equal(encoded.holes, undefined);
  assert.deepEqual(Buffer.from(filledBytes(encoded, templates, 0)), Buffer.from(encoded.bytes));
  const problem = { ...encoded, problems: [{ index: 0, message: 'no' }] };
  assert.throws(() => filledBytes(problem, templates, 0), FormError);
});

test('holes of items that can’t be shown are left out', () => {
  const [good, bad] = ['a', '\u007f'].map(
    (name) => `{"metadata":{"name":"${name}","creationTimestamp":"2026-01-01T00:00:00Z"}}`,
  ) as [string, string];
  const form = formFor(kindOf('', 'v1', 'secrets'), 'yaml', 'None');
  const encoded = encodeLeaf(form, inputOf(leafOfTexts([good, bad, good])));
  assert.deepEqual(
    encoded.problems.map(({ index }) => index),
    [1],
  );
  assert.equal(encoded.holes!.at.length, 2);
  const shown = filledBytes(pickedItems(encoded, [0, 2]), form, Date.parse('2026-01-01T00:00:09Z'));
  assert.equal(
    Buffer.from(shown)
      .toString()
      .match(/- 9s\n/g)!.length,
    2,
  );
});

test('holes come back from threads', async (context) => {
  const workers = new EncodingWorkers({ workers: 1 });
  context.after(() => workers.close());
  const items = byResource.get('v1/pods')!;
  const form = formFor(kindOf('', 'v1', 'pods'), 'pretty', 'Metadata');
  const input = inputOf(leafOfTexts(items));
  // Marks are drawn by each thread.
  const [here, there] = [encodeLeaf(form, input), await workers.encode(form, input)];
  assert.deepEqual(there.holes, here.holes);
  assert.deepEqual(there.ends, here.ends);
  assert.deepEqual(filledBytes(there, form, 1_767_225_600_000), filledBytes(here, form, 1_767_225_600_000));
});

function check(
  kind: Kind,
  items: readonly string[],
  now: number,
  encoding: (typeof ENCODINGS)[number],
  include: Include,
): void {
  const form = formFor(kind, encoding, include);
  const encoded = encodeLeaf(form, inputOf(leafOfTexts(items)));
  assert.deepEqual(encoded.problems, []);
  const anew = items.map((item) => rowAnew(kind, item, now, encoding, include));
  const compare = (shown: EncodedLeaf, indices: readonly number[]): void => {
    const expected = Buffer.concat(indices.map((index) => anew[index]!)).toString();
    assert.equal(Buffer.from(filledBytes(shown, form, now)).toString(), expected, form.key);
  };
  const all = [...items.keys()];
  compare(encoded, all);
  for (const third of [0, 1, 2]) {
    const some = all.filter((index) => index % 3 !== third);
    compare(pickedItems(encoded, some), some);
  }
}

function rowAnew(
  kind: Kind,
  item: string,
  now: number,
  encoding: (typeof ENCODINGS)[number],
  include: Include,
): Uint8Array {
  const row = tableOf(kind).row(Buffer.from(item), new Date(now), include, 'v1');
  if (encoding === 'json') return Buffer.concat([Buffer.from(','), row]);
  if (encoding === 'pretty') return Buffer.concat([Buffer.from(',\n    '), indentJson(row, 2)]);
  const out = new ByteWriter();
  encodeYamlItem(row, out);
  return out.take();
}

function formFor(kind: Kind, encoding: Form['encoding'], include: Include): Form {
  const definitionOf = kind.custom ? (): StoredDefinition => DEFINITION : noDefinition;
  return formOf(kind, { shows: 'row', version: 'v1', include }, encoding, definitionOf)!;
}

/** All times replaced, one by one. */
function withTimes(item: string, times: readonly number[]): string {
  let used = 0;
  return item.replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"/g, () => {
    return `"${rfc3339(times[used++ % times.length]!)}"`;
  });
}

function rfc3339(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

function resourceOf({ group, version, plural }: Kind): string {
  return group === '' ? `${version}/${plural}` : `${group}/${version}/${plural}`;
}

const WIDGETS = `{"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","names":{"plural":"widgets",
"kind":"Widget"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,"additionalPrinterColumns":[
{"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"},{"name":"Text","type":"string","jsonPath":".spec.text"},
{"name":"Due","type":"date","jsonPath":".spec.due"}],"schema":{"openAPIV3Schema":{"type":"object"}}}]},
"status":{"acceptedNames":{"plural":"widgets","kind":"Widget","listKind":"WidgetList"},
"conditions":[{"type":"Established","status":"True"}]}}`;
const DEFINITION: StoredDefinition = { bytes: Buffer.from(WIDGETS), modRevision: 5n };

let widgetKind: Kind | undefined;

function widgets(): Kind {
  const { codec } = kindOf('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
  widgetKind ??= customKinds(codec.read(DEFINITION.bytes))[0]!;
  return widgetKind;
}
