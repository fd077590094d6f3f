// Which kinds the reference's scheme knows, and which of them are the same thing in another version.
import { KIND_ROWS } from '../generated/field-tables.ts';
import { goQuote } from '../go-quote.ts';
import { DecodeError } from '../kind.ts';
import { groupVersionText, type TypeMeta } from './type-meta.ts';

/** The struct of a kind; empty when only its name is known; undefined when there is no such kind. */
export function typeOfKind(meta: TypeMeta): string | undefined {
  const groupVersion = groupVersionText(meta);
  // Bodies may say `__proto__`.
  const row = Object.hasOwn(KIND_ROWS, groupVersion) ? KIND_ROWS[groupVersion]! : '';
  for (const entry of row.split(' ')) {
    const [name, type = ''] = entry.split('=');
    if (name === meta.kind) return type;
  }
  return undefined;
}

/** The same, for what a body of `expected`'s resource may be: extensions of the API have schemes of their own. */
export function typeInSchemeOf(expected: TypeMeta, meta: TypeMeta): string | undefined {
  return schemeOf(expected.group) === schemeOf(meta.group) ? typeOfKind(meta) : undefined;
}

/** Whether the reference can convert one into the other. */
function sameInternalType(left: TypeMeta, right: TypeMeta): boolean {
  return left.kind === right.kind && internalPackage(left) === internalPackage(right);
}

export function unknownKind(found: TypeMeta): DecodeError {
  const text = `no kind ${goQuote(found.kind)} is registered for version ${goQuote(groupVersionText(found))}`;
  return new DecodeError(`${text} in scheme "pkg/runtime/scheme.go:111"`, found);
}

/** A body that can be read, but is of another kind. */
export function cannotConvert(found: TypeMeta, expected: TypeMeta): DecodeError {
  if (sameInternalType(found, expected)) {
    const [data, wanted] = [groupVersionText(found), groupVersionText(expected)];
    const text = `the API version in the data (${data}) does not match the expected API version (${wanted})`;
    return new DecodeError(text, found, true);
  }
  const to = `${internalPackage(expected)}.${expected.kind}`;
  return new DecodeError(`converting (${found.version}.${found.kind}) to (${to}): unknown conversion`, found);
}

const OWN_SCHEMES: readonly string[] = ['apiextensions.k8s.io', 'apiregistration.k8s.io', 'meta.k8s.io'];

function schemeOf(group: string): string {
  return OWN_SCHEMES.includes(group) ? group : 'core';
}

/** Go packages of the unversioned types, where they aren't the first label of the group. */
const PACKAGES: ReadonlyMap<string, string> = new Map([
  ['', 'core'],
  ['events.k8s.io', 'core'],
  ['internal.apiserver.k8s.io', 'apiserverinternal'],
]);

/** Kinds of the group extensions that have moved to networking; the others to apps. */
const MOVED: readonly string[] = ['Ingress', 'NetworkPolicy'];

function internalPackage({ group, kind }: TypeMeta): string {
  if (group === 'extensions') return MOVED.includes(kind) ? 'networking' : 'apps';
  return PACKAGES.get(group) ?? group.replace(/\..*$/, '');
}
