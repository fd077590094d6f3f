// Defaults of pods that depend on other fields. Those of the Pod itself don't apply to pod templates.
import { JsonNumber, type JsonObject } from '@sluice/encoding';
import { list, members, text } from '../tree.ts';
import { addMissing } from './resource-lists.ts';
import { isZero } from './rule.ts';

/** A pod asks for what its containers are limited to; on the node's network, its ports are the node's. */
export function setPodDefaults(pod: JsonObject): void {
  const spec = members(pod.get('spec'));
  const grace = spec.get('terminationGracePeriodSeconds');
  if (grace instanceof JsonNumber && grace.text.startsWith('-')) {
    spec.set('terminationGracePeriodSeconds', new JsonNumber('1'));
  }
  for (const kind of ['containers', 'initContainers']) {
    for (const container of list(spec.get(kind))) {
      const resources = members(members(container).get('resources'));
      if (resources.has('limits')) addMissing(resources, 'requests', members(resources.get('limits')));
      if (spec.get('hostNetwork') === true) setHostPorts(members(container));
    }
  }
}

function setHostPorts(container: JsonObject): void {
  for (const port of list(container.get('ports'))) {
    const own = members(port).get('containerPort');
    if (own !== undefined && isZero(members(port).get('hostPort'))) members(port).set('hostPort', own);
  }
}

/** serviceAccount is the old name of serviceAccountName. */
export function setServiceAccountAlias(spec: JsonObject): void {
  const name = text(spec.get('serviceAccountName')) || text(spec.get('serviceAccount'));
  if (name === '') return;
  spec.set('serviceAccountName', name);
  spec.set('serviceAccount', name);
}

/** A volume that is nothing else is an empty directory. */
export function setVolumeSource(volume: JsonObject): void {
  const isNothing = [...volume.keys()].every((name) => name === 'name');
  if (isNothing) volume.set('emptyDir', new Map());
}

/** podIP is the first of podIPs, and wins when they differ. */
export function setPodAddresses(status: JsonObject): void {
  const address = text(status.get('podIP'));
  const first = text(members(list(status.get('podIPs'))[0]).get('ip'));
  if (address === '' && first !== '') status.set('podIP', first);
  if (address !== '' && address !== first) status.set('podIPs', [new Map([['ip', address]])]);
}

/** The same of a node's ranges for pods. */
export function setPodRanges(spec: JsonObject): void {
  const range = text(spec.get('podCIDR'));
  const first = text(list(spec.get('podCIDRs'))[0]);
  if (range === '' && first !== '') spec.set('podCIDR', first);
  if (range !== '' && range !== first) spec.set('podCIDRs', [range]);
}
