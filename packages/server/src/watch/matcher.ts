// Whether a watch's selectors show an object, asked of one item at a time.
import { labelsOf } from '@sluice/cache';
import { checkFieldLabels, fieldReader, type Kind } from '@sluice/resources';
import { fieldOfKey, isFieldOfKey } from '../list/selection.ts';
import type { ListOptions } from '../list-options.ts';

/** @throws ApiError 400 for a field the kind can't be selected by. */
export function openMatcher(
  kind: Kind,
  options: ListOptions,
): (item: { key: string; bytes: Uint8Array }) => boolean {
  const fields = checkFieldLabels(kind, options.fieldSelector);
  const labels = options.labelSelector;
  const fromKey = fields.terms.every(({ field }) => isFieldOfKey(field));
  return ({ key, bytes }) => {
    if (!labels.empty && !labels.matches(labelsOf(bytes))) return false;
    if (fields.empty) return true;
    if (fromKey) return fields.matches((field) => fieldOfKey(kind, key, field));
    return fields.matches(fieldReader(kind, bytes));
  };
}
