// What single kinds do to an object before it is checked and stored, besides what all kinds do.
import {
  type ApiObject,
  defaultDefinition,
  type Kind,
  setPodRequests,
  withFirstStatus,
  withKeptStatus,
} from '@sluice/resources';
import { countTemplates } from './daemon-set-object.ts';
import { addSelector } from './job-object.ts';
import { metadataOf, timeText } from './metadata.ts';
import { prepareNamespace } from './namespace-object.ts';
import { qosClass } from './qos-class.ts';
import { dropTypeFields } from './service-object.ts';
import { objectAt, textsAt } from './tree.ts';

/** Gives the object that is to be stored; may change the one given. `old` is undefined for a new object. */
export function prepareKind(kind: Kind, object: ApiObject, old: ApiObject | undefined, now: Date): ApiObject {
  if (kind.custom) return object;
  const finalizer = old ? undefined : PROTECTING[resourceOf(kind)];
  if (finalizer !== undefined) addFinalizer(object, finalizer);
  return PREPARATIONS[resourceOf(kind)]?.(object, old, now, kind) ?? object;
}

function resourceOf(kind: Kind): string {
  return kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
}

/** New objects of these kinds stay until whoever uses them lets go of them. */
const PROTECTING: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
  'volumeattributesclasses.storage.k8s.io': 'kubernetes.io/vac-protection',
};

function addFinalizer(object: ApiObject, finalizer: string): void {
  const finalizers = textsAt(object, 'metadata', 'finalizers');
  if (!finalizers.includes(finalizer)) metadataOf(object).set('finalizers', [...finalizers, finalizer]);
}

type Prepare = (object: ApiObject, old: ApiObject | undefined, now: Date, kind: Kind) => ApiObject;

const PREPARATIONS: Readonly<Record<string, Prepare>> = {
  namespaces: prepareNamespace,
  pods(pod, old) {
    if (old) return pod;
    setPodRequests(pod);
    objectAt(pod, 'status').set('phase', 'Pending').set('qosClass', qosClass(pod));
    return pod;
  },
  persistentvolumes(volume, old, now) {
    if (!old) {
      objectAt(volume, 'status').set('phase', 'Pending').set('lastPhaseTransitionTime', timeText(now));
    }
    return volume;
  },
  secrets: withPlainData,
  services(service, old) {
    if (old) dropTypeFields(service, old);
    return service;
  },
  'daemonsets.apps'(set, old, _now, kind) {
    countTemplates(kind, set, old);
    return set;
  },
  'jobs.batch'(job, old) {
    if (!old) addSelector(job);
    return job;
  },
  'customresourcedefinitions.apiextensions.k8s.io'(object, old) {
    const defaulted = defaultDefinition(object);
    return old ? withKeptStatus(defaulted, old) : withFirstStatus(defaulted);
  },
};

/** stringData is only written, never read: it becomes data. */
function withPlainData(secret: ApiObject): ApiObject {
  const plain = secret.get('stringData');
  secret.delete('stringData');
  if (!(plain instanceof Map) || plain.size === 0) return secret;
  const data = objectAt(secret, 'data');
  for (const [name, text] of plain) {
    if (typeof text === 'string') data.set(name, Buffer.from(text).toString('base64'));
  }
  return secret;
}
