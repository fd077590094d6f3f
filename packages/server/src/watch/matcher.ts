// Whether a watch's selectors show an object, asked of one item at a time.
import { labelsOf } from '@sluice/cache';
import { fieldReader, type Kind } from '@sluice/resources';
import { fieldOfKey, isFieldOfKey } from '../list/selection.ts';
import type { ListOptions } from '../list-options.ts';

export function openMatcher(
  kind: Kind,
  options: ListOptions,
): (item: { key: string; bytes: Uint8Array }) => boolean {
  const { fieldSelector: fields, labelSelector: labels } = options;
  const fromKey = fields.terms.every(({ field }) => isFieldOfKey(field));
  return ({ key, bytes }) => {
    if (!labels.empty && !labels.matches(labelsOf(bytes))) return false;
    if (fields.empty) return true;
    if (fromKey) return fields.matches((field) => fieldOfKey(kind, key, field));
    return fields.matches(fieldReader(kind, bytes));
  };
}
