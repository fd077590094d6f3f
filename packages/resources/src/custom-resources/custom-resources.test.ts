// Definitions: what is refused and why, names that collide, and the kinds that come of one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type JsonObject, type JsonValue, parseJson, printText } from '@sluice/encoding';
import type { ApiObject } from '../kind.ts';
import { openKinds } from '../kinds.ts';
import { metadataErrors } from '../metadata.ts';
import { encodeStatus } from '../status.ts';
import { members, text } from '../tree.ts';
import { type FieldError, invalid } from '../validation.ts';
import { customKinds } from './custom-kinds.ts';
import { defaultDefinition, readDefinition } from './definition.ts';
import {
  isEstablished,
  withAcceptedNames,
  withFirstStatus,
  withKeptStatus,
  withTerminating,
} from './status.ts';
import { definitionErrors, definitionUpdateErrors } from './validation.ts';

const TIME = '2026-01-01T00:00:00Z';
const definitions = openKinds().find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
assert.ok(definitions);

test('definitionErrors() refuses what kube-apiserver refuses, in its words', () => {
  const file = new URL('../../testdata/definitions.ndjson', import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  assert.ok(lines.length >= 80);
  for (const line of lines) {
    const { id, body, status } = JSON.parse(line);
    const object = created(body);
    const errors: FieldError[] = [...metadataErrors(definitions, object), ...definitionErrors(object)];
    if (status === null) {
      assert.deepEqual(errors, [], id);
      continue;
    }
    const error = invalid(definitions, body.metadata.name, errors);
    assert.equal(Buffer.from(encodeStatus(error.status)).toString(), status, id);
  }
});

test('definitionErrors() accepts schemas that are structural', () => {
  const properties = {
    spec: {
      type: 'object',
      properties: {
        port: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
        name: { type: 'string', default: 'a', pattern: '^a+$' },
      },
      oneOf: [{ required: ['port'] }, { properties: { name: { minLength: 3 } } }],
    },
    metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 10 } } },
  };
  assert.deepEqual(definitionErrors(widgets({ schema: { type: 'object', properties } })), []);
});

test('definitionErrors() names what a schema may not have', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'array' },
      b: { type: 'string', anyOf: [{ type: 'string' }, { properties: { x: { minLength: 1 } } }] },
      c: { type: 'nope' },
      d: { type: 'object', uniqueItems: true },
      e: { type: 'object', properties: { f: { type: 'string' } }, additionalProperties: { type: 'string' } },
    },
  };
  const root = 'spec.validation.openAPIV3Schema.properties';
  assert.deepEqual(
    definitionErrors(widgets({ schema })).map(({ field, message }) => `${field}: ${message}`),
    [
      `${root}[a].items: Required value: must be specified`,
      `${root}[b].anyOf[0].type: Forbidden: must be empty to be structural`,
      `${root}[c].type: Unsupported value: "nope": supported values: "array", "boolean", "integer", "number", "object", "string"`,
      `${root}[d].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
      `${root}[e].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
    ],
  );
});

test('definitionErrors() bounds the depth of a schema', () => {
  let schema: JsonObject = new Map([['type', 'string']]);
  for (let depth = 0; depth < 5000; depth++) {
    schema = new Map<string, JsonValue>([
      ['type', 'object'],
      ['additionalProperties', schema],
    ]);
  }
  const object = widgets({ schema: { type: 'object' } });
  const version = members((members(object.get('spec')).get('versions') as JsonValue[])[0]);
  members(version.get('schema')).set('openAPIV3Schema', schema);
  assert.deepEqual(
    definitionErrors(object).map(({ message }) => message),
    ['Forbidden: must not nest deeper than 500'],
  );
});

test('definitionErrors() asks groups of the community for an approval', () => {
  const approved = (annotation: string | undefined): string[] =>
    definitionErrors(widgets({ group: 'x.k8s.io', annotation })).map(({ reason }) => reason);
  assert.deepEqual(approved(undefined), ['FieldValueRequired']);
  assert.deepEqual(approved('yes'), ['FieldValueInvalid']);
  assert.deepEqual(approved('https://example.com/1'), []);
  assert.deepEqual(approved('unapproved, a trial'), []);
});

test('definitionUpdateErrors() keeps group, plural, and once established scope and kind', () => {
  const old = established(widgets({}));
  const next = withKeptStatus(widgets({ scope: 'Cluster', kind: 'Gadget' }), old);
  assert.deepEqual(
    definitionUpdateErrors(next, old).map(({ field, message }) => `${field}: ${message}`),
    [
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Gadget": field is immutable',
    ],
  );
  assert.deepEqual(definitionUpdateErrors(old, old), []);
});

test('definitionUpdateErrors() keeps a version that objects may be stored in', () => {
  const old = established(widgets({}));
  const next = withKeptStatus(widgets({ version: 'v2' }), old);
  const [error] = definitionUpdateErrors(next, old);
  assert.equal(error?.field, 'status.storedVersions[0]');
  assert.match(error?.message ?? '', /^Invalid value: "v1": missing from spec.versions; v1 was previously/);
});

test('withFirstStatus() accepts nothing yet and counts the storage version as stored', () => {
  assert.equal(
    printText(members(created(widgetsBody({})).get('status'))),
    '{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":["v1"]}',
  );
});

test('withAcceptedNames() establishes a definition whose names are free', () => {
  const object = established(widgets({}));
  assert.equal(
    printText(members(object.get('status'))),
    '{"conditions":[{"type":"NamesAccepted","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"NoConflicts","message":"no conflicts found"},{"type":"Established","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"InitialNamesAccepted","message":"the initial names have been accepted"}],"acceptedNames":{"plural":"widgets","singular":"widget","shortNames":["wd"],"kind":"Widget","listKind":"WidgetList","categories":["all"]},"storedVersions":["v1"]}',
  );
  assert.equal(withAcceptedNames(object, [object], '2027-01-01T00:00:00Z'), undefined);
});

