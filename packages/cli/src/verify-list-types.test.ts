// The command tells what the analysis found, and its exit code whether that is new.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type ListType, listTypes } from '@sluice/resources';
import { verify } from './verify-list-types.ts';

const LINES = ['ListMeta', 'Items'].map(
  (field) =>
    `API rule violation: streaming_list_type_proto_tags,k8s.io/apimachinery/pkg/apis/meta/v1beta1,PartialObjectMetadataList,${field}\n`,
);

test('sluice verify-list-types prints the two known violations and is content', () => {
  const { stdout, stderr, status } = command();
  assert.equal(stdout, LINES.join(''));
  assert.equal(
    stderr,
    '160 list types, 2 violations, 2 of them known: k8s.io/apimachinery/pkg/apis/meta/v1beta1.PartialObjectMetadataList\n',
  );
  assert.equal(status, 0);
});

test('sluice verify-list-types --json tells the same to programs', () => {
  const { stdout, stderr, status } = command('--json');
  const { types, violations } = JSON.parse(stdout) as { types: ListType[]; violations: { known: boolean }[] };
  assert.equal(types.length, 160);
  assert.deepEqual(
    violations.map(({ known }) => known),
    [true, true],
  );
  assert.deepEqual([stderr, status], ['', 0]);
});

test('sluice verify-list-types refuses what it does not know', () => {
  const { stderr, status } = command('--yaml');
  assert.match(stderr, /Unknown option '--yaml'/);
  assert.equal(status, 2);
});

test('verify() fails for each planted fault, wherever it is', async () => {
  const types = await listTypes();
  const place = types.findIndex(
    ({ package: path, type }) => path === 'k8s.io/api/core/v1' && type === 'PodList',
  );
  const pods = types[place]!;
  const [typeMeta, listMeta, items] = pods.fields as [Field, Field, Field];
  const plants: [Field[], string][] = [
    [[typeMeta, items, listMeta], 'streaming_list_type_field_order,k8s.io/api/core/v1,PodList,Items'],
    [
      [{ ...typeMeta, embedded: false }, listMeta, items],
      'streaming_list_type_json_tags,k8s.io/api/core/v1,PodList,TypeMeta',
    ],
    [
      [typeMeta, { ...listMeta, json: 'meta' }, items],
      'streaming_list_type_json_tags,k8s.io/api/core/v1,PodList,ListMeta',
    ],
    [
      [typeMeta, listMeta, { ...items, json: 'items,omitempty' }],
      'streaming_list_type_json_tags,k8s.io/api/core/v1,PodList,Items',
    ],
    [
      [typeMeta, listMeta, { ...items, protobuf: 'bytes,3,rep,name=items' }],
      'streaming_list_type_proto_tags,k8s.io/api/core/v1,PodList,Items',
    ],
  ];
  for (const [fields, line] of plants) {
    const { out, summary, code } = verify(types.with(place, { ...pods, fields }), false);
    assert.ok(out.includes(`API rule violation: ${line}\n`), out);
    assert.match(summary, /^160 list types, [34] violations, 2 of them known/);
    assert.equal(code, 1);
  }
});

type Field = ListType['fields'][number];

function command(...args: string[]): { stdout: string; stderr: string; status: number | null } {
  const program = fileURLToPath(new URL('../bin/sluice.mjs', import.meta.url));
  return spawnSync(process.execPath, [program, 'verify-list-types', ...args], { encoding: 'utf8' });
}
