// How a list looks in the representation that was negotiated: the form of its items, and what stands around them.
import { type Form, formOf, type StoredDefinition, type View } from '@sluice/cache';
import { type Include, type Kind, type MetaVersion, notAcceptableFor, tableOf } from '@sluice/resources';
import type { Representation } from '../negotiation.ts';
import { apiVersionOf } from '../object-bytes.ts';
import type { Parts } from '../parts.ts';
import { goListTypeOf } from '../representation/go-types.ts';
import { type Around, SPELLINGS } from './around.ts';
import { definitionOf } from './definition.ts';
import { type Frame, type ListMeta, metadataFrame, objectFrame, tableFrame } from './frame.ts';

export type ListShape = {
  mediaType: string;
  /** Undefined: items go out as they are stored. */
  form: Form | undefined;
  /** What must be known of all items before the first byte. */
  needs: 'nothing' | 'count' | 'bytes' | 'problems';
  around(meta: ListMeta): Around;
};

/** @throws ApiError 406 for a form of single objects */
export function listShape(
  parts: Parts,
  kind: Kind,
  representation: Representation,
  include: Include,
): ListShape {
  const view = viewOf(kind, representation, include);
  const encoding = representation.pretty ? 'pretty' : representation.encoding;
  const { frame, type } = framing(kind, view);
  const spelling = SPELLINGS[encoding];
  return {
    mediaType: representation.mediaType,
    form: formOf(kind, view, encoding, () => knownDefinition(parts, kind)),
    needs: spelling.needs,
    around: (meta) => spelling.around(frame(meta), meta, type),
  };
}

function viewOf(kind: Kind, { as }: Representation, include: Include): View {
  const version = as?.version as MetaVersion;
  switch (as?.kind) {
    case 'PartialObjectMetadataList':
      return { shows: 'metadata', version };
    case 'Table':
      return { shows: 'row', version, include };
    case 'PartialObjectMetadata':
      throw notAcceptableFor(
        `you requested PartialObjectMetadata, but the requested object is a list (${goListTypeOf(kind)})`,
      );
    default:
      return { shows: 'object' };
  }
}

type Framing = { frame(meta: ListMeta): Frame; type: { kind: string; apiVersion: string } };

function framing(kind: Kind, view: View): Framing {
  switch (view.shows) {
    case 'object':
      return {
        frame: (meta) => objectFrame(kind, meta),
        type: { kind: kind.listKind, apiVersion: apiVersionOf(kind) },
      };
    case 'metadata':
      return {
        frame: (meta) => metadataFrame(view.version, meta),
        type: { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${view.version}` },
      };
    case 'row': {
      const table = tableOf(kind);
      return {
        frame: (meta) => tableFrame(table, view.version, meta),
        type: { kind: 'Table', apiVersion: `meta.k8s.io/${view.version}` },
      };
    }
  }
}

function knownDefinition(parts: Parts, kind: Kind): StoredDefinition {
  const definition = definitionOf(parts, kind);
  if (!definition) throw new Error(`the definition of ${kind.plural}.${kind.group} is gone`);
  return definition;
}
