// A CustomResourceDefinition read: what it defines, in terms the rest of this folder works with.
import { JsonNumber, type JsonObject } from '@sluice/encoding';
import type { ApiObject, PrinterColumn, ScalePaths } from '../kind.ts';
import { compareVersions } from '../kinds.ts';
import { changed, list, members, text, texts } from '../tree.ts';

export type Names = {
  plural: string;
  singular: string;
  shortNames: readonly string[];
  kind: string;
  listKind: string;
  categories: readonly string[];
};

export type DefinitionVersion = {
  name: string;
  served: boolean;
  storage: boolean;
  /** The warning every answer carries. */
  deprecation: string | undefined;
  schema: JsonObject | undefined;
  hasStatus: boolean;
  scale: ScalePaths | undefined;
  /** Paths without the leading dot. */
  selectableFields: readonly string[];
  printerColumns: readonly PrinterColumn[];
};

export type Definition = {
  name: string;
  group: string;
  namespaced: boolean;
  /** What it asks for. */
  names: Names;
  /** What it got: its objects are served under these. */
  acceptedNames: Names;
  versions: readonly DefinitionVersion[];
  /** Every version that objects may be stored in. */
  storedVersions: readonly string[];
};

export function readDefinition(object: ApiObject): Definition {
  const spec = members(object.get('spec'));
  const group = text(spec.get('group'));
  const names = readNames(members(spec.get('names')));
  const versions = list(spec.get('versions')).map(members);
  const status = members(object.get('status'));
  return {
    name: text(members(object.get('metadata')).get('name')),
    group,
    namespaced: spec.get('scope') === 'Namespaced',
    names,
    acceptedNames: readNames(members(status.get('acceptedNames'))),
    versions: versions.map((version) => readVersion(version, group, names.kind, versions)),
    storedVersions: texts(status.get('storedVersions')),
  };
}

/** What a definition may leave out: singular, listKind, conversion, and the stored version of a new one. */
export function defaultDefinition(object: ApiObject): ApiObject {
  const spec = members(object.get('spec'));
  const names = members(spec.get('names'));
  const kind = text(names.get('kind'));
  const singular = text(names.get('singular')) || kind.toLowerCase();
  const listKind = text(names.get('listKind')) || (kind === '' ? '' : `${kind}List`);
  const defaulted = changed(names, { singular: singular || undefined, listKind: listKind || undefined });
  return changed(object, {
    spec: changed(spec, {
      names: defaulted,
      conversion: spec.get('conversion') ?? new Map([['strategy', 'None']]),
    }),
  });
}

function readNames(names: JsonObject): Names {
  return {
    plural: text(names.get('plural')),
    singular: text(names.get('singular')),
    shortNames: texts(names.get('shortNames')),
    kind: text(names.get('kind')),
    listKind: text(names.get('listKind')),
    categories: texts(names.get('categories')),
  };
}

function readVersion(
  version: JsonObject,
  group: string,
  kind: string,
  versions: readonly JsonObject[],
): DefinitionVersion {
  const name = text(version.get('name'));
  const schema = members(version.get('schema')).get('openAPIV3Schema');
  const subresources = members(version.get('subresources'));
  const said = text(version.get('deprecationWarning'));
  return {
    name,
    served: version.get('served') === true,
    storage: version.get('storage') === true,
    deprecation:
      version.get('deprecated') === true ? said || deprecationOf(name, group, kind, versions) : undefined,
    schema: schema instanceof Map ? schema : undefined,
    hasStatus: subresources.get('status') instanceof Map,
    scale: readScale(subresources),
    selectableFields: list(version.get('selectableFields')).map((field) =>
      text(members(field).get('jsonPath')).replace(/^\./, ''),
    ),
    printerColumns: list(version.get('additionalPrinterColumns')).map((column) =>
      readColumn(members(column)),
    ),
  };
}

/** Names the best version there is instead, if it is better. */
function deprecationOf(name: string, group: string, kind: string, versions: readonly JsonObject[]): string {
  const [better] = versions
    .filter((version) => version.get('served') === true && version.get('deprecated') !== true)
    .map((version) => text(version.get('name')))
    .filter((other) => compareVersions(other, name) < 0)
    .sort(compareVersions);
  const instead = better === undefined ? '' : `; use ${group}/${better} ${kind}`;
  return `${group}/${name} ${kind} is deprecated${instead}`;
}

function readColumn(column: JsonObject): PrinterColumn {
  const priority = column.get('priority');
  return {
    name: text(column.get('name')),
    type: text(column.get('type')),
    format: text(column.get('format')),
    description: text(column.get('description')),
    priority: priority instanceof JsonNumber ? Number(priority.text) : 0,
    jsonPath: text(column.get('jsonPath')),
  };
}

function readScale(subresources: JsonObject): ScalePaths | undefined {
  const scale = subresources.get('scale');
  if (!(scale instanceof Map)) return undefined;
  const path = (name: string): string => text(scale.get(name)).replace(/^\./, '');
  const labelSelector = path('labelSelectorPath');
  return {
    specReplicas: path('specReplicasPath'),
    statusReplicas: path('statusReplicasPath'),
    ...(labelSelector !== '' && { labelSelector }),
  };
}
