// Amounts of resources: rounded up to thousandths, and taken from others where they are left out.
import type { JsonObject } from '@sluice/encoding';
import { parseQuantity } from '../schema/quantity.ts';
import { members, text } from '../tree.ts';

const MILLI = -3;

/** Nobody is given less than a thousandth of anything. */
export function roundUp(resources: JsonObject): void {
  for (const [name, amount] of resources) {
    const rounded = roundedUp(text(amount));
    if (rounded !== amount) resources.set(name, rounded);
  }
}

/** Only with one of these can a canonical quantity be finer. */
const MAYBE_FINER = /[nu.]|e-/;

/** Away from zero. */
function roundedUp(amount: string): string {
  if (!MAYBE_FINER.test(amount)) return amount;
  const quantity = parseQuantity(amount);
  if ('error' in quantity || quantity.exponent >= MILLI) return amount;
  const divisor = 10n ** BigInt(MILLI - quantity.exponent);
  const { digits } = quantity;
  const whole = digits / divisor + (digits % divisor === 0n ? 0n : digits < 0n ? -1n : 1n);
  const canonical = parseQuantity(`${whole}${amount.includes('e') ? 'e-3' : 'm'}`);
  return 'error' in canonical ? amount : canonical.text;
}

/** Adds to `owner`'s list `name` what the other list has and it hasn't. */
export function addMissing(owner: JsonObject, name: string, from: JsonObject): void {
  const list = new Map(members(owner.get(name)));
  for (const [resource, amount] of from) if (!list.has(resource)) list.set(resource, amount);
  if (list.size > 0) owner.set(name, list);
}

/** A node that doesn't say what pods can have of it gives all it has. */
export function setAllocatable(status: JsonObject): void {
  if (status.has('allocatable') || !status.has('capacity')) return;
  addMissing(status, 'allocatable', members(status.get('capacity')));
}

/** Containers are limited to the most they can have, and ask for their limit, or for the least they can have. */
export function setContainerLimits(limits: JsonObject): void {
  if (limits.get('type') !== 'Container') return;
  addMissing(limits, 'default', members(limits.get('max')));
  addMissing(limits, 'defaultRequest', members(limits.get('default')));
  addMissing(limits, 'defaultRequest', members(limits.get('min')));
}
