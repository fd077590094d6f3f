// Object threads: handed what is large, replaced when they die, bounded in what waits, ended when they are closed.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openWatchCache } from '@sluice/cache';
import { ApiError, openKinds } from '@sluice/resources';
import { openMemoryStore } from '@sluice/storage';
import { DEFAULT_GATES } from '../gates.ts';
import { openParts, type Parts } from '../parts.ts';
import { ObjectThreads, type ObjectThreadsOptions } from './object-threads.ts';
import type { HandedAnswer, HandedRequest } from './tasks.ts';

const NEVER_STARTS = new URL('data:text/javascript,throw new Error("no")');
const NEVER_ANSWERS = new URL(
  'data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.postMessage("ready"); parentPort.on("message", ({ id }) => parentPort.postMessage({ begun: id }))',
);

test('a thread creates what it is handed, and the loop finds it', async (t) => {
  const { parts, threads, answer } = await open(t);
  const { answer: told } = await answer(threads, configMap('a', 'x'.repeat(100_000)));
  assert.equal(told.code, 201);
  const found = parts.objects.find('/registry/configmaps/', '/registry/configmaps/default/a');
  assert.ok(found && found.bytes.length > 100_000);
  const { answer: again } = await answer(threads, configMap('a', ''));
  assert.equal(again.code, 409);
  assert.match(Buffer.from(again.body).toString(), /configmaps \\"a\\" already exists/);
  assert.deepEqual(threads.counts, { threads: 1, waiting: 0, handed: 2, died: 0 });
});

test('jobs that wait for the store do not keep others of their thread waiting', async (t) => {
  const { threads, answer } = await open(t, { threads: 1 });
  const names = Array.from({ length: 100 }, (_, i) => `m${i}`);
  const told = await Promise.all(names.map((name) => answer(threads, configMap(name, 'x'.repeat(20_000)))));
  assert.deepEqual(
    told.map((one) => one.answer.code),
    names.map(() => 201),
  );
  assert.equal(threads.counts.threads, 1);
});

test('services get numbers from one book, whoever gives them', async (t) => {
  const { threads, answer } = await open(t, { threads: 2 });
  const told = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      answer(
        threads,
        `{"metadata":{"name":"s${i}"},"spec":{"type":"NodePort","ports":[{"port":1}]}}`,
        'services',
      ),
    ),
  );
  const services = told.map((one) => JSON.parse(Buffer.from(one.answer.body).toString()));
  assert.equal(new Set(services.map(({ spec }) => spec.clusterIP)).size, 20);
  assert.equal(new Set(services.map(({ spec }) => spec.ports[0].nodePort)).size, 20);
});

test('a thread that dies of a body answers 500 for it, and is replaced', async (t) => {
  const { parts, threads, answer } = await open(t, { threads: 1, heapMaxMb: 24 });
  const before = parts.cache.revision;
  const deadly = answer(
    threads,
    `{"metadata":{"name":"a"},"spec":{"containers":[${'{},'.repeat(300_000)}{}]}}`,
    'pods',
  );
  const waiting = answer(threads, configMap('b', ''));
  await assert.rejects(deadly, /memory/);
  assert.equal((await waiting).answer.code, 201);
  assert.equal(threads.counts.died, 1);
  assert.equal(parts.cache.revision, before + 1n);
});

test('a job that takes too long is 504, and its thread is ended', async (t) => {
  const { threads, answer } = await open(t, { threads: 1, script: NEVER_ANSWERS, jobMaxMs: 50 });
  await assert.rejects(answer(threads, configMap('a', '')), { code: 504 });
  assert.equal(threads.counts.died, 1);
});

test('without a thread there is 503 and a time to come back', async (t) => {
  const { threads, answer } = await open(t, { script: NEVER_STARTS });
  const refused = (error: unknown): boolean =>
    error instanceof ApiError && error.code === 503 && error.headers['Retry-After'] === '1';
  await assert.rejects(answer(threads, configMap('a', '')), refused);
  await assert.rejects(answer(threads, configMap('a', '')), refused);
});

test('what waits is bounded: more is 429', async (t) => {
  const { threads, answer } = await open(t, {
    threads: 1,
    script: NEVER_ANSWERS,
    waitingMaxBytes: 3_000_000,
  });
  const held = [1, 2, 3].map(() => answer(threads, configMap('a', ''), 'configmaps', 1_400_000));
  await assert.rejects(answer(threads, configMap('a', ''), 'configmaps', 1_400_000), { code: 429 });
  assert.equal(threads.counts.waiting, 2);
  threads.close();
  for (const one of held) await assert.rejects(one, /ended/);
  await assert.rejects(answer(threads, configMap('a', '')), /ended/);
  assert.equal(threads.counts.threads, 0);
});

type Opened = {
  parts: Parts;
  threads: ObjectThreads;
  answer(threads: ObjectThreads, body: string, plural?: string, bytes?: number): Promise<HandedAnswer>;
};

async function open(t: TestContext, options: Partial<ObjectThreadsOptions> = {}): Promise<Opened> {
  const store = await openMemoryStore();
  await store.commit({
    key: '/registry/namespaces/default',
    expect: 0n,
    value: (revision) => Buffer.from(`{"metadata":{"name":"default","resourceVersion":"${revision}"}}`),
  });
  const cache = await openWatchCache(store, { encodedCacheBytes: 0 });
  const parts = await openParts(store, cache, openKinds(), DEFAULT_GATES);
  const threads = new ObjectThreads({
    objects: parts.objects,
    cache,
    kinds: parts.kinds,
    gates: DEFAULT_GATES,
    ...options,
  });
  t.after(async () => {
    threads.close();
    parts.threads.close();
    cache.close();
    await store.close();
  });
  return {
    parts,
    threads,
    answer: async (own, body, plural = 'configmaps', bytes = body.length) =>
      own.run('answer', parts.kinds.find('', 'v1', plural)!, post(plural, body), bytes),
  };
}

function post(plural: string, body: string): HandedRequest {
  return {
    target: { verb: 'create', namespace: 'default', name: '', subresource: '' },
    method: 'POST',
    path: `/api/v1/namespaces/default/${plural}`,
    rawQuery: '',
    contentType: 'application/json',
    accept: undefined,
    userAgent: undefined,
    user: { name: 'test', uid: '', groups: [] },
    readable: ['json'],
    body: Buffer.from(body),
  };
}

function configMap(name: string, text: string): string {
  return `{"metadata":{"name":"${name}"},"data":{"text":"${text}"}}`;
}
