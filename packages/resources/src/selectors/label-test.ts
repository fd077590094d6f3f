// What a label selector asks of an object, gathered by key: as many looks as the object has labels, however many requirements there are.
import type { LabelRequirement } from './label.ts';
import type { Steps } from './steps.ts';

type LabelTest = (labels: ReadonlyMap<string, string>) => boolean;

/** @returns whether all requirements hold for an object's labels. */
export function* labelTestSteps(requirements: readonly LabelRequirement[]): Steps<LabelTest> {
  const demands = new Map<string, Demand>();
  for (const requirement of requirements) {
    const demand = demands.get(requirement.key) ?? newDemand();
    demands.set(requirement.key, demand);
    yield* addTo(demand, requirement);
    yield;
  }
  const needed = [...demands].filter(([, { needed }]) => needed).map(([key]) => key);
  return (labels) => {
    for (const key of needed) if (!labels.has(key)) return false;
    for (const [key, value] of labels) {
      const demand = demands.get(key);
      if (demand !== undefined && !allows(demand, value)) return false;
    }
    return true;
  };
}

/** What one key's requirements come to. An object without the key meets it unless the key is `needed`. */
type Demand = {
  needed: boolean;
  forbidden: boolean;
  /** The value is one of these. */
  among: ReadonlySet<string> | undefined;
  /** And none of these. */
  except: Set<string> | undefined;
  /** And above or below each of these numbers. */
  bounds: { above: boolean; bound: bigint }[];
};

function newDemand(): Demand {
  return {
    needed: false,
    forbidden: false,
    among: undefined,
    except: undefined,
    bounds: [],
  };
}

function* addTo(demand: Demand, { operator, values }: LabelRequirement): Steps<void> {
  switch (operator) {
    case '!':
      demand.forbidden = true;
      return;
    case '!=':
    case 'notin':
      demand.except ??= new Set();
      for (const value of values) {
        demand.except.add(value);
        yield;
      }
      return;
  }
  demand.needed = true;
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      demand.among = demand.among === undefined ? values : yield* common(demand.among, values);
      return;
    case 'gt':
    case 'lt':
      demand.bounds.push({ above: operator === 'gt', bound: int64([...values].join()) ?? 0n });
  }
}

function* common(one: ReadonlySet<string>, other: ReadonlySet<string>): Steps<ReadonlySet<string>> {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  const values = new Set<string>();
  for (const value of few) {
    if (many.has(value)) values.add(value);
    yield;
  }
  return values;
}

function allows({ forbidden, among, except, bounds }: Demand, value: string): boolean {
  if (forbidden || among?.has(value) === false || except?.has(value) === true) return false;
  if (bounds.length === 0) return true;
  const number = int64(value);
  return (
    number !== undefined && bounds.every(({ above, bound }) => (above ? number > bound : number < bound))
  );
}

const INT64_MAX = 2n ** 63n - 1n;

/** As Go's strconv.ParseInt reads it; undefined: it would not. */
export function int64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = text.startsWith('+') ? BigInt(text.slice(1)) : BigInt(text);
  return value <= INT64_MAX && value >= -INT64_MAX - 1n ? value : undefined;
}
