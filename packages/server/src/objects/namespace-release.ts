// Lets go of a namespace that was emptied: without its last finalizer it goes.
import { ApiError, type Kind } from '@sluice/resources';
import type { ObjectParts } from '../parts.ts';
import { changeObject } from './change.ts';
import { CONTENT_FINALIZER } from './namespace-object.ts';
import { objectAt, put, textsAt } from './tree.ts';

export async function releaseNamespace(parts: ObjectParts, kind: Kind, name: string): Promise<void> {
  const target = { kind, verb: 'update', namespace: '', name, subresource: 'finalize' } as const;
  try {
    await changeObject(parts, target, {
      dryRun: false,
      uid: '',
      make: (old) => new Map(old),
      prepare(made) {
        const left = textsAt(made, 'spec', 'finalizers').filter(
          (finalizer) => finalizer !== CONTENT_FINALIZER,
        );
        made.set('spec', new Map(objectAt(made, 'spec')));
        put(objectAt(made, 'spec'), 'finalizers', left.length > 0 ? left : undefined);
        return made;
      },
    });
  } catch (error) {
    const isGone = error instanceof ApiError && error.code === 404;
    if (!isGone) throw error;
  }
}
