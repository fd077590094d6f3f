// The form in which a kind's objects are shown, where it isn't the one they are stored in: Event has two groups, HorizontalPodAutoscaler two versions.
import { convert, type Kind } from '@sluice/resources';
import type { ObjectParts } from '../parts.ts';

/** Item bytes as stored → as shown. */
export type Form = (item: Uint8Array) => Uint8Array;

/** Undefined: what is stored is what is shown. */
export function shownForm(parts: ObjectParts, kind: Kind): Form | undefined {
  const stored = storedKind(parts, kind);
  if (stored === kind && !kind.mixed) return undefined;
  return (item) => shown(stored, kind, item);
}

/** The kind in the version its objects are stored in. */
export function storedKind(parts: ObjectParts, kind: Kind): Kind {
  const [group, version] = kind.storageVersion.includes('/')
    ? kind.storageVersion.split('/')
    : ['', kind.storageVersion];
  if (kind.group === group && kind.version === version) return kind;
  return parts.kinds.find(group!, version!, kind.plural) ?? kind;
}

function shown(stored: Kind, kind: Kind, item: Uint8Array): Uint8Array {
  const object = stored.codec.read(item);
  const metadata = object.get('metadata');
  const resourceVersion = metadata instanceof Map ? metadata.get('resourceVersion') : '';
  const { head, tail } = kind.codec.encode(convert(object, stored, kind));
  return Buffer.concat([head, Buffer.from(String(resourceVersion)), tail]);
}
