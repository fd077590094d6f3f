// A label selector as the text that clients put into queries.
import { compareUtf8, type JsonValue } from '@sluice/encoding';
import { objectsAt, textAt, textsAt, valueAt } from './tree.ts';

/** Of a LabelSelector, or of a plain map of labels as replication controllers have. */
export function labelSelectorText(selector: JsonValue | undefined): string {
  if (!(selector instanceof Map)) return '';
  const isStructured = selector.has('matchLabels') || selector.has('matchExpressions');
  const labels = isStructured ? valueAt(selector, 'matchLabels') : selector;
  const terms: [key: string, text: string][] = [];
  for (const [key, value] of labels instanceof Map ? labels : [])
    terms.push([key, `${key}=${String(value)}`]);
  for (const expression of objectsAt(selector, 'matchExpressions')) {
    const key = textAt(expression, 'key');
    terms.push([key, expressionText(key, textAt(expression, 'operator'), textsAt(expression, 'values'))]);
  }
  terms.sort(([a], [b]) => compareUtf8(a, b));
  return terms.map(([, text]) => text).join(',');
}

function expressionText(key: string, operator: string, values: readonly string[]): string {
  const set = `(${[...values].sort(compareUtf8).join(',')})`;
  switch (operator) {
    case 'In':
      return `${key} in ${set}`;
    case 'NotIn':
      return `${key} notin ${set}`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
