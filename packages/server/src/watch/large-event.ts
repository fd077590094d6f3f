// Makes the event of a large object in a thread, once for all watchers that are told of it at the same time in the same form.
import type { Kind } from '@sluice/resources';
import { apiVersionOf } from '../object-bytes.ts';
import type { Parts } from '../parts.ts';
import type { HandedEvent } from '../threads/tasks.ts';

/** By the object's bytes, then by what is made of them, while it is being made. */
const underWay = new WeakMap<Uint8Array, Map<string, Promise<Uint8Array>>>();

/** @throws ApiError when threads have too much to do; the watch ends with it. */
export function largeEvent(parts: Parts, kind: Kind, event: HandedEvent): Promise<Uint8Array> {
  const { type, item, revision, representation, include, hasColumns } = event;
  const { encoding, as } = representation;
  const shown = [
    apiVersionOf(kind),
    type,
    revision,
    encoding,
    as?.kind,
    as?.version,
    include,
    hasColumns,
  ].join(' ');
  const others = underWay.get(item) ?? new Map<string, Promise<Uint8Array>>();
  underWay.set(item, others);
  let made = others.get(shown);
  if (!made) {
    // A view of a leaf: handing that over would copy all of the leaf.
    made = parts.threads
      .run('event', kind, { ...event, item: new Uint8Array(item) }, item.length)
      .finally(() => others.delete(shown));
    others.set(shown, made);
  }
  return made;
}
