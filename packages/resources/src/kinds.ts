// Every kind that is served now: the built-in ones, and those of CustomResourceDefinitions as they come and go.
import { builtInKinds } from './builtin-kinds.ts';
import type { Kind } from './kind.ts';

/** Groups in the order kube-apiserver lists them: its own first, then custom ones by name. */
export interface Kinds {
  find(group: string, version: string, plural: string): Kind | undefined;
  /** In discovery's order. */
  all(): readonly Kind[];
  hasGroup(group: string): boolean;
  groups(): readonly string[];
  /** Preferred one first. */
  versionsOf(group: string): readonly string[];
  inVersion(group: string, version: string): readonly Kind[];
  /** Kinds whose objects lie below the prefix: more than one where several versions are served. */
  storedAt(storagePrefix: string): readonly Kind[];
  /** Serves the kinds of one definition instead of those it had before. */
  setCustom(definition: string, kinds: readonly Kind[]): void;
  removeCustom(definition: string): void;
  /** Tells each change after it was made. Gives the function that ends it. */
  onChange(listener: () => void): () => void;
}

export function openKinds(): Kinds {
  const builtIn = builtInKinds();
  const custom = new Map<string, readonly Kind[]>();
  const listeners = new Set<() => void>();
  let index = indexOf(builtIn);

  function change(): void {
    const added = [...custom.values()].flat().sort(byGroupAndPlural);
    index = indexOf([...builtIn, ...added]);
    for (const listener of listeners) listener();
  }

  return {
    find: (group, version, plural) => index.byPath.get(`${group}/${version}/${plural}`),
    all: () => index.all,
    hasGroup: (group) => index.versions.has(group),
    groups: () => [...index.versions.keys()],
    versionsOf: (group) => index.versions.get(group) ?? [],
    inVersion: (group, version) => index.byVersion.get(`${group}/${version}`) ?? [],
    storedAt: (storagePrefix) => index.all.filter((kind) => kind.storagePrefix === storagePrefix),
    setCustom(definition, kinds) {
      custom.set(definition, kinds);
      change();
    },
    removeCustom(definition) {
      if (custom.delete(definition)) change();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

type Index = {
  all: readonly Kind[];
  byPath: ReadonlyMap<string, Kind>;
  byVersion: ReadonlyMap<string, readonly Kind[]>;
  versions: ReadonlyMap<string, readonly string[]>;
};

function indexOf(all: readonly Kind[]): Index {
  const byPath = new Map<string, Kind>();
  const byVersion = new Map<string, Kind[]>();
  const versions = new Map<string, string[]>();
  for (const kind of all) {
    const groupVersion = `${kind.group}/${kind.version}`;
    byPath.set(`${groupVersion}/${kind.plural}`, kind);
    byVersion.set(groupVersion, [...(byVersion.get(groupVersion) ?? []), kind]);
    const known = versions.get(kind.group) ?? [];
    if (!known.includes(kind.version)) versions.set(kind.group, [...known, kind.version]);
  }
  for (const kind of all) {
    if (kind.custom) versions.get(kind.group)?.sort(compareVersions);
  }
  return { all, byPath, byVersion, versions };
}

function byGroupAndPlural(a: Kind, b: Kind): number {
  return (
    compareText(a.group, b.group) || compareVersions(a.version, b.version) || compareText(a.plural, b.plural)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const VERSION = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/;

/** kube-apiserver's order of versions: v10, v2, v1, v2beta1, v1beta2, v1alpha1, then any other name by its bytes. */
export function compareVersions(a: string, b: string): number {
  const left = VERSION.exec(a);
  const right = VERSION.exec(b);
  if (left === null || right === null) {
    if (left !== null) return -1;
    return right !== null ? 1 : compareText(a, b);
  }
  return (
    stability(right) - stability(left) ||
    Number(right[1]) - Number(left[1]) ||
    Number(right[3] ?? 0) - Number(left[3] ?? 0)
  );
}

function stability(parts: RegExpExecArray): number {
  return parts[2] === undefined ? 2 : parts[2] === 'beta' ? 1 : 0;
}
