// What a Job has besides what its creator says: labels and a selector that tell its pods from all others.
import type { ApiObject } from '@sluice/resources';
import { objectAt, textAt } from './tree.ts';

const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';

/** Its pods are labelled with its name and its uid, and selected by the uid, unless the creator selects by hand. */
export function addSelector(job: ApiObject): void {
  const spec = objectAt(job, 'spec');
  if (spec.get('manualSelector') === true) return;
  const [name, uid] = [textAt(job, 'metadata', 'name'), textAt(job, 'metadata', 'uid')];
  const labels = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels');
  const own = { 'job-name': name, 'batch.kubernetes.io/job-name': name, 'controller-uid': uid };
  for (const [label, value] of Object.entries({ ...own, [CONTROLLER_UID]: uid })) {
    if (!labels.has(label)) labels.set(label, value);
  }
  const selected = objectAt(objectAt(spec, 'selector'), 'matchLabels');
  if (!selected.has(CONTROLLER_UID)) selected.set(CONTROLLER_UID, uid);
}
