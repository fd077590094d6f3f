// What a Service has depends on its type: what a changed one lets go of, and what it keeps though the client left it out.
import type { JsonObject } from '@sluice/encoding';
import type { ApiObject } from '@sluice/resources';
import { equal, integerAt, objectAt, objectsAt, put, textAt, textsAt, valueAt } from './tree.ts';

export const HEADLESS = 'None';

export function needsAddress(service: ApiObject): boolean {
  return textAt(service, 'spec', 'type') !== 'ExternalName';
}

export function isHeadless(service: ApiObject): boolean {
  return textsAt(service, 'spec', 'clusterIPs')[0] === HEADLESS;
}

export function isBalanced(service: ApiObject): boolean {
  return textAt(service, 'spec', 'type') === 'LoadBalancer';
}

export function needsNodePorts(service: ApiObject): boolean {
  return isBalanced(service) || textAt(service, 'spec', 'type') === 'NodePort';
}

export function needsHealthPort(service: ApiObject): boolean {
  return isBalanced(service) && textAt(service, 'spec', 'externalTrafficPolicy') === 'Local';
}

function isOpenToOutside(service: ApiObject): boolean {
  const isInside = textAt(service, 'spec', 'type') === 'ClusterIP';
  return needsNodePorts(service) || (isInside && textsAt(service, 'spec', 'externalIPs').length > 0);
}

/** Fields that go together with what needs them, if the client left them all as they were. */
const DEPENDENT: readonly { fields: readonly string[]; needed: (service: ApiObject) => boolean }[] = [
  { fields: ['clusterIP', 'clusterIPs'], needed: needsAddress },
  { fields: ['ipFamilies'], needed: needsAddress },
  { fields: ['ipFamilyPolicy'], needed: needsAddress },
  { fields: ['healthCheckNodePort'], needed: needsHealthPort },
  { fields: ['allocateLoadBalancerNodePorts'], needed: isBalanced },
  { fields: ['loadBalancerClass'], needed: isBalanced },
  { fields: ['externalTrafficPolicy'], needed: isOpenToOutside },
];

/** A service of another type than before doesn't have to be told what it no longer has. */
export function dropTypeFields(service: ApiObject, old: ApiObject): void {
  const [spec, before] = [objectAt(service, 'spec'), objectAt(old, 'spec')];
  for (const { fields, needed } of DEPENDENT) {
    const isSame = fields.every((name) => equal(spec.get(name), before.get(name)));
    if (isSame && needed(old) && !needed(service)) for (const name of fields) spec.delete(name);
  }
  if (!needsAddress(service)) spec.delete('internalTrafficPolicy');
  if (needsNodePorts(old) && !needsNodePorts(service)) dropNodePorts(service, old);
  if (!isBalanced(service) && valueAt(service, 'status', 'loadBalancer') !== undefined) {
    const status = new Map(objectAt(service, 'status'));
    status.delete('loadBalancer');
    service.set('status', status);
  }
}

function dropNodePorts(service: ApiObject, old: ApiObject): void {
  const before = new Set(objectsAt(old, 'spec', 'ports').map(nodePort));
  const ports = objectsAt(service, 'spec', 'ports');
  if (ports.every((port) => nodePort(port) === '' || before.has(nodePort(port)))) {
    for (const port of ports) port.delete('nodePort');
  }
}

/** A client that doesn't say which numbers the service has means those it has. */
export function keepNumbers(service: ApiObject, old: ApiObject): void {
  const [spec, before] = [objectAt(service, 'spec'), objectAt(old, 'spec')];
  if (needsAddress(service) && needsAddress(old)) {
    for (const name of ['clusterIP', 'clusterIPs']) keep(spec, before, name);
  }
  if (needsNodePorts(service) && needsNodePorts(old)) keepNodePorts(service, old);
  if (needsHealthPort(service) && needsHealthPort(old)) keep(spec, before, 'healthCheckNodePort');
}

function keep(spec: JsonObject, before: JsonObject, name: string): void {
  const value = spec.get(name);
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) {
    put(spec, name, before.get(name));
  }
}

/** By the ports' names, unless another port has taken the number. */
function keepNodePorts(service: ApiObject, old: ApiObject): void {
  const ports = objectsAt(service, 'spec', 'ports');
  const used = new Set(ports.map(nodePort));
  const byName = new Map<string, JsonObject>();
  for (const port of objectsAt(old, 'spec', 'ports').reverse()) byName.set(textAt(port, 'name'), port);
  for (const port of ports) {
    if (nodePort(port) !== '') continue;
    const before = byName.get(textAt(port, 'name'));
    if (before && !used.has(nodePort(before))) put(port, 'nodePort', before.get('nodePort'));
  }
}

/** Clients that know only one address say only the singular. */
export function matchPlural(service: ApiObject, old: ApiObject | undefined): void {
  const spec = objectAt(service, 'spec');
  const address = textAt(spec, 'clusterIP');
  const addresses = textsAt(spec, 'clusterIPs');
  if (!old) {
    if (address !== '' && addresses.length === 0) spec.set('clusterIPs', [address]);
    return;
  }
  const isSame = equal(addresses, textsAt(old, 'spec', 'clusterIPs'));
  if (address === textAt(old, 'spec', 'clusterIP') || !isSame) return;
  put(spec, 'clusterIPs', address === '' ? undefined : [address]);
}

export function nodePort(port: JsonObject): string {
  return portText(port, 'nodePort');
}

/** '' for none. */
export function portText(object: JsonObject, name: string): string {
  return String(integerAt(object, name) || '');
}
