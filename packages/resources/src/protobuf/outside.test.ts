// What we write, read by a decoder that knows nothing of us; and what it writes, read by us.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { enclose } from '@sluice/encoding';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { builtInCodec } from '../schema/built-in.ts';
import { protobufCodec } from './codec.ts';

const subset = readFileSync(new URL('../../testdata/subset.proto', import.meta.url), 'utf8');
const { root } = protobuf.parse(subset, { keepCase: true });

const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);
const text = fc.string({ unit: 'binary', maxLength: 300 });
const texts = fc.dictionary(name, text, { maxKeys: 5 });
const bytes = fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some).toString('base64'));
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const int32 = fc.integer();
const quantities = fc.dictionary(name, fc.constantFrom('1', '250m', '1Gi', '1536Mi', '0'), { maxKeys: 3 });

const metadata = fc.record({
  name,
  generateName: text,
  namespace: name,
  uid: text,
  resourceVersion: fc.constant(''),
  generation: int64,
  labels: texts,
  annotations: texts,
  ownerReferences: fc.array(
    fc.record(
      {
        kind: name,
        name,
        uid: text,
        apiVersion: name,
        controller: fc.boolean(),
        blockOwnerDeletion: fc.boolean(),
      },
      { requiredKeys: ['kind', 'name', 'uid', 'apiVersion'] },
    ),
    { maxLength: 3 },
  ),
  finalizers: fc.array(text, { maxLength: 3 }),
});

const configMap = fc.record(
  {
    metadata,
    data: texts,
    binaryData: fc.dictionary(name, bytes, { maxKeys: 3 }),
    immutable: fc.boolean(),
  },
  { requiredKeys: ['metadata', 'data', 'binaryData'] },
);

const container = fc.record({
  name,
  image: text,
  command: fc.array(text, { maxLength: 3 }),
  args: fc.array(text, { maxLength: 3 }),
  workingDir: text,
  ports: fc.array(fc.record({ name, hostPort: int32, containerPort: int32, protocol: name, hostIP: text }), {
    maxLength: 3,
  }),
  env: fc.array(fc.record({ name: text, value: text }), { maxLength: 4 }),
  resources: fc.record({ limits: quantities, requests: quantities }),
});

const pod = fc.record({
  metadata,
  spec: fc.record(
    {
      containers: fc.array(container, { maxLength: 3 }),
      restartPolicy: name,
      terminationGracePeriodSeconds: int64,
      activeDeadlineSeconds: int64,
      dnsPolicy: name,
      nodeSelector: texts,
      nodeName: text,
      hostNetwork: fc.boolean(),
      tolerations: fc.array(
        fc.record(
          { key: text, operator: name, value: text, effect: name, tolerationSeconds: int64 },
          { requiredKeys: ['key', 'operator', 'value', 'effect'] },
        ),
        { maxLength: 3 },
      ),
    },
    {
      requiredKeys: [
        'containers',
        'restartPolicy',
        'dnsPolicy',
        'nodeSelector',
        'nodeName',
        'hostNetwork',
        'tolerations',
      ],
    },
  ),
});

for (const [kind, objects] of [
  ['ConfigMap', configMap],
  ['Pod', pod],
] as const) {
  const meta = { group: '', version: 'v1', kind };
  const codec = builtInCodec(`core/v1.${kind}`, meta);
  const type = root.lookupType(kind);

  test(`message() of a ${kind} is what protobufjs reads`, () => {
    fc.assert(
      fc.property(objects as fc.Arbitrary<object>, (object) => {
        const message = protobufCodec(meta)!.message(itemOf(object));
        assert.deepEqual(plain(type.decode(Uint8Array.from(message))), expected(object));
      }),
      { numRuns: 300 },
    );
  });

  test(`decode() of a ${kind} reads what protobufjs writes`, () => {
    fc.assert(
      fc.property(objects as fc.Arbitrary<object>, (object) => {
        const written = type.encode(type.fromObject(toMessage(object) as Record<string, unknown>)).finish();
        const { object: read } = protobufCodec(meta)!.decode(enclose({ apiVersion: 'v1', kind }, written));
        assert.equal(print(read), itemOf(object).toString());
      }),
      { numRuns: 300 },
    );
  });

  function itemOf(object: object): Buffer {
    const digits = /"(generation|\w+Seconds)":"(-?\d+)"/g;
    return Buffer.from(
      print(codec.decode(Buffer.from(JSON.stringify(object).replace(digits, '"$1":$2'))).object),
    );
  }

  function print(object: Parameters<typeof codec.encode>[0]): string {
    const { head, tail } = codec.encode(object);
    return Buffer.concat([head, tail]).toString();
  }
}

function plain(message: protobuf.Message): unknown {
  const object = message.$type.toObject(message, {
    longs: String,
    bytes: String,
    arrays: true,
    objects: true,
  });
  return normal(object);
}

/** Times were not given, so their messages are empty or absent; quantities are messages of one text. */
function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'creationTimestamp');
  if (entries.length === 1 && entries[0]![0] === 'string') return entries[0]![1];
  return Object.fromEntries(entries.map(([key, inner]) => [key, normal(inner)]));
}

function expected(object: object): unknown {
  return JSON.parse(JSON.stringify(object));
}

/** Quantities as messages. */
function toMessage(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => toMessage(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        toMessage(inner, key === 'limits' || key === 'requests' ? 'quantity' : name),
      ]),
    );
  }
  return key === 'quantity' ? { string: value } : value;
}
