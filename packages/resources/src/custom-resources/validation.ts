// What a CustomResourceDefinition must obey, in kube-apiserver's words and order.
import type { JsonObject, JsonValue } from '@sluice/encoding';
import type { ApiObject } from '../kind.ts';
import { dns1035LabelProblems, dnsSubdomainProblems } from '../names.ts';
import { list, members, text, texts } from '../tree.ts';
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
} from '../validation.ts';
import { approvalErrors } from './approval.ts';
import { hoisted, versionsInGo } from './hoisting.ts';
import { isEstablished } from './status.ts';
import { versionPartErrors } from './version-parts.ts';

/** For a new definition with its defaults and first status; its metadata is checked elsewhere. */
export function definitionErrors(object: ApiObject): FieldError[] {
  return [
    ...specErrors(object),
    ...storedVersionErrors(object),
    ...approvalErrors(object),
    ...preserveErrors(object),
  ];
}

/** For a changed one. */
export function definitionUpdateErrors(object: ApiObject, old: ApiObject): FieldError[] {
  return [
    ...specErrors(object),
    ...immutableErrors(object, old),
    ...storedVersionErrors(object),
    ...approvalErrors(object, old),
    ...preserveErrors(object),
  ];
}

function specErrors(object: ApiObject): FieldError[] {
  const { top, versions } = hoisted(object);
  const spec = members(object.get('spec'));
  return [
    ...groupErrors(text(spec.get('group'))),
    ...scopeErrors(text(spec.get('scope'))),
    ...missingSchemaErrors(top, versions),
    ...versions.flatMap((version, index) => [
      ...labelErrors(`spec.versions[${index}].name`, text(version.get('name'))),
      ...deprecationErrors(version, `spec.versions[${index}].deprecationWarning`),
      ...versionPartErrors(
        version,
        `spec.versions[${index}]`,
        'schema',
        hasStatus(version) || hasStatus(top),
      ),
    ]),
    ...versionsErrors(versions),
    ...nameErrors(members(spec.get('names'))),
    ...versionPartErrors(top, 'spec', 'validation', hasStatus(top) || versions.some(hasStatus)),
    ...conversionErrors(spec.get('conversion')),
  ];
}

function groupErrors(group: string): FieldError[] {
  if (group === '') return [requiredValue('spec.group')];
  const problems = dnsSubdomainProblems(group);
  if (problems.length > 0) return [invalidValue('spec.group', group, problems.join(','))];
  return group.includes('.')
    ? []
    : [invalidValue('spec.group', group, 'should be a domain with at least one dot')];
}

function scopeErrors(scope: string): FieldError[] {
  if (scope === '') return [requiredValue('spec.scope')];
  const scopes = ['Cluster', 'Namespaced'];
  return scopes.includes(scope) ? [] : [unsupportedValue('spec.scope', scope, scopes)];
}

function missingSchemaErrors(top: JsonObject, versions: readonly JsonObject[]): FieldError[] {
  if (hasSchema(top)) return [];
  return versions.flatMap((version, index) =>
    hasSchema(version) ? [] : [requiredValue(`spec.versions[${index}].schema.openAPIV3Schema`)],
  );
}

function hasSchema(part: JsonObject): boolean {
  return members(part.get('schema')).get('openAPIV3Schema') instanceof Map;
}

function hasStatus(part: JsonObject): boolean {
  return members(part.get('subresources')).get('status') instanceof Map;
}

function deprecationErrors(version: JsonObject, field: string): FieldError[] {
  const warning = version.get('deprecationWarning');
  if (typeof warning !== 'string') return [];
  if (version.get('deprecated') !== true) {
    return [invalidValue(field, warning, 'can only be set for deprecated versions')];
  }
  const problems: string[] = [];
  if (Buffer.byteLength(warning) > 256) problems.push('must be <= 256 characters long');
  if (warning === '') problems.push('must not be an empty string');
  const at = unprintableAt(warning);
  if (at !== undefined) {
    problems.push(
      `must only contain printable UTF-8 characters; non-printable character found at index ${at}`,
    );
  }
  return problems.map((problem) => invalidValue(field, warning, problem));
}

function unprintableAt(warning: string): number | undefined {
  const match = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  return match === null ? undefined : Buffer.byteLength(warning.slice(0, match.index));
}

function versionsErrors(versions: readonly JsonObject[]): FieldError[] {
  const field = 'spec.versions';
  const names = versions.map((version) => text(version.get('name')));
  const stored = versions.filter((version) => version.get('storage') === true);
  const errors: FieldError[] = [];
  const problem = (detail: string): number =>
    errors.push(invalidValue(field, versionsInGo(versions), detail));
  if (new Set(names).size < names.length) problem('must contain unique version names');
  if (stored.length !== 1) problem('must have exactly one version marked as storage version');
  const first = names[0] ?? '';
  return first === '' ? errors : [...errors, ...labelErrors('spec.version', first)];
}

