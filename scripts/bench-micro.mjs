// Measures the encoders by themselves: one leaf of each kind, as the server keeps it, in each representation, plain and deflated.
//
//   npm run bench:micro -- [WORDS...] [--save FILE] [--against FILE]     WORDS: only names that hold one of them
//
// --save writes the figures down; --against tells of each whether it differs from those written down, by the rule of
// packages/bench/src/verdict.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Bench } from 'tinybench';
import { compareValues, medianOf } from '../packages/bench/dist/index.js';
import { encodeLeaf, formOf, openWatchCache } from '../packages/cache/dist/index.js';
import { seed } from '../packages/cli/dist/seed.js';
import { deflate } from '../packages/encoding/dist/index.js';
import { openKinds } from '../packages/resources/dist/index.js';
import { definitionOf } from '../packages/server/dist/list/definition.js';
import { CREDENTIALS, pem } from '../packages/server/dist/running.fixture.js';
import { startServer } from '../packages/server/dist/server.js';
import { openMemoryStore } from '../packages/storage/dist/index.js';

const SETS = [
  { kind: 'configmaps', bytes: 100_000, group: '', resource: 'configmaps' },
  { kind: 'pods', bytes: 0, group: '', resource: 'pods' },
  { kind: 'customresources', bytes: 0, group: 'example.test', resource: 'widgets' },
];
const OBJECT = { shows: 'object' };
const REPRESENTATIONS = [
  { name: 'json', encoding: 'json', view: OBJECT },
  { name: 'pretty', encoding: 'pretty', view: OBJECT },
  { name: 'protobuf', encoding: 'protobuf', view: OBJECT },
  { name: 'cbor', encoding: 'cbor', view: OBJECT },
  { name: 'yaml', encoding: 'yaml', view: OBJECT },
  { name: 'table', encoding: 'json', view: { shows: 'row', version: 'v1', include: 'Metadata' } },
  { name: 'metadata', encoding: 'json', view: { shows: 'metadata', version: 'v1' } },
];
/** Enough for a leaf of each kind. */
const COUNT = 30;
/** All encoders in turn, round by round: the figure of a round is its median, and rounds share no luck. */
const ROUNDS = 8;
const TIME_MS = 40;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { save: { type: 'string' }, against: { type: 'string' } },
});
const before = values.against === undefined ? {} : JSON.parse(readFileSync(values.against, 'utf8'));
const chosen = (await encoders()).filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);
const figures = Object.fromEntries(chosen.map(({ name }) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const { name, run } of chosen) {
    const bench = new Bench({ time: TIME_MS, warmupTime: TIME_MS, throws: true }).add(name, run);
    const [task] = await bench.run();
    figures[name].push(task.result.latency.p50);
  }
}
for (const { name, bytes } of chosen) console.log(describe(name, bytes, figures[name], before[name]));
if (values.save !== undefined) writeFileSync(values.save, `${JSON.stringify(figures)}\n`);

/** Of a server that holds the benchmark's objects: its leaves, and what makes forms of them. */
async function encoders() {
  const store = await openMemoryStore();
  const cache = await openWatchCache(store, { encodedCacheBytes: 64 << 20 });
  const kinds = openKinds();
  const tls = { key: pem('server.key'), cert: pem('server.crt'), ca: pem('ca.crt') };
  const server = await startServer({
    store,
    cache,
    kinds,
    host: '127.0.0.1',
    port: 0,
    tls,
    tokens: new Map(),
  });
  const access = { ...CREDENTIALS, server: `https://127.0.0.1:${server.port}`, insecure: false };
  const found = [];
  for (const { kind, bytes, group, resource } of SETS) {
    await seed(access, { kind, count: COUNT, bytes, namespace: 'micro', workers: 4, startAt: 0 });
    const version = kinds.find(group, 'v1', resource);
    const [leaf] = cache
      .resource(version.storagePrefix)
      .current()
      .leaves(version.storagePrefix, version.storagePrefix);
    found.push(
      ...encodersOf(kind, leaf, (view, encoding) =>
        formOf(version, view, encoding, () => definitionOf({ cache, kinds }, version)),
      ),
    );
  }
  await server.close();
  cache.close();
  await store.close();
  return found;
}

function encodersOf(kind, leaf, form) {
  const input = { json: leaf.join(), lengths: leaf.lengths };
  return REPRESENTATIONS.flatMap(({ name, encoding, view }) => {
    if (kind === 'customresources' && encoding === 'protobuf') return [];
    const shown = form(view, encoding);
    // JSON as it is stored is sent as it lies.
    const encoded = shown === undefined ? input.json : encodeLeaf(shown, input).bytes;
    const plain = {
      name: `${kind}/${name}/identity`,
      bytes: leaf.bytes,
      run: () => encodeLeaf(shown, input),
    };
    const deflated = { name: `${kind}/${name}/gzip`, bytes: encoded.length, run: () => deflate(encoded) };
    return shown === undefined ? [deflated] : [plain, deflated];
  });
}

/** MB/s are of what goes in. */
function describe(name, bytes, now, then) {
  const median = medianOf(now);
  const speed = `${(median * 1000).toFixed(0).padStart(7)} µs${(bytes / 1000 / median).toFixed(0).padStart(6)} MB/s`;
  if (then === undefined) return `${name.padEnd(34)}${speed}`;
  const { verdict, ratio, low, high } = compareValues(then, now);
  return `${name.padEnd(34)}${speed}  x${ratio.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})  ${verdict}`;
}
