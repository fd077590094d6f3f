// What an object's metadata must obey when it is created and when it is changed.
import { JsonNumber, type JsonValue } from '@sluice/encoding';
import { goQuote } from './go-quote.ts';
import type { ApiObject, Kind } from './kind.ts';
import { nameProblems } from './name-rules.ts';
import { dnsLabelProblems, labelKeyProblems, labelValueProblems } from './names.ts';
import { list, members, text, texts } from './tree.ts';
import { type FieldError, forbiddenValue, invalidValue, requiredValue, tooLong } from './validation.ts';

const ANNOTATIONS_LIMIT_BYTES = 256 * 1024;

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';
/** Names from before finalizers had to be qualified. */
const STANDARD_FINALIZERS = ['kubernetes', ORPHAN, FOREGROUND];

/** For a new object, its name generated already. */
export function metadataErrors(kind: Kind, object: ApiObject): FieldError[] {
  const metadata = metadataOf(object);
  return [
    ...nameErrors(kind, object),
    ...namespaceErrors(kind, metadata),
    ...generationErrors(metadata),
    ...mapErrors(metadata),
    ...finalizerErrors(metadata),
    ...standardFinalizerErrors(kind, metadata),
  ];
}

/** For a changed object. The reference looks three times; only for built-in kinds it names each problem once. */
export function metadataUpdateErrors(kind: Kind, object: ApiObject, old: ApiObject): FieldError[] {
  const metadata = metadataOf(object);
  const before = metadataOf(old);
  const general = [...generationErrors(metadata), ...mapErrors(metadata), ...finalizerErrors(metadata)];
  const changed = [...newFinalizerErrors(metadata, before), ...changeErrors(metadata, before)];
  if (isExtension(kind)) {
    const again = [...changed, ...mapErrors(metadata)];
    return [...general, ...again, ...again];
  }
  return [...general, ...changed, ...standardFinalizerErrors(kind, metadata)];
}

function nameErrors(kind: Kind, object: ApiObject): FieldError[] {
  const metadata = metadataOf(object);
  const generateName = text(metadata.get('generateName'));
  const name = text(metadata.get('name'));
  const errors =
    generateName === ''
      ? []
      : nameProblems(kind, generateName, object, true).map((problem) =>
          invalidValue('metadata.generateName', generateName, problem),
        );
  if (name === '') return [...errors, requiredValue('metadata.name', 'name or generateName is required')];
  const problems = nameProblems(kind, name, object, false);
  return [...errors, ...problems.map((problem) => invalidValue('metadata.name', name, problem))];
}

function namespaceErrors(kind: Kind, metadata: ApiObject): FieldError[] {
  const namespace = text(metadata.get('namespace'));
  if (!kind.namespaced) {
    return namespace === '' ? [] : [forbiddenValue('metadata.namespace', 'not allowed on this type')];
  }
  if (namespace === '') return [requiredValue('metadata.namespace')];
  return dnsLabelProblems(namespace).map((problem) => invalidValue('metadata.namespace', namespace, problem));
}

function mapErrors(metadata: ApiObject): FieldError[] {
  return [
    ...labelErrors(metadata, 'metadata.labels'),
    ...annotationErrors(metadata),
    ...ownerErrors(metadata),
  ];
}

/** Also for labels elsewhere: of a pod template. */
export function labelErrors(metadata: ApiObject, field: string): FieldError[] {
  return entries(metadata, 'labels').flatMap(([key, value]) => [
    ...labelKeyProblems(key).map((problem) => invalidValue(field, key, problem)),
    ...labelValueProblems(value).map((problem) => invalidValue(field, value, problem)),
  ]);
}

function annotationErrors(metadata: ApiObject): FieldError[] {
  const annotations = entries(metadata, 'annotations');
  const errors = annotations.flatMap(([key]) =>
    labelKeyProblems(key.toLowerCase()).map((problem) => invalidValue('metadata.annotations', key, problem)),
  );
  const bytes = annotations.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes > ANNOTATIONS_LIMIT_BYTES) errors.push(tooLong('metadata.annotations', ANNOTATIONS_LIMIT_BYTES));
  return errors;
}

