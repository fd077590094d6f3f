// The status of a CustomResourceDefinition: which names it got, whether it is served, which versions were ever stored.
import { type JsonObject, type JsonValue, printText } from '@sluice/encoding';
import { goQuote } from '../go-quote.ts';
import type { ApiObject } from '../kind.ts';
import { changed, list, members, texts } from '../tree.ts';
import { type Names, readDefinition } from './definition.ts';

/** A new definition: nothing accepted yet, the storage version counts as stored. What the client sent is dropped. */
export function withFirstStatus(object: ApiObject): ApiObject {
  const storage = readDefinition(object).versions.find((version) => version.storage);
  const acceptedNames = new Map([
    ['plural', ''],
    ['kind', ''],
  ]);
  return changed(object, {
    status: new Map<string, JsonValue>([
      ['conditions', null],
      ['acceptedNames', acceptedNames],
      ['storedVersions', storage === undefined ? null : [storage.name]],
    ]),
  });
}

/** A changed definition: the old status, and the new storage version among the stored ones. */
export function withKeptStatus(object: ApiObject, old: ApiObject): ApiObject {
  const status = members(old.get('status'));
  const stored = texts(status.get('storedVersions'));
  const storage = readDefinition(object).versions.find((version) => version.storage);
  if (storage === undefined || stored.includes(storage.name)) return changed(object, { status });
  return changed(object, { status: changed(status, { storedVersions: [...stored, storage.name] }) });
}

/**
 * The definition with the names it may have among `others` and the conditions that follow; undefined when nothing
 * changes. `time` stands in conditions that turn. A definition once established stays so, whatever it asks for later.
 */
export function withAcceptedNames(
  object: ApiObject,
  others: readonly ApiObject[],
  time: string,
): ApiObject | undefined {
  const { names, acceptedNames, group, name } = readDefinition(object);
  const taken = takenNames(others, group, name);
  const conflict = conflictOf(names, acceptedNames, taken);
  const accepted = condition('NamesAccepted', conflict ?? NO_CONFLICTS, time);
  const verdict = conflict === undefined ? ESTABLISHED : NOT_ACCEPTED;
  const added = isEstablished(object) ? [accepted] : [accepted, condition('Established', verdict, time)];
  const status = members(object.get('status'));
  const next = changed(status, {
    conditions: added.reduce(withCondition, list(status.get('conditions'))),
    acceptedNames: namesValue(acceptable(names, acceptedNames, taken)),
  });
  return printText(status) === printText(next) ? undefined : changed(object, { status: next });
}

/** Its objects are served. */
export function isEstablished(object: ApiObject): boolean {
  return hasCondition(object, 'Established');
}

/** A definition whose deletion was asked for; its objects go first. */
export function withTerminating(object: ApiObject, time: string): ApiObject {
  const status = members(object.get('status'));
  const terminating = condition('Terminating', TERMINATING, time);
  return changed(object, {
    status: changed(status, { conditions: withCondition(list(status.get('conditions')), terminating) }),
  });
}

type Verdict = { status: 'True' | 'False'; reason: string; message: string };

const NO_CONFLICTS: Verdict = { status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
const ESTABLISHED: Verdict = {
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};
const NOT_ACCEPTED: Verdict = {
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};
const TERMINATING: Verdict = {
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
};

type Taken = { resources: ReadonlySet<string>; kinds: ReadonlySet<string> };

/** Names that other definitions of the group got. */
function takenNames(others: readonly ApiObject[], group: string, own: string): Taken {
  const accepted = others
    .map(readDefinition)
    .filter((other) => other.group === group && other.name !== own)
    .map((other) => other.acceptedNames);
  return {
    resources: new Set(
      accepted.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...shortNames]),
    ),
    kinds: new Set(accepted.flatMap(({ kind, listKind }) => [kind, listKind])),
  };
}

/** The last conflict in this order is the one that is told, as in the reference. */
function conflictOf(names: Names, accepted: Names, taken: Taken): Verdict | undefined {
  const checks: [reason: string, conflicts: string[]][] = [
    ['PluralConflict', conflicts([names.plural], [accepted.plural], taken.resources)],
    ['SingularConflict', conflicts([names.singular], [accepted.singular], taken.resources)],
    ['ShortNamesConflict', conflicts(names.shortNames, accepted.shortNames, taken.resources)],
    ['KindConflict', conflicts([names.kind], [accepted.kind], taken.kinds)],
    ['ListKindConflict', conflicts([names.listKind], [accepted.listKind], taken.kinds)],
  ];
  const found = checks.findLast(([, texts]) => texts.length > 0);
  if (found === undefined) return undefined;
  const [reason, texts] = found;
  return { status: 'False', reason, message: texts.length === 1 ? texts.join() : `[${texts.join(', ')}]` };
}

function conflicts(asked: readonly string[], own: readonly string[], taken: ReadonlySet<string>): string[] {
  const inUse = asked.filter((name) => !own.includes(name) && taken.has(name));
  return [...new Set(inUse.map((name) => `${goQuote(name)} is already in use`))];
}

/** Of each kind of name the new one if it is free, the old one otherwise. */
function acceptable(names: Names, accepted: Names, taken: Taken): Names {
  const one = (asked: string, own: string, inUse: ReadonlySet<string>): string =>
    conflicts([asked], [own], inUse).length === 0 ? asked : own;
  const shortNames = conflicts(names.shortNames, accepted.shortNames, taken.resources).length === 0;
  return {
    plural: one(names.plural, accepted.plural, taken.resources),
    singular: one(names.singular, accepted.singular, taken.resources),
    shortNames: shortNames ? names.shortNames : accepted.shortNames,
    kind: one(names.kind, accepted.kind, taken.kinds),
    listKind: one(names.listKind, accepted.listKind, taken.kinds),
    categories: names.categories,
  };
}

function namesValue(names: Names): JsonObject {
  const value: JsonObject = new Map([['plural', names.plural]]);
  if (names.singular !== '') value.set('singular', names.singular);
  if (names.shortNames.length > 0) value.set('shortNames', [...names.shortNames]);
  value.set('kind', names.kind);
  if (names.listKind !== '') value.set('listKind', names.listKind);
  if (names.categories.length > 0) value.set('categories', [...names.categories]);
  return value;
}

function condition(type: string, { status, reason, message }: Verdict, time: string): JsonObject {
  return new Map([
    ['type', type],
    ['status', status],
    ['lastTransitionTime', time],
    ['reason', reason],
    ['message', message],
  ]);
}

/** Replaces the condition of the same type; its time stays while its status does. */
function withCondition(conditions: readonly JsonValue[], added: JsonObject): JsonValue[] {
  const index = conditions.findIndex((known) => members(known).get('type') === added.get('type'));
  if (index < 0) return [...conditions, added];
  const known = members(conditions[index]);
  const turned = known.get('status') !== added.get('status');
  const time = turned ? added.get('lastTransitionTime') : known.get('lastTransitionTime');
  return conditions.with(index, changed(added, { lastTransitionTime: time }));
}

function hasCondition(object: ApiObject, type: string): boolean {
  return list(members(object.get('status')).get('conditions')).some(
    (known) => members(known).get('type') === type && members(known).get('status') === 'True',
  );
}
