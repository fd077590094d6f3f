// Defaults of services and network policies that depend on other fields.
import { JsonNumber, type JsonObject } from '@sluice/encoding';
import { list, members, text } from '../tree.ts';
import { isZero } from './rule.ts';

/** Three hours. */
const AFFINITY_SECONDS = '10800';

export function setServiceDefaults(service: JsonObject): void {
  const spec = members(service.get('spec'));
  for (const port of list(spec.get('ports'))) setTargetPort(members(port));
  if (spec.get('sessionAffinity') === 'None') spec.delete('sessionAffinityConfig');
  if (spec.get('sessionAffinity') === 'ClientIP') setAffinity(spec);
  if (isOpenToOutside(spec) && isZero(spec.get('externalTrafficPolicy'))) {
    spec.set('externalTrafficPolicy', 'Cluster');
  }
  if (spec.get('type') === 'LoadBalancer') setAddressModes(service);
}

function setTargetPort(port: JsonObject): void {
  const number = port.get('port');
  if (isZero(port.get('targetPort')) && number !== undefined) port.set('targetPort', number);
}

function setAffinity(spec: JsonObject): void {
  const config = members(members(spec.get('sessionAffinityConfig')).get('clientIP'));
  if (config.has('timeoutSeconds')) return;
  const clientIP: JsonObject = new Map([['timeoutSeconds', new JsonNumber(AFFINITY_SECONDS)]]);
  spec.set('sessionAffinityConfig', new Map([['clientIP', clientIP]]));
}

function isOpenToOutside(spec: JsonObject): boolean {
  const type = text(spec.get('type'));
  if (type === 'ClusterIP') return list(spec.get('externalIPs')).length > 0;
  return type === 'NodePort' || type === 'LoadBalancer';
}

function setAddressModes(service: JsonObject): void {
  const ingress = members(members(service.get('status')).get('loadBalancer')).get('ingress');
  for (const address of list(ingress)) {
    const one = members(address);
    if (text(one.get('ip')) !== '' && !one.has('ipMode')) one.set('ipMode', 'VIP');
  }
}

/** Policies are about what comes in; about what goes out only if they say something about it. */
export function setPolicyTypes(spec: JsonObject): void {
  if (list(spec.get('policyTypes')).length > 0) return;
  spec.set('policyTypes', list(spec.get('egress')).length > 0 ? ['Ingress', 'Egress'] : ['Ingress']);
}
