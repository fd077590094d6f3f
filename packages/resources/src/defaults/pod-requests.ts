// What a new pod asks for as a whole, if it is limited as a whole and doesn't say: what its containers ask for together.
import type { JsonObject } from '@sluice/encoding';
import type { ApiObject } from '../kind.ts';
import { canonicalQuantity, parseQuantity } from '../schema/quantity.ts';
import { list, members, text } from '../tree.ts';
import { addMissing } from './resource-lists.ts';

/** Resources a pod can be given as a whole; of huge pages it can't be given more than it asks for. */
const SHARED: readonly string[] = ['cpu', 'memory'];
const HUGE_PAGES = 'hugepages-';

export function setPodRequests(pod: ApiObject): void {
  const spec = members(pod.get('spec'));
  const resources = members(spec.get('resources'));
  const limits = members(resources.get('limits'));
  if (limits.size === 0) return;
  const together: JsonObject = new Map();
  for (const resource of SHARED) {
    const amount = askedTogether(spec, resource);
    if (amount !== undefined) together.set(resource, amount);
  }
  addMissing(resources, 'requests', together);
  const supported = [...limits].filter(([name]) => SHARED.includes(name) || name.startsWith(HUGE_PAGES));
  addMissing(resources, 'requests', new Map(supported));
}

/** Containers run together with the init containers that stay; other init containers run before, one by one. */
function askedTogether(spec: JsonObject, resource: string): string | undefined {
  const ofContainer = (container: JsonObject): string =>
    text(members(members(container.get('resources')).get('requests')).get(resource));
  const containers = list(spec.get('containers')).map((container) => ofContainer(members(container)));
  const inits = list(spec.get('initContainers')).map((init) => ({
    amount: ofContainer(members(init)),
    stays: members(init).get('restartPolicy') === 'Always',
  }));
  const named = [...containers, ...inits.map(({ amount }) => amount)].find((amount) => amount !== '');
  if (named === undefined) return undefined;
  let staying = 0n;
  let most = 0n;
  for (const { amount, stays } of inits) {
    if (stays) staying += billionths(amount);
    else most = larger(most, staying + billionths(amount));
  }
  const running = containers.reduce((sum, amount) => sum + billionths(amount), staying);
  return spelled(larger(most, running), named.endsWith('i'));
}

const BILLION = 10n ** 9n;

function billionths(amount: string): bigint {
  const quantity = parseQuantity(amount);
  if ('error' in quantity) return 0n;
  const power = quantity.exponent + 9;
  return power >= 0 ? quantity.digits * 10n ** BigInt(power) : quantity.digits / 10n ** BigInt(-power);
}

/** A sum is spelled as the first amount in it is. */
function spelled(amount: bigint, binary: boolean): string {
  const whole = amount / BILLION;
  const isKibi = binary && amount % (BILLION * 1024n) === 0n;
  const canonical = canonicalQuantity(isKibi ? `${whole / 1024n}Ki` : `${amount}n`);
  return 'text' in canonical ? canonical.text : '0';
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
