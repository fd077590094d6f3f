// Texts that cells of several kinds are made of.
import { compareUtf8, type JsonValue, sortedKeys } from '@sluice/encoding';
import { members, text } from '../tree.ts';

export const NONE = '<none>';
export const UNSET = '<unset>';
export const UNKNOWN = '<unknown>';

/** `a,b,c + 2 more...` */
export function firstFew(all: readonly string[], most: number, separator = ','): string {
  const shown = all.slice(0, most).join(separator);
  return all.length > most ? `${shown} + ${all.length - most} more...` : shown;
}

/** Sorted as Go sorts strings, each once. */
export function sortedSet(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort(compareUtf8);
}

/** `a=1,b=2`, or `<none>`. */
export function labelsText(labels: JsonValue | undefined): string {
  const object = members(labels);
  if (object.size === 0) return NONE;
  return sortedKeys(object)
    .map((key) => `${key}=${text(object.get(key))}`)
    .join(',');
}

/** What the reference makes of an optional flag. */
export function flagText(flag: boolean | undefined): string {
  return flag === undefined ? UNSET : flag ? 'True' : 'False';
}

export const TEMPLATE_CONTAINERS = { containers: [{ name: 'text', image: 'text' }] } as const;

/** Two cells: the containers' names, their images. */
export function containerCells(
  containers: readonly { name?: string; image?: string }[] | undefined,
): [string, string] {
  const all = containers ?? [];
  return [all.map(({ name }) => name ?? '').join(','), all.map(({ image }) => image ?? '').join(',')];
}
