// The list types' analysis finds what Kubernetes' own finds, and every kind of fault that is planted.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FIELD_ROWS, KIND_ROWS } from './generated/field-tables.ts';
import {
  isKnownViolation,
  type ListField,
  type ListType,
  type ListViolation,
  listTypes,
  listViolations,
  violationLine,
} from './list-types.ts';

type Golden = {
  lists: { package: string; type: string; violations: { rule: string; field: string }[] }[];
  violations: string[];
};

const golden = JSON.parse(
  readFileSync(new URL('../testdata/list-types.json', import.meta.url), 'utf8'),
) as Golden;

test('listViolations() finds in every list type what the reference finds', async () => {
  const types = await listTypes();
  assert.equal(types.length, 160);
  for (const [place, type] of types.entries()) {
    const { package: path, type: name, violations } = golden.lists[place]!;
    assert.deepEqual([type.package, type.type], [path, name]);
    const found = listViolations(type).map(({ rule, field }) => ({ rule, field }));
    assert.deepEqual(found, violations, `${path}.${name}`);
  }
});

test('violationLine() gives the lines of the reference, all of them of the known exception', async () => {
  const violations = (await listTypes()).flatMap(listViolations);
  assert.deepEqual(violations.map(violationLine), golden.violations);
  assert.deepEqual(violations.map(isKnownViolation), [true, true]);
});

test('listTypes() are the lists whose bytes the field tables write', async () => {
  const known = new Map((await listTypes()).map((type) => [shortName(type), type]));
  let compared = 0;
  for (const entry of Object.values(KIND_ROWS).flatMap((row) => row.split(' '))) {
    const [kind = '', typeName = ''] = entry.split('=');
    const rows = FIELD_ROWS[typeName];
    if (!/List$/.test(kind) || rows === undefined || !rows.some((row) => row.startsWith('ListMeta|')))
      continue;
    // Go: type List metav1.List
    const type = known.get(typeName === 'core/v1.List' ? 'meta/v1.List' : typeName);
    assert.ok(type, typeName);
    assert.deepEqual(rows.map(fieldOfRow), type.fields.map(withoutInline), typeName);
    compared++;
  }
  assert.ok(compared > 80, `${compared} types`);
});

const GOOD: readonly ListField[] = [
  { name: 'TypeMeta', embedded: true, json: '', protobuf: undefined },
  { name: 'ListMeta', embedded: true, json: 'metadata,omitempty', protobuf: 'bytes,1,opt,name=metadata' },
  { name: 'Items', embedded: false, json: 'items', protobuf: 'bytes,2,rep,name=items' },
];
const [TYPE_META, LIST_META, ITEMS] = GOOD as [ListField, ListField, ListField];

test('listViolations() accepts every form that the rules allow', () => {
  assert.deepEqual(faults(GOOD), []);
  assert.deepEqual(faults([{ ...TYPE_META, json: ',inline', protobuf: '' }, LIST_META, ITEMS]), []);
  assert.deepEqual(
    faults([TYPE_META, { ...LIST_META, protobuf: undefined }, { ...ITEMS, protobuf: '' }]),
    [],
  );
});

test('listViolations() finds each planted fault and names its field', () => {
  const order = 'streaming_list_type_field_order';
  const json = 'streaming_list_type_json_tags';
  const proto = 'streaming_list_type_proto_tags';
  const cases: [readonly ListField[], string[]][] = [
    [
      [ITEMS, TYPE_META, LIST_META],
      [`${order} TypeMeta`, `${order} ListMeta`, `${order} Items`],
    ],
    [
      [TYPE_META, ITEMS, LIST_META],
      [`${order} ListMeta`, `${order} Items`],
    ],
    [[{ ...TYPE_META, embedded: false }, LIST_META, ITEMS], [`${json} TypeMeta`]],
    [[{ ...TYPE_META, json: undefined }, LIST_META, ITEMS], [`${json} TypeMeta`]],
    [[{ ...TYPE_META, json: 'typeMeta' }, LIST_META, ITEMS], [`${json} TypeMeta`]],
    [[TYPE_META, { ...LIST_META, json: 'metadata' }, ITEMS], [`${json} ListMeta`]],
    [[TYPE_META, { ...LIST_META, json: 'metadata,omitempty,omitzero' }, ITEMS], [`${json} ListMeta`]],
    [[TYPE_META, { ...LIST_META, json: undefined }, ITEMS], [`${json} ListMeta`]],
    [[TYPE_META, LIST_META, { ...ITEMS, json: 'items,omitempty' }], [`${json} Items`]],
    [[TYPE_META, LIST_META, { ...ITEMS, json: 'elements' }], [`${json} Items`]],
    [[{ ...TYPE_META, protobuf: 'bytes,1,opt,name=typeMeta' }, LIST_META, ITEMS], [`${proto} TypeMeta`]],
    [[TYPE_META, { ...LIST_META, protobuf: 'bytes,2,opt,name=metadata' }, ITEMS], [`${proto} ListMeta`]],
    [[TYPE_META, LIST_META, { ...ITEMS, protobuf: 'bytes,2,opt,name=items' }], [`${proto} Items`]],
  ];
  for (const [fields, expected] of cases) assert.deepEqual(faults(fields), expected);
});

test('listViolations() looks at list types only: three fields of the three names', () => {
  const bad = { ...ITEMS, json: 'elements' };
  assert.deepEqual(faults([TYPE_META, LIST_META, bad, { ...ITEMS, name: 'Extra' }]), []);
  assert.deepEqual(faults([TYPE_META, LIST_META, { ...bad, name: 'Things' }]), []);
  assert.deepEqual(faults([TYPE_META, bad]), []);
});

test('isKnownViolation() lets nothing pass but the one exception', () => {
  const known: ListViolation = {
    rule: 'streaming_list_type_proto_tags',
    package: 'k8s.io/apimachinery/pkg/apis/meta/v1beta1',
    type: 'PartialObjectMetadataList',
    field: 'Items',
  };
  assert.ok(isKnownViolation(known));
  assert.ok(!isKnownViolation({ ...known, package: 'k8s.io/apimachinery/pkg/apis/meta/v1' }));
  assert.ok(!isKnownViolation({ ...known, rule: 'streaming_list_type_json_tags' }));
  assert.ok(!isKnownViolation({ ...known, field: 'TypeMeta' }));
});

function faults(fields: readonly ListField[]): string[] {
  return listViolations({ package: 'p', type: 'TList', fields }).map(({ rule, field }) => `${rule} ${field}`);
}

/** `core/v1.PodList`, as the field tables name types. */
function shortName({ package: path, type }: ListType): string {
  return `${path.split('/').slice(-2).join('/')}.${type}`;
}

type Comparable = { name: string; json: string; protobuf: string };

/** The tables keep what encoders need of the tags. */
function fieldOfRow(row: string): Comparable {
  const [name = '', json = '', , options = '', numbered = ''] = row.split('|');
  const [number, wire, label] = numbered.split(' ');
  const tag = [json, ...options.split(',').filter((option) => option !== '' && option !== 'inline')].join(
    ',',
  );
  return { name, json: tag, protobuf: numbered === '' ? '' : `${wire},${number},${label},name=${json}` };
}

function withoutInline({ name, json = '', protobuf = '' }: ListField): Comparable {
  return { name, json: json === ',inline' ? '' : json, protobuf };
}
