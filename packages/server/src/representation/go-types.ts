// The Go type the reference names in a refusal: its internal one, not the one of the version that was asked for.
import type { Kind } from '@sluice/resources';

/** `*core.Pod`, `*apps.Deployment`; custom resources are untyped there. */
export function goTypeOf(kind: Kind): string {
  return kind.custom ? '*unstructured.Unstructured' : `*${packageOf(kind)}.${kind.kind}`;
}

export function goListTypeOf(kind: Kind): string {
  return kind.custom ? '*unstructured.UnstructuredList' : `*${packageOf(kind)}.${kind.listKind}`;
}

/** Events of either group are core's there. */
function packageOf({ group }: Kind): string {
  if (group === '' || group === 'events.k8s.io') return 'core';
  return group.split('.')[0]!;
}
