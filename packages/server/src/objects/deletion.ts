// What a DELETE makes of an object that can't just go: graceful ends of pods, finalizers, owners and dependents.
import { type ApiObject, conflict, type Kind } from '@sluice/resources';
import type { DeleteOptions } from './delete-options.ts';
import { metadataOf, timeText } from './metadata.ts';
import { countUp } from './preparation.ts';
import { strategyOf } from './strategies.ts';
import { integer, integerAt, put, textAt, textsAt } from './tree.ts';

/**
 * | stage | the object |
 * |---|---|
 * | remove | goes now; changed on the way if `isChanged` |
 * | hold | stays, marked as being deleted |
 * | ending | was being deleted before, nothing changes |
 */
export type Deletion = { stage: 'remove' | 'hold' | 'ending'; isChanged: boolean };

/** Marks `object` for what `options` ask for. */
export function beginDeletion(kind: Kind, object: ApiObject, options: DeleteOptions, now: Date): Deletion {
  const before = new Map(metadataOf(object));
  const grace = isGraceful(kind) ? beginGrace(object, options, now) : undefined;
  if (grace === 'ending') return { stage: 'ending', isChanged: false };
  const collected = collectedFinalizers(kind, object, options);
  const isCollected = collected !== undefined;
  if (isCollected) put(metadataOf(object), 'finalizers', collected.length > 0 ? collected : undefined);
  const isHeld = textsAt(object, 'metadata', 'finalizers').length > 0;
  if (grace === undefined && isHeld) markDeleted(object, now);
  const isChanged =
    isCollected || [...metadataOf(object)].some(([name, value]) => before.get(name) !== value);
  return { stage: isHeld || (grace !== undefined && grace > 0n) ? 'hold' : 'remove', isChanged };
}

/** @throws ApiError 409 */
export function checkPreconditions(kind: Kind, object: ApiObject, options: DeleteOptions): void {
  const { name, uid, resourceVersion } = {
    name: textAt(object, 'metadata', 'name'),
    uid: textAt(object, 'metadata', 'uid'),
    resourceVersion: textAt(object, 'metadata', 'resourceVersion'),
  };
  const resource = { group: kind.group, plural: kind.kind };
  if (options.uid !== undefined && options.uid !== uid) {
    throw conflict(
      resource,
      name,
      `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
    throw conflict(
      resource,
      name,
      `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  }
}

function isGraceful(kind: Kind): boolean {
  return kind.group === '' && kind.plural === 'pods';
}

/** Seconds the pod has from now on; once it is ending they can only become fewer. */
function beginGrace(pod: ApiObject, options: DeleteOptions, now: Date): bigint | 'ending' {
  const metadata = metadataOf(pod);
  const deletedAt = Date.parse(textAt(metadata, 'deletionTimestamp'));
  const asked = atLeastOneIfNegative(options.gracePeriodSeconds);
  if (Number.isNaN(deletedAt)) {
    const grace = firstGrace(pod, asked);
    setGrace(pod, new Date(now.getTime() + Number(grace) * 1000), grace);
    if (metadata.has('generation')) countUp(pod, pod);
    return grace;
  }
  const left = atLeastOneIfNegative(integerAt(metadata, 'deletionGracePeriodSeconds'));
  const wanted = left === undefined ? 0n : asked;
  if (wanted === undefined || (left !== undefined && wanted >= left)) return 'ending';
  setGrace(pod, new Date(deletedAt - Number(left ?? 0n) * 1000 + Number(wanted) * 1000), wanted);
  return wanted;
}

const DEFAULT_GRACE_SECONDS = 30n;

/** Nobody runs a pod without a node, and nothing runs in one that has ended. */
function firstGrace(pod: ApiObject, asked: bigint | undefined): bigint {
  if (textAt(pod, 'spec', 'nodeName') === '') return 0n;
  if (['Failed', 'Succeeded'].includes(textAt(pod, 'status', 'phase'))) return 0n;
  const grace = asked ?? integerAt(pod, 'spec', 'terminationGracePeriodSeconds') ?? DEFAULT_GRACE_SECONDS;
  return atLeastOneIfNegative(grace) ?? 0n;
}

/** Times end with the year 9999; what is further away doesn't come. */
const LAST_TIME_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

function setGrace(pod: ApiObject, time: Date, grace: bigint): void {
  const end = Number.isNaN(time.getTime()) || time.getTime() > LAST_TIME_MS ? new Date(LAST_TIME_MS) : time;
  metadataOf(pod).set('deletionTimestamp', timeText(end));
  metadataOf(pod).set('deletionGracePeriodSeconds', integer(grace));
}

function atLeastOneIfNegative(seconds: bigint | undefined): bigint | undefined {
  return seconds !== undefined && seconds < 0n ? 1n : seconds;
}

/** Other kinds have no grace: they are deleted from now on, and wait for their finalizers. */
function markDeleted(object: ApiObject, now: Date): void {
  const metadata = metadataOf(object);
  if (!metadata.has('deletionGracePeriodSeconds') && metadata.has('generation')) countUp(object, object);
  const deletedAt = Date.parse(textAt(metadata, 'deletionTimestamp'));
  if (Number.isNaN(deletedAt) || deletedAt > now.getTime()) metadata.set('deletionTimestamp', timeText(now));
  if (integerAt(metadata, 'deletionGracePeriodSeconds') !== 0n) {
    metadata.set('deletionGracePeriodSeconds', integer(0));
  }
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** The finalizers with those of the garbage collector as the options want them; undefined: as they are. */
function collectedFinalizers(kind: Kind, object: ApiObject, options: DeleteOptions): string[] | undefined {
  const finalizers = textsAt(object, 'metadata', 'finalizers');
  const kept = finalizers.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  const added = collectorFinalizer(kind, finalizers, options);
  if (added !== undefined) kept.push(added);
  const known = new Set(finalizers);
  const isSame = kept.length === finalizers.length && kept.every((name) => known.has(name));
  return isSame ? undefined : kept;
}

function collectorFinalizer(
  kind: Kind,
  finalizers: readonly string[],
  { orphanDependents, propagation }: DeleteOptions,
): string | undefined {
  const { uncollected, orphans } = strategyOf(kind);
  if (uncollected) return undefined;
  if (orphanDependents !== undefined) return orphanDependents ? ORPHAN : undefined;
  if (propagation === 'Orphan') return ORPHAN;
  if (propagation === 'Foreground') return FOREGROUND;
  if (propagation === 'Background') return undefined;
  if (finalizers.includes(ORPHAN)) return ORPHAN;
  if (finalizers.includes(FOREGROUND)) return FOREGROUND;
  return orphans ? ORPHAN : undefined;
}
