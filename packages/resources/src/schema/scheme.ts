// Which kinds the reference's scheme knows, and which of them are the same thing in another version.
import { KIND_ROWS } from '../generated/field-tables.ts';
import { groupVersionText, type TypeMeta } from './type-meta.ts';

/** The struct of a kind; empty when only its name is known; undefined when there is no such kind. */
export function typeOfKind(meta: TypeMeta): string | undefined {
  for (const entry of KIND_ROWS[groupVersionText(meta)]?.split(' ') ?? []) {
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
export function sameInternalType(left: TypeMeta, right: TypeMeta): boolean {
  return left.kind === right.kind && internalPackage(left) === internalPackage(right);
}

/** `converting (v1.Secret) to (core.ConfigMap): unknown conversion` */
export function unknownConversion(from: TypeMeta, to: TypeMeta): string {
  return `converting (${from.version}.${from.kind}) to (${internalPackage(to)}.${to.kind}): unknown conversion`;
}

const OWN_SCHEMES: readonly string[] = ['apiextensions.k8s.io', 'apiregistration.k8s.io', 'meta.k8s.io'];

function schemeOf(group: string): string {
  return OWN_SCHEMES.includes(group) ? group : 'core';
}

/** Go packages of the unversioned types, where they aren't the first label of the group. */
const PACKAGES: Readonly<Record<string, string>> = {
  '': 'core',
  'events.k8s.io': 'core',
  'internal.apiserver.k8s.io': 'apiserverinternal',
};

/** Kinds of the group extensions, which have long moved. */
const MOVED: Readonly<Record<string, string>> = { Ingress: 'networking', NetworkPolicy: 'networking' };

function internalPackage({ group, kind }: TypeMeta): string {
  if (group === 'extensions') return MOVED[kind] ?? 'apps';
  return PACKAGES[group] ?? group.replace(/\..*$/, '');
}
