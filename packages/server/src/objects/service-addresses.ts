// Gives Services their addresses and node ports: those they ask for if nobody else has them, else free ones.
import type { JsonObject } from '@sluice/encoding';
import {
  type ApiObject,
  type FieldError,
  goQuote,
  internalError,
  invalid,
  invalidValue,
  type Kind,
} from '@sluice/resources';
import type { Key } from '@sluice/storage';
import type { ObjectParts } from '../parts.ts';
import type { Claim } from './address-book.ts';
import { setFamilies } from './service-families.ts';
import {
  isBalanced,
  isHeadless,
  keepNumbers,
  matchPlural,
  needsAddress,
  needsHealthPort,
  needsNodePorts,
  nodePort,
  portText,
} from './service-object.ts';
import { integer, objectAt, objectsAt, textAt, textsAt } from './tree.ts';

/** 10.0.0.0/24 without its first and last; the very first is that of the API server itself in a cluster. */
const ADDRESS_START = '10.0.0.';
const ADDRESSES = { first: 1, firstGiven: 2, last: 254 };
const NODE_PORTS = { before: '', first: 30000, last: 32767 };

/** For kinds that have no numbers. */
const NOTHING_CLAIMED: Pick<Claim, 'release'> = { release() {} };

/**
 * Completes a service that is about to be stored. Release the claim when it is stored, or isn't.
 * @throws ApiError 422; 500 when there are none left
 */
export function claimNumbers(
  parts: ObjectParts,
  kind: Kind,
  key: Key,
  object: ApiObject,
  old: ApiObject | undefined,
): Pick<Claim, 'release'> {
  if (kind.custom || kind.group !== '' || kind.plural !== 'services') return NOTHING_CLAIMED;
  const claim = parts.objects.claim(key);
  try {
    fillIn(object, old, claim);
    return claim;
  } catch (error) {
    claim.release();
    throw error;
  }
}

function fillIn(service: ApiObject, old: ApiObject | undefined, claim: Claim): void {
  if (old) keepNumbers(service, old);
  matchPlural(service, old);
  refuse(service, [...setFamilies(service, old), ...changedErrors(service, old)]);
  if (needsAddress(service) && !isHeadless(service)) setAddress(service, claim);
  if (needsNodePorts(service)) setNodePorts(service, !old, claim);
  if (needsHealthPort(service)) setHealthPort(service, claim);
}

function refuse(service: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  throw invalid({ group: '', kind: 'Service' }, textAt(service, 'metadata', 'name'), errors);
}

/** Others may rely on these. */
function changedErrors(service: ApiObject, old: ApiObject | undefined): FieldError[] {
  if (!old) return [];
  const errors: FieldError[] = [];
  const [before] = textsAt(old, 'spec', 'clusterIPs');
  const addresses = textsAt(service, 'spec', 'clusterIPs');
  const hasBoth = needsAddress(service) && needsAddress(old) && before !== undefined;
  if (hasBoth && addresses[0] !== before) {
    errors.push(invalidValue('spec.clusterIPs[0]', addresses, UNCHANGEABLE));
  }
  const balancer = textAt(service, 'spec', 'loadBalancerClass');
  if (isBalanced(service) && isBalanced(old) && balancer !== textAt(old, 'spec', 'loadBalancerClass')) {
    errors.push(invalidValue('spec.loadBalancerClass', balancer || null, UNCHANGEABLE));
  }
  return errors;
}

const UNCHANGEABLE = 'may not change once set';

function setAddress(service: ApiObject, claim: Claim): void {
  const spec = objectAt(service, 'spec');
  const [asked] = textsAt(spec, 'clusterIPs');
  if (asked !== undefined) {
    const problem = addressProblem(asked, claim);
    const detail = `failed to allocate IP ${asked}: ${problem}`;
    refuse(service, problem === '' ? [] : [invalidValue('spec.clusterIPs', [asked], detail)]);
    return;
  }
  const { firstGiven, last } = ADDRESSES;
  const address = claim.takeAny({ before: ADDRESS_START, first: firstGiven, last });
  if (address === undefined) {
    const name = goQuote(textAt(service, 'metadata', 'name'));
    throw internalError(`failed to allocate a serviceIP for Service ${name}: range is full`);
  }
  spec.set('clusterIP', address);
  spec.set('clusterIPs', [address]);
}

function addressProblem(address: string, claim: Claim): string {
  const number = address.startsWith(ADDRESS_START) ? Number(address.slice(ADDRESS_START.length)) : 0;
  const isInRange = number >= ADDRESSES.first && number <= ADDRESSES.last;
  if (!isInRange) return 'the provided network does not match the current range';
  return claim.take(address) ? '' : 'provided IP is already allocated';
}

/** Ports of a new service that differ only in their protocol get one number. */
function setNodePorts(service: ApiObject, isNew: boolean, claim: Claim): void {
  const ports = objectsAt(service, 'spec', 'ports');
  const isAsked =
    isBalanced(service) && objectAt(service, 'spec').get('allocateLoadBalancerNodePorts') === false;
  const shared = new Map<string, string>();
  for (const [index, port] of ports.entries()) {
    const own = nodePort(port);
    if (own === '' && isAsked) continue;
    const number = portText(port, 'port');
    const wanted = own || (isNew ? (shared.get(number) ?? askedFor(ports, number)) : '');
    const problem = wanted === '' ? '' : portProblem(wanted, claim);
    if (problem !== '') {
      refuse(service, [invalidValue(`spec.ports[${index}].nodePort`, BigInt(wanted), problem)]);
    }
    const given = wanted || anyNodePort(claim, 'failed to allocate a nodePort: range is full');
    port.set('nodePort', integer(BigInt(given)));
    if (!shared.has(number)) shared.set(number, given);
  }
}

function askedFor(ports: readonly JsonObject[], number: string): string {
  const other = ports.find((port) => portText(port, 'port') === number && nodePort(port) !== '');
  return other ? nodePort(other) : '';
}

function setHealthPort(service: ApiObject, claim: Claim): void {
  const spec = objectAt(service, 'spec');
  const asked = portText(spec, 'healthCheckNodePort');
  if (asked === '') {
    const given = anyNodePort(claim, 'failed to allocate a HealthCheck NodePort 0: range is full');
    spec.set('healthCheckNodePort', integer(BigInt(given)));
    return;
  }
  const problem = portProblem(asked, claim);
  if (problem !== '') {
    throw internalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`);
  }
}

function portProblem(port: string, claim: Claim): string {
  const { first, last } = NODE_PORTS;
  const number = Number(port);
  if (number < first || number > last) {
    return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
  }
  return claim.take(port) ? '' : 'provided port is already allocated';
}

function anyNodePort(claim: Claim, problem: string): string {
  const port = claim.takeAny(NODE_PORTS);
  if (port === undefined) throw internalError(problem);
  return port;
}
