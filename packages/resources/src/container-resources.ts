// What the containers of a pod, or of a pod's template, may ask for: nothing less than nothing, nor more than their limit.
import type { JsonObject, JsonValue } from '@sluice/encoding';
import type { ApiObject, Kind } from './kind.ts';
import { parseQuantity, type Quantity } from './schema/quantity.ts';
import { list, members, text } from './tree.ts';
import { type FieldError, invalidValue } from './validation.ts';

export function containerResourceErrors(kind: Kind, object: ApiObject): FieldError[] {
  const path = kind.custom ? undefined : POD_SPECS[`${kind.group}/${kind.plural}`];
  if (path === undefined) return [];
  let spec: JsonValue | undefined = object;
  for (const name of path.split('.')) spec = members(spec).get(name);
  const pod = members(spec);
  return ['containers', 'initContainers'].flatMap((name) =>
    list(pod.get(name)).flatMap((container, place) =>
      resourceErrors(`${path}.${name}[${place}].resources`, members(members(container).get('resources'))),
    ),
  );
}

/** Where the spec of pods is. */
const POD_SPECS: Readonly<Record<string, string>> = {
  '/pods': 'spec',
  '/podtemplates': 'template.spec',
  '/replicationcontrollers': 'spec.template.spec',
  'apps/daemonsets': 'spec.template.spec',
  'apps/deployments': 'spec.template.spec',
  'apps/replicasets': 'spec.template.spec',
  'apps/statefulsets': 'spec.template.spec',
  'batch/cronjobs': 'spec.jobTemplate.spec.template.spec',
  'batch/jobs': 'spec.template.spec',
};

function resourceErrors(path: string, resources: JsonObject): FieldError[] {
  const limits = members(resources.get('limits'));
  const errors = [...limits].flatMap(([name, amount]) => negative(`${path}.limits[${name}]`, text(amount)));
  for (const [name, amount] of members(resources.get('requests'))) {
    errors.push(...negative(`${path}.requests[${name}]`, text(amount)));
    const limit = text(limits.get(name));
    if (!OVERCOMMITTED.includes(name) || limit === '' || !isMore(text(amount), limit)) continue;
    errors.push(
      invalidValue(
        `${path}.requests`,
        text(amount),
        `must be less than or equal to ${name} limit of ${limit}`,
      ),
    );
  }
  return errors;
}

/** Of all other resources a container must ask for as much as it is limited to. */
const OVERCOMMITTED: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];

function negative(field: string, amount: string): FieldError[] {
  return amount.startsWith('-') ? [invalidValue(field, amount, 'must be greater than or equal to 0')] : [];
}

function isMore(amount: string, limit: string): boolean {
  const [left, right] = [parseQuantity(amount), parseQuantity(limit)];
  if ('error' in left || 'error' in right) return false;
  const exponent = Math.min(left.exponent, right.exponent);
  return scaled(left, exponent) > scaled(right, exponent);
}

function scaled({ digits, exponent }: Quantity, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
