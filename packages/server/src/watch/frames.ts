// The events of a watch: an object, its metadata or a Table of one row, framed as the negotiated encoding frames a stream.
import { cborFrame, encodeCbor, watchFrame } from '@sluice/encoding';
import {
  type ApiError,
  cborForm,
  encodeStatus,
  encodeStatusProtobuf,
  type Include,
  type Kind,
  type MetaVersion,
  partialObject,
  protobufCodec,
  TABLE_TAIL,
  tableHead,
  tableOf,
} from '@sluice/resources';
import type { Form } from '../list/form.ts';
import type { Representation } from '../negotiation.ts';
import { apiVersionOf, objectPieces, textIn, withResourceVersion } from '../object-bytes.ts';
import { metadataCodec } from '../representation/object-body.ts';
import type { HandedEvent } from '../threads/tasks.ts';
import { READ_MAX_BYTES } from '../threads/weight.ts';
import { annotationsOf, emptyObject } from './empty-object.ts';
import type { FramedEvents } from './framed-events.ts';

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
const END = Buffer.from('}\n');

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

export type FrameOptions = {
  representation: Representation;
  include: Include;
  now: () => Date;
  /** Brings stored items into the version that is watched. */
  form: Form | undefined;
  /** Where other watchers may have left the same event; undefined: there are none. */
  framed?: FramedEvents | undefined;
};

/** The watch was asked for in a form that no event has. */
export class NoListError extends Error {
  override readonly name = 'NoListError';
}

export class EventFrames {
  readonly #kind: Kind;
  readonly #options: FrameOptions;
  /** Columns are told with the first event. */
  #hasColumns: boolean;

  constructor(kind: Kind, options: FrameOptions, hasColumns = false) {
    this.#kind = kind;
    this.#options = options;
    this.#hasColumns = hasColumns;
  }

  /** `deleted`: the object is as it was, and shown with the revision of its deletion (or of its leaving the selector). */
  event(type: EventType, item: Uint8Array, deleted?: bigint): readonly Uint8Array[] {
    const { framed } = this.#options;
    const make = (): readonly Uint8Array[] => this.#event(type, item, deleted);
    if (framed === undefined || !this.#isShared) return make();
    const pieces = framed.of(item, this.#key(type, deleted), make);
    // Whoever made them has told the columns.
    this.#hasColumns ||= this.#options.representation.as?.kind === 'Table';
    return pieces;
  }

  #event(type: EventType, item: Uint8Array, deleted: bigint | undefined): readonly Uint8Array[] {
    const { form } = this.#options;
    const told = deleted === undefined ? item : withResourceVersion(item, deleted);
    return this.#framed(type, this.#shown(form ? form(told) : told, false));
  }

  /** JSON as it is stored costs less to frame than to look for. How a custom kind is converted may change meanwhile. */
  get #isShared(): boolean {
    const { form, representation } = this.#options;
    if (form !== undefined) return !this.#kind.custom;
    return representation.encoding !== 'json' || representation.as !== null;
  }

  /** Rows tell ages, to the second. */
  #key(type: EventType, deleted: bigint | undefined): string {
    const { include, now, representation } = this.#options;
    const { encoding, as } = representation;
    const second = as?.kind === 'Table' ? Math.floor(now().getTime() / 1000) : '';
    const kind = `${apiVersionOf(this.#kind)} ${this.#kind.kind}`;
    return `${kind} ${type} ${deleted} ${encoding} ${as?.kind} ${as?.version} ${include} ${this.#hasColumns} ${second}`;
  }

  /** Whether the event is much to make: its object is large, and not sent as it is stored. */
  isHeavy(item: Uint8Array): boolean {
    const { form, representation } = this.#options;
    const { encoding, as } = representation;
    const isCopied = encoding === 'json' && as === null && !form;
    return item.length > READ_MAX_BYTES && !isCopied && as?.kind !== 'PartialObjectMetadataList';
  }

  /** What a thread must know to make the next event. */
  handed(): Pick<HandedEvent, 'representation' | 'include' | 'hasColumns'> {
    const { representation, include } = this.#options;
    const hasColumns = this.#hasColumns;
    this.#hasColumns ||= representation.as?.kind === 'Table';
    return { representation, include, hasColumns };
  }

  /** An object of the kind with nothing but a resourceVersion; `endsInitial` marks the end of the initial events. */
  bookmark(revision: bigint, endsInitial: boolean): Uint8Array {
    const object = emptyObject(this.#kind);
    if (endsInitial) annotationsOf(object).set(INITIAL_EVENTS_END, 'true');
    if (this.#kind.custom) {
      object.set('apiVersion', apiVersionOf(this.#kind));
      object.set('kind', this.#kind.kind);
    }
    const { head, tail } = this.#kind.codec.encode(object);
    const item = Buffer.concat([head, Buffer.from(String(revision)), tail]);
    return Buffer.concat(this.#framed('BOOKMARK', this.#shown(item, true)));
  }

  /** A Status is shown as it is, whatever objects are shown as. */
  error({ status }: ApiError): Uint8Array {
    const { encoding } = this.#options.representation;
    if (encoding === 'protobuf') return watchFrame('ERROR', encodeStatusProtobuf(status));
    const json = encodeStatus(status).subarray(0, -1);
    if (encoding === 'cbor') return cborFrame('ERROR', encodeCbor(json));
    return Buffer.concat(this.#framed('ERROR', [json]));
  }

  /** A whole object in the negotiated encoding, in pieces. */
  #shown(item: Uint8Array, isBookmark: boolean): readonly Uint8Array[] {
    const { encoding, as } = this.#options.representation;
    const version = as?.version as MetaVersion;
    switch (as?.kind) {
      case 'Table':
        return this.#table(item, version, isBookmark);
      case 'PartialObjectMetadata': {
        const json = partialObject(item, version, this.#kind.custom);
        if (encoding === 'protobuf') return [metadataCodec(version).encode(json)];
        return [encoding === 'cbor' ? encodeCbor(json) : json];
      }
      case 'PartialObjectMetadataList':
        throw new NoListError('an event is no list');
      default: {
        const pieces = objectPieces(this.#kind, item);
        if (encoding === 'json') return pieces;
        const json = Buffer.concat(pieces);
        if (encoding === 'protobuf') return [protobufCodec(this.#kind)!.encode(json)];
        return [encodeCbor(json, this.#kind.custom ? undefined : cborForm(this.#kind))];
      }
    }
  }

  #table(item: Uint8Array, version: MetaVersion, isBookmark: boolean): readonly Uint8Array[] {
    const { include, now } = this.#options;
    const table = tableOf(this.#kind);
    const metadata = { resourceVersion: textIn(item, 'metadata', 'resourceVersion') };
    const head = tableHead(table, version, metadata, this.#hasColumns);
    this.#hasColumns = true;
    const row = isBookmark
      ? table.bookmarkRow(item, now(), include, version)
      : table.row(item, now(), include, version);
    return [head, row, TABLE_TAIL];
  }

  #framed(type: EventType, object: readonly Uint8Array[]): readonly Uint8Array[] {
    switch (this.#options.representation.encoding) {
      case 'protobuf':
        return [watchFrame(type, object[0]!)];
      case 'cbor':
        return [cborFrame(type, object[0]!)];
      default:
        return [HEADS[type], ...object, END];
    }
  }
}

const HEADS: Readonly<Record<EventType, Uint8Array>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
  ERROR: Buffer.from('{"type":"ERROR","object":'),
};
