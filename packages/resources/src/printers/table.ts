// Objects as tables: the bytes of rows, and of whole tables around them.
import { ByteWriter, findPath, JsonNumber, quote } from '@sluice/encoding';
import type { Kind } from '../kind.ts';
import { AGE_MARK, type Ages, agesUpTo, Since } from './age.ts';
import { columnsJson } from './columns.ts';
import { type MetaVersion, writePartialObject } from './partial-object.ts';
import { type Printer, printerOf, SCALE, SCALE_OF_CUSTOM } from './printers.ts';
import type { Cell } from './row-printer.ts';

/** What of the object a row carries. */
export type Include = 'None' | 'Metadata' | 'Object';

export type TablePrinter = {
  /** The JSON array of columnDefinitions. */
  readonly columns: Uint8Array;
  /** What `rows` of a table without rows is. */
  readonly emptyRows: 'null' | '[]';
  /** `{"cells":[…],"conditions":[…],"object":…}`; ages are counted up to `now`. */
  row(item: Uint8Array, now: Date, include: Include, metaVersion: MetaVersion): Uint8Array;
  /**
   * Appends the row with AGE_MARK where ages go; times they are counted from, in milliseconds, are appended to `times` in
   * this order.
   */
  template(
    item: Uint8Array,
    out: ByteWriter,
    times: number[],
    include: Include,
    metaVersion: MetaVersion,
  ): void;
  /** The row of a watch's bookmark: the one that ends the initial events shows its metadata whatever was asked for. */
  bookmarkRow(item: Uint8Array, now: Date, include: Include, metaVersion: MetaVersion): Uint8Array;
};

/** What a list says of itself; each member is left out where it is absent or empty. */
export type TableMetadata = { resourceVersion: string; continueToken?: string; remainingItemCount?: number };

export function tableOf(kind: Kind): TablePrinter {
  let table = tables.get(kind);
  if (table === undefined) {
    const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
    const head = kind.custom ? '{' : `{"kind":"${kind.kind}","apiVersion":"${apiVersion}",`;
    table = tablePrinter(printerOf(kind), head, kind.custom);
    tables.set(kind, table);
  }
  return table;
}

/** The table of a Scale; its item lacks kind and apiVersion, also where it is a custom resource's. */
export function scaleTable(ofCustom: boolean): TablePrinter {
  return ofCustom ? CUSTOM_SCALE : BUILT_IN_SCALE;
}

/** What stands before a table's first row, up to the bracket. `later`: of a watch's events, the first alone has columns. */
export function tableHead(
  table: TablePrinter,
  metaVersion: MetaVersion,
  metadata: TableMetadata,
  later = false,
): Uint8Array {
  const columns = later ? NULL : table.columns;
  return Buffer.concat([Buffer.from(opening(metaVersion, metadata)), columns, ROWS, OPEN_BRACKET]);
}

/** What stands behind the last row. A list or a single object ends with a newline besides. */
export const TABLE_TAIL: Uint8Array = Buffer.from(']}');

/** A table without rows, whole, without the newline. */
export function emptyTable(
  table: TablePrinter,
  metaVersion: MetaVersion,
  metadata: TableMetadata,
): Uint8Array {
  const head = Buffer.from(opening(metaVersion, metadata));
  return Buffer.concat([head, table.columns, ROWS, Buffer.from(`${table.emptyRows}}`)]);
}

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
const NULL = Buffer.from('null');
const ROWS = Buffer.from(',"rows":');
const OPEN_BRACKET = Buffer.from('[');
const CLOSE_BRACE = Buffer.from('}');

const tables = new WeakMap<Kind, TablePrinter>();
const SCALE_HEAD = '{"kind":"Scale","apiVersion":"autoscaling/v1",';
const BUILT_IN_SCALE = tablePrinter(SCALE, SCALE_HEAD, false);
const CUSTOM_SCALE = tablePrinter(SCALE_OF_CUSTOM, SCALE_HEAD, false);

function opening(metaVersion: MetaVersion, metadata: TableMetadata): string {
  const { resourceVersion, continueToken, remainingItemCount } = metadata;
  const members: string[] = [];
  if (resourceVersion !== '') members.push(`"resourceVersion":${quote(resourceVersion)}`);
  if (continueToken) members.push(`"continue":${quote(continueToken)}`);
  if (remainingItemCount) members.push(`"remainingItemCount":${remainingItemCount}`);
  return `{"kind":"Table","apiVersion":"meta.k8s.io/${metaVersion}","metadata":{${members.join()}},"columnDefinitions":`;
}

/** `head` stands in front of an item's members where it is shown as an object. */
function tablePrinter(
  { columns, emptyRows, row: print }: Printer,
  head: string,
  custom: boolean,
): TablePrinter {
  const objectHead = Buffer.from(head);

  function write(
    item: Uint8Array,
    out: ByteWriter,
    ages: Ages,
    include: Include,
    metaVersion: MetaVersion,
  ): void {
    const { cells, conditions, metadata } = print(item);
    const texts = cells.map((cell) => cellText(cell, ages));
    out.text(`{"cells":[${texts.join()}],${conditions}"object":`);
    if (include === 'None') out.bytes(NULL);
    else if (include === 'Object') out.bytes(objectHead).bytes(item.subarray(1));
    else writePartialObject(out, item, metaVersion, custom, metadata);
    out.bytes(CLOSE_BRACE);
  }

  function row(item: Uint8Array, now: Date, include: Include, metaVersion: MetaVersion): Uint8Array {
    const out = new ByteWriter();
    write(item, out, agesUpTo(now.getTime()), include, metaVersion);
    return out.take();
  }

  return {
    columns: Buffer.from(columnsJson(columns)),
    emptyRows,
    row,
    template(item, out, times, include, metaVersion) {
      const marked: Ages = (since) => {
        times.push(since);
        return AGE_MARK;
      };
      write(item, out, marked, include, metaVersion);
    },
    bookmarkRow: (item, now, include, metaVersion) =>
      row(item, now, include === 'None' && endsInitialEvents(item) ? 'Metadata' : include, metaVersion),
  };
}

function endsInitialEvents(item: Uint8Array): boolean {
  return findPath(item, ['metadata', 'annotations', INITIAL_EVENTS_END]) !== undefined;
}

function cellText(cell: Cell, ages: Ages): string {
  if (typeof cell === 'string') return quote(cell);
  if (cell instanceof Since) return quote(cell.before + ages(cell.time) + cell.after);
  return cell instanceof JsonNumber ? cell.text : String(cell);
}