function finalizerErrors(metadata: ApiObject): FieldError[] {
  const finalizers = finalizersOf(metadata);
  const field = 'metadata.finalizers';
  const errors = finalizers.flatMap((name) =>
    labelKeyProblems(name).map((problem) => invalidValue(field, name, problem)),
  );
  if (finalizers.includes(ORPHAN) && finalizers.includes(FOREGROUND)) {
    const detail = `finalizer ${ORPHAN} and ${FOREGROUND} cannot be both set`;
    errors.push(invalidValue(field, finalizers, detail));
  }
  return errors;
}

function standardFinalizerErrors(kind: Kind, metadata: ApiObject): FieldError[] {
  if (isExtension(kind)) return [];
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return finalizersOf(metadata).flatMap((name, index) =>
    name.includes('/') || STANDARD_FINALIZERS.includes(name)
      ? []
      : [invalidValue(`metadata.finalizers[${index}]`, name, detail)],
  );
}

function finalizersOf(metadata: ApiObject): string[] {
  return texts(metadata.get('finalizers'));
}

/** Kinds of the servers that kube-apiserver is built upon: only the common rules hold for them. */
function isExtension(kind: Kind): boolean {
  return kind.custom || kind.group === 'apiextensions.k8s.io' || kind.group === 'apiregistration.k8s.io';
}

function newFinalizerErrors(metadata: ApiObject, before: ApiObject): FieldError[] {
  if (text(before.get('deletionTimestamp')) === '') return [];
  const known = new Set(finalizersOf(before));
  const added = new Set(finalizersOf(metadata).filter((name) => !known.has(name)));
  if (added.size === 0) return [];
  const names = `[]string{${[...added].sort().map(goQuote).join(', ')}}`;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${names}`;
  return [forbiddenValue('metadata.finalizers', detail)];
}

function ownerErrors(metadata: ApiObject): FieldError[] {
  const owners = list(metadata.get('ownerReferences')).filter((owner) => owner instanceof Map);
  const errors: FieldError[] = [];
  let controller = '';
  for (const [index, owner] of owners.entries()) {
    errors.push(...ownerFieldErrors(owner, `metadata.ownerReferences[${index}]`));
    if (owner.get('controller') !== true) continue;
    const name = `${text(owner.get('kind'))}/${text(owner.get('name'))}`;
    if (controller === '') controller = name;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      errors.push(invalidValue('metadata.ownerReferences', owners.map(inOrder), detail));
    }
  }
  return errors;
}

function ownerFieldErrors(owner: ApiObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const apiVersion = text(owner.get('apiVersion'));
  for (const name of OWNER_FIELDS.slice(0, 4)) {
    if (text(owner.get(name)) === '') errors.push(requiredValue(`${field}.${name}`, 'must not be empty'));
    else if (name === 'apiVersion' && !/^([^/]*\/)?[^/]+$/.test(apiVersion)) {
      errors.push(invalidValue(`${field}.${name}`, apiVersion, 'must be <group>/<version> or <version>'));
    }
  }
  if (apiVersion === 'v1' && text(owner.get('kind')) === 'Event') {
    errors.push(invalidValue(field, inOrder(owner), '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

const OWNER_FIELDS = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'];

/** As the reference prints an owner, also that of a custom object. */
function inOrder(owner: ApiObject): ApiObject {
  return new Map(OWNER_FIELDS.flatMap((name) => (owner.has(name) ? [[name, owner.get(name) ?? null]] : [])));
}

function generationErrors(metadata: ApiObject): FieldError[] {
  const generation = metadata.get('generation');
  if (!(generation instanceof JsonNumber) || !generation.text.startsWith('-')) return [];
  return [invalidValue('metadata.generation', generation, 'must be greater than or equal to 0')];
}

function changeErrors(metadata: ApiObject, before: ApiObject): FieldError[] {
  return [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ].flatMap((name) => {
    const value = metadata.get(name) ?? null;
    if (same(value, before.get(name) ?? null)) return [];
    return [invalidValue(`metadata.${name}`, value, 'field is immutable')];
  });
}

function same(a: JsonValue, b: JsonValue): boolean {
  return a instanceof JsonNumber && b instanceof JsonNumber ? a.text === b.text : a === b;
}

function metadataOf(object: ApiObject): ApiObject {
  return members(object.get('metadata'));
}

function entries(object: ApiObject, name: string): [string, string][] {
  return [...members(object.get(name))].map(([key, value]) => [key, text(value)]);
}
