// Nonsense for every kind's codec: it is refused in Go's words, or becomes bytes that stay the same when they are read again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openKinds } from './index.ts';
import { DecodeError, type Kind } from './kind.ts';

const REVISION = Buffer.from('7');
const RUNS = Number(process.env.FUZZ_RUNS ?? 2000);
const NAMES = [
  ...[
    'metadata',
    'spec',
    'status',
    'template',
    'items',
    'data',
    'rules',
    'type',
    'name',
    'namespace',
    'labels',
  ],
  ...[
    'annotations',
    'ownerReferences',
    'managedFields',
    'creationTimestamp',
    'finalizers',
    'selector',
    'matchLabels',
  ],
  ...[
    'containers',
    'env',
    'ports',
    'port',
    'resources',
    'limits',
    'cpu',
    'replicas',
    'conditions',
    'subsets',
  ],
  ...[
    'volumes',
    'value',
    'time',
    'key',
    'raw',
    'object',
    'lastTransitionTime',
    'rotationDate',
    'schema',
    'default',
  ],
  ...['__proto__', 'constructor', 'Name', 'kind', 'apiVersion', ''],
];
const LEAVES = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    '\u0000<&>\u2028',
    '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05.123456Z',
    '1Ki',
    '1e3',
    '5s',
    'YQ==',
  ),
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 2 ** 31, 2 ** 53, 1e21, -0),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    LEAVES,
    fc.array(tie('tree'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

test(`${RUNS} nonsensical bodies are refused, or read and written the same`, () => {
  const kinds = openKinds().all();
  const members = fc.dictionary(fc.constantFrom(...NAMES), tree, { maxKeys: 5, noNullPrototype: true });
  const damages = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 2 });
  let read = 0;
  fc.assert(
    fc.property(
      fc.nat(kinds.length - 1),
      members,
      fc.boolean(),
      damages,
      (index, more, isDamaged, places) => {
        const kind = kinds[index]!;
        const body = Buffer.from(
          JSON.stringify({ kind: kind.kind, apiVersion: apiVersionOf(kind), ...more }),
        );
        if (isDamaged) for (const [place, value] of places) body[place % body.length] = value;
        const bytes = normalForm(kind, body);
        if (bytes === undefined) return;
        read++;
        JSON.parse(bytes.toString());
        const { head, tail } = kind.codec.encode(kind.codec.read(bytes));
        assert.equal(Buffer.concat([head, REVISION, tail]).toString(), bytes.toString());
      },
    ),
    { numRuns: RUNS, includeErrorInReport: true },
  );
  assert.ok(read > RUNS / 50, `${read} of ${RUNS} could be read`);
});

/** Undefined: no object can be read from the body. */
function normalForm({ codec }: Kind, body: Uint8Array): Buffer | undefined {
  try {
    const { head, tail } = codec.encode(codec.decode(body).object);
    return Buffer.concat([head, REVISION, tail]);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

function apiVersionOf({ group, version }: Kind): string {
  return group === '' ? version : `${group}/${version}`;
}
