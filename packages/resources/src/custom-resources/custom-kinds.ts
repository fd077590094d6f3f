// The kinds a CustomResourceDefinition brings: one for each version it serves.

import type { ApiObject, Codec, Kind, Subresource, Verb } from '../kind.ts';
import { customCodec } from '../schema/custom.ts';
import { type Definition, type DefinitionVersion, readDefinition } from './definition.ts';
import { shapeOf } from './shape.ts';
import { isEstablished } from './status.ts';

/** In the order kube-apiserver's discovery gives them for custom resources. */
const VERBS: readonly Verb[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];
const SUBRESOURCE_VERBS: readonly Verb[] = ['get', 'patch', 'update'];

/**
 * Empty as long as the definition isn't established: its names may belong to another. `whole` gives the definition with its
 * schemas when they are needed, if `object` has none.
 */
export function customKinds(object: ApiObject, whole: () => ApiObject = () => object): readonly Kind[] {
  if (!isEstablished(object)) return [];
  const definition = readDefinition(object);
  return definition.versions
    .filter((version) => version.served)
    .map((version) => customKind(definition, version, whole));
}

function customKind(definition: Definition, version: DefinitionVersion, whole: () => ApiObject): Kind {
  const { group, namespaced, acceptedNames, versions } = definition;
  const { plural, singular, kind, listKind, shortNames, categories } = acceptedNames;
  const storage = versions.find(({ storage }) => storage) ?? version;
  let codec: Codec | undefined;
  return {
    group,
    version: version.name,
    kind,
    listKind,
    plural,
    singular,
    shortNames,
    categories,
    namespaced,
    verbs: VERBS,
    subresources: subresourcesOf(definition, version),
    storagePrefix: `/registry/${group}/${plural}/`,
    storageVersion: `${group}/${storage.name}`,
    ...(definition.storedVersions.some((name) => name !== storage.name) && { mixed: true as const }),
    custom: true,
    selectableFields: version.selectableFields,
    printerColumns: version.printerColumns,
    ...(version.deprecation !== undefined && { deprecation: version.deprecation }),
    ...(version.scale !== undefined && { scale: version.scale }),
    get codec(): Codec {
      codec ??= customCodec({ group, version: version.name, kind }, () =>
        shapeOf(schemaIn(whole(), version.name)),
      );
      return codec;
    },
  };
}

function schemaIn(object: ApiObject, version: string): DefinitionVersion['schema'] {
  return readDefinition(object).versions.find(({ name }) => name === version)?.schema;
}

function subresourcesOf(definition: Definition, version: DefinitionVersion): readonly Subresource[] {
  const { group, acceptedNames } = definition;
  const status = {
    name: 'status',
    kind: acceptedNames.kind,
    group,
    version: version.name,
    verbs: SUBRESOURCE_VERBS,
  };
  const scale = {
    name: 'scale',
    kind: 'Scale',
    group: 'autoscaling',
    version: 'v1',
    verbs: SUBRESOURCE_VERBS,
  };
  return [...(version.hasStatus ? [status] : []), ...(version.scale ? [scale] : [])];
}
