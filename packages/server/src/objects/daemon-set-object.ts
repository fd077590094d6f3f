// A DaemonSet counts the generations of its pod template in an annotation, as it did before there were revisions.
import type { ApiObject, Kind } from '@sluice/resources';
import { metadataOf } from './metadata.ts';
import { isSame } from './sameness.ts';
import { objectAt, textAt } from './tree.ts';

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

export function countTemplates(kind: Kind, set: ApiObject, old: ApiObject | undefined): void {
  const before = Math.max(templateGeneration(old ?? set), old ? 0 : 1);
  const isNew = old && !isSame(kind, set, old, [['spec', 'template']]);
  const annotations = objectAt(metadataOf(set), 'annotations');
  annotations.set(TEMPLATE_GENERATION, String(before + (isNew ? 1 : 0)));
}

function templateGeneration(set: ApiObject): number {
  const text = textAt(set, 'metadata', 'annotations', TEMPLATE_GENERATION);
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
}
