// A label selector of an object as one line: `app=a,!w,x in (p,q)`.
import { compareUtf8, type JsonObject, type JsonValue, sortedKeys } from '@sluice/encoding';
import { labelKeyProblems, labelValueProblems } from '../names.ts';
import { list, members, text, texts } from '../tree.ts';
import { NONE } from './cell-text.ts';

/** `none`: it selects everything or isn't there. `unreadable`: it is no selector. */
export function selectorText(
  selector: JsonValue | undefined,
  none: string = NONE,
  unreadable: string = '<error>',
): string {
  const object = members(selector);
  const labels = members(object.get('matchLabels'));
  const requirements: Requirement[] = [];
  for (const key of sortedKeys(labels)) {
    requirements.push({ key, values: [text(labels.get(key))], operator: '=' });
  }
  for (const expression of list(object.get('matchExpressions'))) {
    requirements.push(readRequirement(members(expression)));
  }
  if (!requirements.every(isValid)) return unreadable;
  requirements.sort((a, b) => compareUtf8(a.key, b.key));
  return requirements.map(requirementText).join(',') || none;
}

type Requirement = { key: string; operator: string; values: string[] };

function readRequirement(expression: JsonObject): Requirement {
  return {
    key: text(expression.get('key')),
    operator: text(expression.get('operator')),
    values: texts(expression.get('values')).sort(compareUtf8),
  };
}

function isValid({ key, operator, values }: Requirement): boolean {
  if (labelKeyProblems(key).length > 0) return false;
  if (values.some((value) => labelValueProblems(value).length > 0)) return false;
  if (operator === 'In' || operator === 'NotIn') return values.length > 0;
  if (operator === 'Exists' || operator === 'DoesNotExist') return values.length === 0;
  return operator === '=';
}

function requirementText({ key, operator, values }: Requirement): string {
  switch (operator) {
    case '=':
      return `${key}=${values[0]}`;
    case 'In':
      return `${key} in (${values.join(',')})`;
    case 'NotIn':
      return `${key} notin (${values.join(',')})`;
    default:
      return operator === 'Exists' ? key : `!${key}`;
  }
}
