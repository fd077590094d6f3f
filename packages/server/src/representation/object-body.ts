// One object's body: as it is, its metadata alone, or a Table with one row, in the encoding that was negotiated.
import {
  cborForm,
  type Include,
  type Kind,
  type MetaVersion,
  notAcceptableFor,
  partialObject,
  protobufCodec,
  scaleTable,
  TABLE_TAIL,
  tableHead,
  tableOf,
} from '@sluice/resources';
import type { Representation } from '../negotiation.ts';
import { objectPieces, textIn } from '../object-bytes.ts';
import { goTypeOf } from './go-types.ts';
import { spelled } from './spelling.ts';

export type ObjectOptions = {
  include: Include;
  now: Date;
  /** A Scale is printed by the table of what it scales. */
  scales: 'built-in' | 'custom' | undefined;
};

/** @throws ApiError 406 when the form is one for lists, 500 for what YAML can't show. */
export function objectBody(
  kind: Kind,
  item: Uint8Array,
  representation: Representation,
  options: ObjectOptions,
): Uint8Array {
  const { encoding, as } = representation;
  const version = as?.version as MetaVersion;
  switch (as?.kind) {
    case 'Table':
      return spelled(tableOfOne(kind, item, version, options), representation);
    case 'PartialObjectMetadata':
      return encoding === 'protobuf'
        ? metadataCodec(version).encode(partialObject(item, version, kind.custom))
        : spelled(partialObject(item, version, kind.custom), representation);
    case 'PartialObjectMetadataList':
      throw notAcceptableFor(
        `you requested PartialObjectMetadataList, but the requested object is not a list (${goTypeOf(kind)})`,
      );
    default: {
      const json = Buffer.concat(objectPieces(kind, item));
      if (encoding === 'protobuf') return protobufCodec(kind)!.encode(json);
      return spelled(json, representation, kind.custom ? undefined : cborForm(kind));
    }
  }
}

/** The only types whose objects are encoded without their own kind. */
export function metadataCodec(version: MetaVersion): NonNullable<ReturnType<typeof protobufCodec>> {
  return protobufCodec({ group: 'meta.k8s.io', version, kind: 'PartialObjectMetadata' })!;
}

function tableOfOne(
  kind: Kind,
  item: Uint8Array,
  version: MetaVersion,
  { include, now, scales }: ObjectOptions,
): Uint8Array {
  const table = scales ? scaleTable(scales === 'custom') : tableOf(kind);
  return Buffer.concat([
    tableHead(table, version, { resourceVersion: textIn(item, 'metadata', 'resourceVersion') }),
    table.row(item, now, include, version),
    TABLE_TAIL,
  ]);
}