function nameErrors(names: JsonObject): FieldError[] {
  const field = 'spec.names';
  const required = ['plural', 'singular', 'kind', 'listKind']
    .filter((name) => text(names.get(name)) === '')
    .map((name) => requiredValue(`${field}.${name}`));
  const kind = text(names.get('kind'));
  const listKind = text(names.get('listKind'));
  return [
    ...required,
    ...['plural', 'singular'].flatMap((name) => labelErrors(`${field}.${name}`, text(names.get(name)), true)),
    ...mixedCaseErrors(`${field}.kind`, kind),
    ...mixedCaseErrors(`${field}.listKind`, listKind),
    ...texts(names.get('shortNames')).flatMap((name, index) =>
      labelErrors(`${field}.shortNames[${index}]`, name),
    ),
    ...(kind !== '' && kind === listKind
      ? [invalidValue(`${field}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...texts(names.get('categories')).flatMap((name, index) =>
      labelErrors(`${field}.categories[${index}]`, name),
    ),
  ];
}

function mixedCaseErrors(field: string, name: string): FieldError[] {
  if (name === '') return [];
  const problems = dns1035LabelProblems(name.toLowerCase());
  if (problems.length === 0) return [];
  const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
  return [invalidValue(field, name, detail)];
}

function labelErrors(field: string, name: string, mayBeEmpty = false): FieldError[] {
  if (name === '' && mayBeEmpty) return [];
  const problems = dns1035LabelProblems(name);
  return problems.length === 0 ? [] : [invalidValue(field, name, problems.join(','))];
}

function conversionErrors(conversion: JsonValue | undefined): FieldError[] {
  if (!(conversion instanceof Map)) return [];
  const field = 'spec.conversion';
  const strategy = text(conversion.get('strategy'));
  const strategies = ['None', 'Webhook'];
  const webhook = members(conversion.get('webhook'));
  const client = webhook.get('clientConfig');
  const reviewVersions = texts(webhook.get('conversionReviewVersions'));
  if (strategy !== 'Webhook') {
    const unknown = strategies.includes(strategy)
      ? []
      : [unsupportedValue(`${field}.strategy`, strategy, strategies)];
    const detail = 'should not be set when strategy is not set to Webhook';
    return [
      ...(strategy === '' ? [requiredValue(`${field}.strategy`)] : unknown),
      ...(client instanceof Map ? [forbiddenValue(`${field}.webhookClientConfig`, detail)] : []),
      ...(reviewVersions.length > 0 ? [forbiddenValue(`${field}.conversionReviewVersions`, detail)] : []),
    ];
  }
  return [
    ...webhookErrors(client, `${field}.webhookClientConfig`),
    ...reviewVersionErrors(reviewVersions, field),
  ];
}

function webhookErrors(client: JsonValue | undefined, field: string): FieldError[] {
  if (!(client instanceof Map)) return [requiredValue(field, 'required when strategy is set to Webhook')];
  const hasUrl = typeof client.get('url') === 'string';
  const hasService = client.get('service') instanceof Map;
  return hasUrl === hasService ? [requiredValue(field, 'exactly one of url or service is required')] : [];
}

function reviewVersionErrors(versions: readonly string[], parent: string): FieldError[] {
  const field = `${parent}.conversionReviewVersions`;
  if (versions.length === 0) return [requiredValue(field)];
  const errors = versions.flatMap((version, index) => {
    const place = `${field}[${index}]`;
    if (versions.indexOf(version) < index) return [invalidValue(place, version, 'duplicate version')];
    return dns1035LabelProblems(version).map((problem) => invalidValue(place, version, problem));
  });
  if (!versions.some((version) => version === 'v1' || version === 'v1beta1')) {
    errors.push(invalidValue(field, [...versions], 'must include at least one of v1, v1beta1'));
  }
  return errors;
}

function storedVersionErrors(object: ApiObject): FieldError[] {
  const field = 'status.storedVersions';
  const stored = texts(members(object.get('status')).get('storedVersions'));
  if (stored.length === 0) return [invalidValue(field, null, 'must have at least one stored version')];
  const versions = list(members(object.get('spec')).get('versions')).map(members);
  const names = versions.map((version) => text(version.get('name')));
  const missing = versions
    .filter((version) => version.get('storage') === true && !stored.includes(text(version.get('name'))))
    .map((version) =>
      invalidValue(field, stored, `must have the storage version ${text(version.get('name'))}`),
    );
  const lost = stored.flatMap((name, index) => {
    if (names.includes(name)) return [];
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    return [invalidValue(`${field}[${index}]`, name, detail)];
  });
  return [...missing, ...lost];
}

function preserveErrors(object: ApiObject): FieldError[] {
  if (members(object.get('spec')).get('preserveUnknownFields') !== true) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalidValue('spec.preserveUnknownFields', true, detail)];
}

/** The scope and the kind only once objects may exist; group and plural always, they are the definition's name. */
function immutableErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const paths = [...(isEstablished(old) ? ['scope', 'names.kind'] : []), 'group', 'names.plural'];
  return paths.flatMap((path) => {
    const valueIn = (definition: ApiObject): string =>
      text(
        path
          .split('.')
          .reduce<JsonValue | undefined>((value, name) => members(value).get(name), definition.get('spec')),
      );
    const value = valueIn(object);
    return value === valueIn(old) ? [] : [invalidValue(`spec.${path}`, value, 'field is immutable')];
  });
}
