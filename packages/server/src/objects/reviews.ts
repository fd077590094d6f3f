// POST of a kind that is never stored: who am I, and may I, or may another, do this?
import type { JsonObject } from '@sluice/encoding';
import {
  type ApiObject,
  type FieldError,
  invalid,
  invalidValue,
  type Kind,
  methodNotAllowed,
  requiredValue,
} from '@sluice/resources';
import type { ApiRequest, ObjectAnswer, ResourceTarget, User } from '../api.ts';
import { permission, type Wanted } from '../authorization.ts';
import type { ObjectParts } from '../parts.ts';
import { readObject } from './body.ts';
import { ensureNamespace, metadataOf, timeText } from './metadata.ts';
import { readWriteOptions } from './options.ts';
import { shownItem } from './stored.ts';
import { textAt, textsAt, valueAt } from './tree.ts';

/** @throws ApiError 422; 405 for a kind that nothing here can answer */
export async function answerReview(
  parts: ObjectParts,
  { kind, namespace }: ResourceTarget,
  request: ApiRequest,
): Promise<ObjectAnswer> {
  const { fieldValidation } = readWriteOptions(request.query, 'CreateOptions');
  if (!ANSWERED.has(kind.kind)) throw methodNotAllowed();
  const review = await readObject(request, kind, fieldValidation);
  ensureNamespace(kind, review, namespace);
  if (kind.kind === 'SelfSubjectReview') tellUser(review, request.user, parts.now());
  else tellAccess(kind, review, request.user);
  return { type: 'object', code: 201, kind, item: shownItem(kind, review, undefined) };
}

const ANSWERED: ReadonlySet<string> = new Set([
  'SelfSubjectReview',
  'SelfSubjectAccessReview',
  'SubjectAccessReview',
  'LocalSubjectAccessReview',
]);

function tellUser(review: ApiObject, { name, uid, groups }: User, now: Date): void {
  const user: JsonObject = new Map([['username', name]]);
  if (uid !== '') user.set('uid', uid);
  if (groups.length > 0) user.set('groups', [...groups]);
  review.set('metadata', new Map([['creationTimestamp', timeText(now)]]));
  review.set('status', new Map([['userInfo', user]]));
}

function tellAccess(kind: Kind, review: ApiObject, asking: User): void {
  const isSelf = kind.kind === 'SelfSubjectAccessReview';
  const errors = [...attributeErrors(review), ...subjectErrors(isSelf, review), ...placeErrors(kind, review)];
  if (errors.length > 0) throw invalid({ group: kind.group, kind: '' }, '', errors);
  const user = isSelf ? asking : subjectOf(review);
  const { allowed, reason } = permission(user, wantedOf(review));
  const status: JsonObject = new Map([['allowed', allowed]]);
  if (reason !== '') status.set('reason', reason);
  review.set('status', status);
}

function attributeErrors(review: ApiObject): FieldError[] {
  const resource = valueAt(review, 'spec', 'resourceAttributes');
  const other = valueAt(review, 'spec', 'nonResourceAttributes');
  const errors: FieldError[] = [];
  if ((resource === undefined) === (other === undefined)) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(invalidValue('spec', shownAttributes(review), why));
  }
  for (const name of ['fieldSelector', 'labelSelector']) {
    if (valueAt(resource, name) !== undefined)
      errors.push(...selectorErrors(resource as JsonObject, name, `spec.resourceAttributes.${name}`));
  }
  return errors;
}

/** The reference shows its own structure, whose members have no JSON names. */
function shownAttributes(review: ApiObject): JsonObject | null {
  const attributes = valueAt(review, 'spec', 'nonResourceAttributes');
  if (attributes === undefined) return null;
  return new Map([
    ['Path', textAt(attributes, 'path')],
    ['Verb', textAt(attributes, 'verb')],
  ]);
}

function selectorErrors(resource: JsonObject, name: string, path: string): FieldError[] {
  const raw = textAt(resource, name, 'rawSelector');
  const requirements = valueAt(resource, name, 'requirements');
  const hasRequirements = Array.isArray(requirements) && requirements.length > 0;
  if (raw !== '' && hasRequirements) {
    const why = 'may not specified at the same time as requirements';
    return [invalidValue(`${path}.rawSelector`, raw, why)];
  }
  if (raw !== '' || hasRequirements) return [];
  return [
    requiredValue(
      `${path}.requirements`,
      `when ${path} is specified, requirements or rawSelector is required`,
    ),
  ];
}

function subjectErrors(isSelf: boolean, review: ApiObject): FieldError[] {
  const { name, groups } = subjectOf(review);
  if (isSelf || name !== '' || groups.length > 0) return [];
  return [invalidValue('spec.user', '', 'at least one of user or group must be specified')];
}

function placeErrors({ namespaced }: Kind, review: ApiObject): FieldError[] {
  const metadata = metadataOf(review);
  const errors: FieldError[] = [];
  const mayHave = namespaced ? ['managedFields', 'namespace'] : ['managedFields'];
  if ([...metadata.keys()].some((name) => !mayHave.includes(name))) {
    const why = namespaced ? 'must be empty except for namespace' : 'must be empty';
    errors.push(invalidValue('metadata', metadata, why));
  }
  if (!namespaced) return errors;
  const resource = valueAt(review, 'spec', 'resourceAttributes');
  const namespace = textAt(resource, 'namespace');
  if (resource !== undefined && namespace !== textAt(metadata, 'namespace')) {
    errors.push(
      invalidValue('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'),
    );
  }
  if (valueAt(review, 'spec', 'nonResourceAttributes') !== undefined) {
    const why = 'disallowed on this kind of request';
    errors.push(invalidValue('spec.nonResourceAttributes', shownAttributes(review), why));
  }
  return errors;
}

function subjectOf(review: ApiObject): User {
  const spec = valueAt(review, 'spec');
  return { name: textAt(spec, 'user'), uid: textAt(spec, 'uid'), groups: textsAt(spec, 'groups') };
}

function wantedOf(review: ApiObject): Wanted {
  const resource = valueAt(review, 'spec', 'resourceAttributes');
  const attributes = resource ?? valueAt(review, 'spec', 'nonResourceAttributes');
  return {
    isResource: resource !== undefined,
    verb: textAt(attributes, 'verb'),
    path: textAt(attributes, 'path'),
    group: textAt(attributes, 'group'),
    plural: textAt(attributes, 'resource'),
    subresource: textAt(attributes, 'subresource'),
  };
}
