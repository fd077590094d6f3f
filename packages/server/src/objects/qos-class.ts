// A pod's quality of service class, from what its containers ask for and are limited to.
import { JsonNumber, type JsonObject } from '@sluice/encoding';
import type { ApiObject } from '@sluice/resources';
import { objectsAt, valueAt } from './tree.ts';

const RESOURCES = ['cpu', 'memory'];

/** Best effort: nothing is asked for. Guaranteed: every container's cpu and memory are limited to what it asks for. */
export function qosClass(pod: ApiObject): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const containers = holders(pod);
  const asks = containers.some((container) =>
    ['requests', 'limits'].some((side) => RESOURCES.some((resource) => asked(container, side, resource))),
  );
  if (!asks) return 'BestEffort';
  const isGuaranteed = containers.every((container) =>
    RESOURCES.every((resource) => {
      const limit = asked(container, 'limits', resource);
      return limit !== undefined && (asked(container, 'requests', resource) ?? limit) === limit;
    }),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

/** Who asks: the pod for all of its containers, or each of them. */
function holders(pod: ApiObject): JsonObject[] {
  const spec = pod.get('spec');
  if (spec instanceof Map && spec.has('resources')) return [spec];
  return [...objectsAt(pod, 'spec', 'containers'), ...objectsAt(pod, 'spec', 'initContainers')];
}

/** Quantities are in canonical form, so that equal amounts are equal texts. Zero doesn't count. */
function asked(container: JsonObject, side: string, resource: string): string | undefined {
  const value = valueAt(container, 'resources', side, resource);
  const text = value instanceof JsonNumber ? value.text : value;
  return typeof text === 'string' && text !== '0' ? text : undefined;
}
