// Defaults of workloads that depend on other fields.
import { JsonNumber, type JsonObject } from '@sluice/encoding';
import { list, members } from '../tree.ts';

const INT32_MAX = new JsonNumber('2147483647');

/** One pod, six tries; as many as it takes if the tries of each index are counted. */
export function setJobDefaults(job: JsonObject): void {
  const spec = members(job.get('spec'));
  if (!spec.has('completions') && !spec.has('parallelism')) spec.set('completions', new JsonNumber('1'));
  const isPerIndex = spec.has('backoffLimitPerIndex');
  if (!spec.has('backoffLimit')) spec.set('backoffLimit', isPerIndex ? INT32_MAX : new JsonNumber('6'));
  if (!spec.has('podReplacementPolicy')) {
    spec.set('podReplacementPolicy', spec.has('podFailurePolicy') ? 'Failed' : 'TerminatingOrFailed');
  }
  job.set('spec', spec);
  takeLabels(job, templateLabels(spec));
}

/** A replication controller has the labels of its pods, and selects by them. */
export function setControllerLabels(controller: JsonObject): void {
  const spec = members(controller.get('spec'));
  const labels = templateLabels(spec);
  if (!labels) return;
  if (members(spec.get('selector')).size === 0) spec.set('selector', new Map(labels));
  takeLabels(controller, labels);
}

/** A claim template says what it is, as the claims made of it do. */
export function setClaimTypes(spec: JsonObject): void {
  for (const template of list(spec.get('volumeClaimTemplates'))) {
    members(template).set('kind', 'PersistentVolumeClaim').set('apiVersion', 'v1');
  }
}

function templateLabels(spec: JsonObject): JsonObject | undefined {
  const labels = members(members(spec.get('template')).get('metadata')).get('labels');
  return labels instanceof Map && labels.size > 0 ? labels : undefined;
}

function takeLabels(object: JsonObject, labels: JsonObject | undefined): void {
  const metadata = members(object.get('metadata'));
  if (!labels || members(metadata.get('labels')).size > 0) return;
  // The very same labels, as in the reference: what is added to a new job's template is added to the job.
  metadata.set('labels', labels);
  object.set('metadata', metadata);
}
