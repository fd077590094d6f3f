// Groups of the Kubernetes community are protected: a definition in one must say who approved it.
import { goQuote } from '../go-quote.ts';
import type { ApiObject } from '../kind.ts';
import { members, text } from '../tree.ts';
import { type FieldError, invalidValue, requiredValue } from '../validation.ts';

const ANNOTATION = 'api-approved.kubernetes.io';
const FIELD = `metadata.annotations[${ANNOTATION}]`;
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

type Approval = 'missing' | 'bypassed' | 'approved' | 'invalid';

/** A change that leaves the approval as it was is let through. */
export function approvalErrors(object: ApiObject, old?: ApiObject): FieldError[] {
  if (!isProtected(text(members(object.get('spec')).get('group')))) return [];
  const approval = approvalOf(object);
  if (old !== undefined && approval === approvalOf(old)) return [];
  const demand = `protected groups must have approval annotation ${goQuote(ANNOTATION)}`;
  if (approval === 'missing') return [requiredValue(FIELD, `${demand}, ${SEE}`)];
  if (approval !== 'invalid') return [];
  const detail = `${demand} with either a URL or a reason starting with "unapproved", ${SEE}`;
  return [invalidValue(FIELD, annotationOf(object), detail)];
}

function isProtected(group: string): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}

function approvalOf(object: ApiObject): Approval {
  const annotation = annotationOf(object);
  if (annotation === '') return 'missing';
  if (annotation.startsWith('unapproved')) return 'bypassed';
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/]/.test(annotation) && URL.canParse(annotation)
    ? 'approved'
    : 'invalid';
}

function annotationOf(object: ApiObject): string {
  return text(members(members(object.get('metadata')).get('annotations')).get(ANNOTATION));
}
