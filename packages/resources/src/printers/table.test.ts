// Whole tables against recorded bodies: lists, single objects, scales, watches.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Kind, PrinterColumn } from '../kind.ts';
import { openKinds } from '../kinds.ts';
import { customKind } from './custom-kind.fixture.ts';
import { type MetaVersion, partialObject } from './partial-object.ts';
import {
  emptyTable,
  type Include,
  scaleTable,
  TABLE_TAIL,
  type TableMetadata,
  type TablePrinter,
  tableHead,
  tableOf,
} from './table.ts';

type Recorded = {
  resource: string;
  printerColumns?: PrinterColumn[];
  now: number;
  include: Include;
  metaVersion: MetaVersion;
  /** A list's. */
  items?: string[];
  /** A single object. */
  object?: string;
  scale?: boolean;
  body?: string;
  /** A watch's lines, as objects and as tables. */
  events?: string[];
  tableEvents?: string[];
};

const recorded: Recorded[] = readFileSync(
  new URL('../../testdata/table-bodies.ndjson', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const kinds = openKinds();

test('tableOf() and what stands around its rows make the lists that were recorded', () => {
  for (const { items, body, ...about } of recorded) {
    if (items === undefined) continue;
    const table = tableOf(kindOf(about));
    const metadata = metadataOf(body!);
    const rows = items.map((item) => row(table, item, about));
    const made =
      rows.length === 0
        ? emptyTable(table, about.metaVersion, metadata)
        : whole(tableHead(table, about.metaVersion, metadata), rows);
    assert.equal(`${Buffer.from(made)}\n`, body, about.resource);
  }
});

test('tableOf() and scaleTable() make the tables of one object that were recorded', () => {
  for (const { object, body, ...about } of recorded) {
    if (object === undefined) continue;
    const kind = kindOf(about);
    const table = about.scale ? scaleTable(kind.custom) : tableOf(kind);
    const item =
      kind.custom && !about.scale ? object : object.replace(/^\{"kind":"\w+","apiVersion":"[^"]*",/, '{');
    const head = tableHead(table, about.metaVersion, metadataOf(body!));
    assert.equal(`${Buffer.from(whole(head, [row(table, item, about)]))}\n`, body, about.resource);
  }
});

test('tableOf() makes the events that were recorded, with columns in the first alone', () => {
  for (const { events, tableEvents, ...about } of recorded) {
    if (events === undefined) continue;
    const kind = kindOf(about);
    const table = tableOf(kind);
    const made = tableEvents!.map((line, index) => {
      const isBookmark = line.startsWith('{"type":"BOOKMARK"');
      const object = events[index]!.replace(/^\{"type":"\w+","object":/, '').slice(0, -1);
      const item = kind.custom ? object : object.replace(/^\{"kind":"\w+","apiVersion":"[^"]*",/, '{');
      const head = tableHead(table, about.metaVersion, metadataOf(line), index > 0);
      const event = whole(head, [row(table, item, about, isBookmark)]);
      return `{"type":"${isBookmark ? 'BOOKMARK' : 'ADDED'}","object":${Buffer.from(event)}}`;
    });
    assert.deepEqual(made, tableEvents, about.resource);
  }
});

test('bookmarkRow() shows the metadata of the bookmark that ends the initial events, of others as asked', () => {
  const table = tableOf(kinds.find('apps', 'v1', 'daemonsets')!);
  const rowOf = (annotations: string, include: Include): unknown =>
    JSON.parse(
      table
        .bookmarkRow(
          Buffer.from(
            `{"metadata":{"resourceVersion":"7","annotations":${annotations}},"spec":{"selector":null}}`,
          ),
          new Date(0),
          include,
          'v1',
        )
        .toString(),
    ).object;
  assert.equal(rowOf('{"deprecated.daemonset.template.generation":"0"}', 'None'), null);
  assert.notEqual(rowOf('{"k8s.io/initial-events-end":"true"}', 'None'), null);
  assert.notEqual(rowOf('{"deprecated.daemonset.template.generation":"0"}', 'Metadata'), null);
});

test('partialObject() cuts the metadata out as it lies, and orders that of a custom resource', () => {
  const text = (item: string, custom: boolean): string =>
    partialObject(Buffer.from(item), 'v1beta1', custom).toString();
  const head = '{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1beta1","metadata":';
  assert.equal(
    text('{"metadata":{"name":"é","uid":"u"},"spec":{}}', false),
    `${head}{"name":"é","uid":"u"}}`,
  );
  assert.equal(
    text(
      '{"apiVersion":"g/v1","kind":"K","metadata":{"labels":{"b":"1","a":"<"},"name":"n","namespace":"s"}}',
      true,
    ),
    `${head}{"name":"n","namespace":"s","labels":{"a":"\\u003c","b":"1"}}}`,
  );
  assert.equal(text('{"kind":"K"}', true), `${head}{}}`);
});

function row(table: TablePrinter, item: string, about: Recorded, isBookmark = false): Uint8Array {
  const print = isBookmark ? table.bookmarkRow : table.row;
  return print(Buffer.from(item), new Date(about.now), about.include, about.metaVersion);
}

function whole(head: Uint8Array, rows: readonly Uint8Array[]): Uint8Array {
  const pieces = rows.flatMap((bytes, index) => (index === 0 ? [bytes] : [Buffer.from(','), bytes]));
  return Buffer.concat([head, ...pieces, TABLE_TAIL]);
}

function metadataOf(body: string): TableMetadata {
  const { metadata } = JSON.parse(
    body.startsWith('{"type"') ? body.slice(body.indexOf('"object":') + 9, -1) : body,
  );
  return {
    resourceVersion: metadata.resourceVersion,
    continueToken: metadata.continue,
    remainingItemCount: metadata.remainingItemCount,
  };
}

function kindOf({ resource, printerColumns }: Recorded): Kind {
  const plural = resource.slice(resource.lastIndexOf('/') + 1);
  if (printerColumns === undefined) {
    return kinds
      .all()
      .find(
        (kind) =>
          resource === `${kind.group}${kind.group && '/'}${kind.version}/${plural}` && kind.plural === plural,
      )!;
  }
  const singular = plural.slice(0, -1);
  return customKind('bd.test', plural, singular[0]!.toUpperCase() + singular.slice(1), printerColumns);
}
