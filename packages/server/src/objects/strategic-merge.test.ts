// Strategic merge patches of a Deployment: what the reference makes of the same patches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, parseJson, printJson } from '@sluice/encoding';
import { openKinds } from '@sluice/resources';
import { schemaOf } from './patch-schema.ts';
import { applyStrategicMerge, StrategicPatchError } from './strategic-merge.ts';

const SCHEMA = schemaOf(openKinds().find('apps', 'v1', 'deployments')!);

/** Within spec.template.spec. */
const PODS: [name: string, before: string, patch: string, after: string][] = [
  [
    'merges by key and adds at the end',
    '{"containers":[{"name":"c","env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]}]}',
    '{"containers":[{"name":"c","env":[{"name":"B","value":"two"},{"name":"C","value":"3"}]}]}',
    '{"containers":[{"name":"c","env":[{"name":"A","value":"1"},{"name":"B","value":"two"},{"name":"C","value":"3"}]}]}',
  ],
  [
    'puts a new item before one it does not know',
    '{"containers":[{"name":"c"}]}',
    '{"containers":[{"name":"side"}]}',
    '{"containers":[{"name":"side"},{"name":"c"}]}',
  ],
  [
    'keeps the server’s item where it was',
    '{"ports":0,"containers":[{"name":"c","ports":[{"containerPort":80},{"containerPort":53}]}]}',
    '{"containers":[{"name":"c","ports":[{"containerPort":80,"name":"http"},{"containerPort":81}]}]}',
    '{"ports":0,"containers":[{"name":"c","ports":[{"containerPort":80,"name":"http"},{"containerPort":81},{"containerPort":53}]}]}',
  ],
  [
    'deletes an item',
    '{"containers":[{"name":"c"},{"name":"d"}]}',
    '{"containers":[{"name":"c","$patch":"delete"}]}',
    '{"containers":[{"name":"d"}]}',
  ],
  [
    'replaces a list that is told to',
    '{"containers":[{"name":"c","image":"i"}]}',
    '{"containers":[{"$patch":"replace"},{"name":"z"}]}',
    '{"containers":[{"name":"z"}]}',
  ],
  [
    'orders as it is told',
    '{"containers":[{"name":"a"},{"name":"b"},{"name":"x"}]}',
    '{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"a","image":"i"}]}',
    '{"containers":[{"name":"b"},{"name":"a","image":"i"},{"name":"x"}]}',
  ],
  [
    'orders what it does not change',
    '{"containers":[{"name":"a"},{"name":"b"}]}',
    '{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]}',
    '{"containers":[{"name":"b"},{"name":"a"}]}',
  ],
  [
    'replaces lists without a merge key',
    '{"tolerations":[{"key":"a"}]}',
    '{"tolerations":[{"key":"b"}]}',
    '{"tolerations":[{"key":"b"}]}',
  ],
  [
    'retains only the keys it names',
    '{"volumes":[{"name":"v","emptyDir":{}}]}',
    '{"volumes":[{"name":"v","configMap":{"name":"m"},"$retainKeys":["name","configMap"]}]}',
    '{"volumes":[{"name":"v","configMap":{"name":"m"}}]}',
  ],
  [
    'removes nulls',
    '{"nodeName":"n","hostNetwork":true}',
    '{"nodeName":null,"affinity":{"nodeAffinity":null}}',
    '{"hostNetwork":true,"affinity":{}}',
  ],
  [
    'drops directives from what is new',
    '{}',
    '{"volumes":[{"name":"v","$retainKeys":["name"]},{"name":"w","$patch":"delete"}],"$setElementOrder/volumes":[{"name":"v"}]}',
    '{"volumes":[{"name":"v"}]}',
  ],
];

for (const [name, before, patch, after] of PODS) {
  test(`applyStrategicMerge() ${name}`, () => {
    const wrap = (text: string): string => `{"spec":{"template":{"spec":${text}}}}`;
    assert.equal(patched(wrap(before), wrap(patch)), wrap(after));
  });
}

const METADATA: [name: string, before: string, patch: string, after: string][] = [
  [
    'replaces a map that is told to',
    '{"labels":{"a":"1"}}',
    '{"labels":{"$patch":"replace","b":"2"}}',
    '{"labels":{"b":"2"}}',
  ],
  [
    'deletes a map that is told to',
    '{"labels":{"a":"1"}}',
    '{"labels":{"$patch":"delete"}}',
    '{"labels":{}}',
  ],
  [
    'merges lists of texts',
    '{"finalizers":["a","b"]}',
    '{"finalizers":["c","b"]}',
    '{"finalizers":["c","a","b"]}',
  ],
  [
    'takes texts out',
    '{"finalizers":["a","b"]}',
    '{"$deleteFromPrimitiveList/finalizers":["a"]}',
    '{"finalizers":["b"]}',
  ],
];

for (const [name, before, patch, after] of METADATA) {
  test(`applyStrategicMerge() ${name}`, () => {
    const wrap = (text: string): string => `{"metadata":${text}}`;
    assert.equal(patched(wrap(before), wrap(patch)), wrap(after));
  });
}

const REFUSED: [patch: string, message: string][] = [
  ['{"image":"x"}', 'map: map[image:x] does not contain declared merge key: name'],
  ['{"$patch":"delete"}', 'map: map[$patch:delete] does not contain declared merge key: name'],
  ['{"name":"c","$patch":"frob"}', 'unknown patch type: frob in map: map[$patch:frob name:c]'],
];

for (const [item, message] of REFUSED) {
  test(`applyStrategicMerge() refuses ${item}`, () => {
    const before = '{"spec":{"template":{"spec":{"containers":[{"name":"c"}]}}}}';
    const patch = `{"spec":{"template":{"spec":{"containers":[${item}]}}}}`;
    assert.throws(() => patched(before, patch), new StrategicPatchError(message));
  });
}

function patched(before: string, patch: string): string {
  const result = applyStrategicMerge(parse(before), parse(patch), SCHEMA);
  return Buffer.from(printJson(result)).toString();
}

function parse(text: string): JsonObject {
  return parseJson(Buffer.from(text)) as JsonObject;
}