test('withAcceptedNames() leaves a definition out whose names another has', () => {
  const first = established(widgets({}));
  const second = withAcceptedNames(
    widgets({ plural: 'wd', kind: 'Other', shortNames: ['wd', 'widget'] }),
    [first],
    TIME,
  );
  assert.ok(second);
  assert.equal(isEstablished(second), false);
  assert.deepEqual(customKinds(second), []);
  const conditions = printText(members(second.get('status')).get('conditions') ?? null);
  assert.match(
    conditions,
    /"reason":"ShortNamesConflict","message":"\[\\"wd\\" is already in use, \\"widget\\" is already in use\]"/,
  );
  assert.match(
    conditions,
    /"type":"Established","status":"False".*"reason":"NotAccepted","message":"not all names are accepted"/,
  );
  const elsewhere = withAcceptedNames(widgets({ group: 'other.test', plural: 'widgets' }), [first], TIME);
  assert.equal(elsewhere !== undefined && isEstablished(elsewhere), true);
});

test('withTerminating() adds the condition and keeps the others', () => {
  const object = withTerminating(established(widgets({})), TIME);
  assert.equal((members(object.get('status')).get('conditions') as JsonValue[]).length, 3);
});

test('readDefinition() names a better version than a deprecated one', () => {
  const body = widgetsBody({});
  const [v1] = body.spec.versions;
  const version = (name: string, more: object): object => ({ ...v1, name, storage: false, ...more });
  Object.assign(body.spec, {
    versions: [
      version('v1beta1', { deprecated: true }),
      version('v1', { deprecated: true, deprecationWarning: 'gone soon' }),
      version('v2', { storage: true }),
      version('v3', { served: false }),
    ],
  });
  assert.deepEqual(
    readDefinition(created(body)).versions.map(({ deprecation }) => deprecation),
    [
      'example.test/v1beta1 Widget is deprecated; use example.test/v2 Widget',
      'gone soon',
      undefined,
      undefined,
    ],
  );
});

test('customKinds() gives a kind for each served version', () => {
  const body = widgetsBody({ scope: 'Cluster' });
  const [v1] = body.spec.versions;
  assert.ok(v1);
  body.spec.versions = [
    { ...v1, selectableFields: [{ jsonPath: '.spec.color' }] },
    {
      ...v1,
      name: 'v2',
      storage: false,
      deprecated: true,
      subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
    },
    { ...v1, name: 'v3', storage: false, served: false },
  ];
  const [first, second, ...others] = customKinds(established(created(body)));
  assert.deepEqual(others, []);
  assert.ok(first && second);
  assert.equal(first.storagePrefix, '/registry/example.test/widgets/');
  assert.deepEqual([first.storageVersion, second.storageVersion], ['example.test/v1', 'example.test/v1']);
  assert.equal(first.namespaced, false);
  assert.deepEqual(first.selectableFields, ['spec.color']);
  assert.deepEqual(first.subresources, []);
  assert.equal(second.deprecation, 'example.test/v2 Widget is deprecated');
  assert.deepEqual(
    second.subresources.map(({ name, kind, group }) => `${name} ${kind}.${group}`),
    ['status Widget.example.test', 'scale Scale.autoscaling'],
  );
  assert.deepEqual(second.scale, { specReplicas: 'spec.n', statusReplicas: 'status.n' });
});

test('customKinds() prunes by the schema of each version', () => {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: { type: 'integer' } } } },
  };
  const [kind] = customKinds(established(widgets({ schema })));
  assert.ok(kind);
  const sent =
    '{"apiVersion":"example.test/v1","kind":"Widget","metadata":{"name":"x"},"spec":{"a":1,"b":2},"c":3}';
  const { object, strictErrors } = kind.codec.decode(Buffer.from(sent));
  assert.deepEqual(strictErrors, ['unknown field "c"', 'unknown field "spec.b"']);
  assert.equal(printText(object.get('spec') ?? null), '{"a":1}');
});

type Options = {
  group?: string;
  scope?: string;
  plural?: string;
  kind?: string;
  shortNames?: string[];
  version?: string;
  schema?: object;
  annotation?: string | undefined;
};

type Body = { metadata: { name: string }; spec: { versions: { name: string; [more: string]: unknown }[] } };

function widgetsBody(options: Options): Body {
  const { group = 'example.test', plural = 'widgets', kind = 'Widget', shortNames = ['wd'] } = options;
  const schema = { openAPIV3Schema: options.schema ?? { type: 'object', properties: { spec: COLORED } } };
  const annotations = options.annotation && { 'api-approved.kubernetes.io': options.annotation };
  return {
    metadata: { name: `${plural}.${group}`, ...(annotations && { annotations }) },
    spec: {
      group,
      scope: options.scope ?? 'Namespaced',
      names: { plural, kind, shortNames, categories: ['all'] },
      versions: [{ name: options.version ?? 'v1', served: true, storage: true, schema }],
    } as Body['spec'],
  };
}

const COLORED = { type: 'object', properties: { color: { type: 'string' } } };

function widgets(options: Options): ApiObject {
  return created(widgetsBody(options));
}

function created(body: object): ApiObject {
  return withFirstStatus(defaultDefinition(parseJson(Buffer.from(JSON.stringify(body))) as ApiObject));
}

function established(object: ApiObject): ApiObject {
  const next = withAcceptedNames(object, [], TIME);
  assert.ok(next, text(members(object.get('metadata')).get('name')));
  assert.equal(readDefinition(next).acceptedNames.kind, readDefinition(object).names.kind);
  return next;
}
