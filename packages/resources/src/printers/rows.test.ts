// Every kind's rows against those that were recorded.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ByteWriter, quote } from '@sluice/encoding';
import { TABLE_COLUMNS } from '../generated/table-columns.ts';
import type { Kind } from '../kind.ts';
import { openKinds } from '../kinds.ts';
import { AGE_MARK, humanDuration } from './age.ts';
import { columnsJson } from './columns.ts';
import { printerOf } from './printers.ts';
import { type TablePrinter, tableOf } from './table.ts';

type Recorded = { resource: string; now: number; item: string; row: string };

const kinds = openKinds();
const recorded: Recorded[] = readFileSync(
  new URL('../../testdata/table-rows.ndjson', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

test('tableOf() makes the rows that were recorded', () => {
  for (const { resource, now, item, row } of recorded) {
    const made = tableOf(kindOf(resource)).row(Buffer.from(item), new Date(now), 'None', 'v1');
    assert.equal(made.toString(), row, `${resource} ${item}`);
  }
});

test('template() is the row with marks for its ages, and tells their times in order', () => {
  for (const { resource, now, item } of recorded) {
    const table = tableOf(kindOf(resource));
    const times: number[] = [];
    const pieces = templateOf(table, item, times).split(AGE_MARK);
    assert.equal(pieces.length, times.length + 1);
    const ages = times.map((time) => quote(humanDuration(now - time)).slice(1, -1));
    const filled = pieces.map((piece, i) => piece + (ages[i] ?? '')).join('');
    assert.equal(filled, table.row(Buffer.from(item), new Date(now), 'Object', 'v1').toString(), resource);
  }
});

test('tableOf() was held against rows of every kind that is stored', () => {
  const seen = new Set(recorded.map(({ resource }) => resource));
  const unseen = Object.keys(TABLE_COLUMNS).filter((resource) => !seen.has(resource));
  assert.deepEqual(unseen, ['v1/componentstatuses']);
});

test('tableOf() shows componentstatuses', () => {
  const row = (conditions: string): string =>
    tableOf(kindOf('v1/componentstatuses'))
      .row(Buffer.from(`{"metadata":{"name":"etcd-0"}${conditions}}`), new Date(0), 'None', 'v1')
      .toString();
  assert.equal(
    row(',"conditions":[{"type":"Healthy","status":"True","message":"ok"}]'),
    '{"cells":["etcd-0","Healthy","ok",""],"object":null}',
  );
  assert.equal(
    row(',"conditions":[{"type":"Healthy","status":"False","message":"m","error":"e"}]'),
    '{"cells":["etcd-0","Unhealthy","m","e"],"object":null}',
  );
  assert.equal(row(''), '{"cells":["etcd-0","Unknown","",""],"object":null}');
});

test('printerOf() has the recorded columns of every kind', () => {
  const tables: Record<string, unknown> = JSON.parse(
    readFileSync(new URL('../../testdata/table-columns.json', import.meta.url), 'utf8'),
  );
  for (const [resource, columns] of Object.entries(tables)) {
    assert.deepEqual(JSON.parse(columnsJson(printerOf(kindOf(resource)).columns)), columns, resource);
  }
  const listed = kinds.all().filter(({ verbs }) => verbs.includes('list'));
  assert.deepEqual(
    listed.map(resourceOf).filter((resource) => !(resource in tables)),
    [],
  );
});

/** One that never was a Pod's: whatever comes in is printed, not thrown at. */
test('tableOf() prints objects that lack nearly everything', () => {
  for (const kind of kinds.all()) {
    for (const item of [
      '{}',
      '{"metadata":null,"spec":null,"status":null}',
      '{"metadata":{},"spec":{},"status":{}}',
    ]) {
      const row = tableOf(kind).row(Buffer.from(item), new Date(0), 'Metadata', 'v1').toString();
      assert.ok(Array.isArray(JSON.parse(row).cells), kind.kind);
    }
  }
});

test('tableOf() keeps an int64 and a number beyond it as they are spelled', () => {
  const row = tableOf(kindOf('apps/v1/controllerrevisions')).row(
    Buffer.from('{"metadata":{"name":"r"},"revision":9223372036854775807}'),
    new Date(0),
    'None',
    'v1',
  );
  assert.equal(
    row.toString(),
    '{"cells":["r","\\u003cnone\\u003e",9223372036854775807,"\\u003cunknown\\u003e"],"object":null}',
  );
});

function kindOf(resource: string): Kind {
  return kinds.all().find((kind) => resourceOf(kind) === resource)!;
}

function resourceOf({ group, version, plural }: Kind): string {
  return group === '' ? `${version}/${plural}` : `${group}/${version}/${plural}`;
}

function templateOf(table: TablePrinter, item: string, times: number[]): string {
  const out = new ByteWriter();
  table.template(Buffer.from(item), out, times, 'Object', 'v1');
  return Buffer.from(out.take()).toString();
}
