// What readers do to a server: slow ones cost little, ones that vanish leave nothing behind.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { type Client, connect, type Opened, PROTOCOLS } from './running.fixture.ts';
import { forkServer, type Health } from './running-child.fixture.ts';

const MIB = 1024 * 1024;
const PATH = '/api/v1/configmaps';
const READERS = 16;
/** What a list in flight may hold. */
const READER_BYTES = MIB;
/** Heap that grows and shrinks by itself, and pooled buffers. */
const SLACK_BYTES = 16 * MIB;
/** What the allocator keeps of what was freed, too. */
const RESIDENT_SLACK_BYTES = 64 * MIB;
const VANISHING = 200;

for (const protocol of PROTOCOLS) {
  for (const gzip of [false, true]) {
    const form = `${protocol}, ${gzip ? 'gzip' : 'plain'}`;

    test(`${READERS} slow readers of 100 MB cost the server at most 1 MiB each, ${form}`, async (t) => {
      const server = await forkServer(t, { items: 1000, itemBytes: 100_000, twinBytes: 0 });
      const headers = gzip ? { 'accept-encoding': 'gzip' } : {};
      const first = connect(protocol, server.port);
      const whole = await digest(await first.open(PATH, { headers }));
      assert.ok(whole.bytes > 100 * 1000 * 1000);
      first.close();
      const before = await server.health();
      const clients: Client[] = [];
      const lists: Opened[] = [];
      t.after(() => {
        for (const client of clients) client.close();
      });
      for (let i = 0; i < READERS; i++) {
        clients.push(connect(protocol, server.port));
        lists.push(await clients[i]!.open(PATH, { headers }));
      }
      let [most, mostResident] = [0, 0];
      for (let round = 0; round < 8; round++) {
        for (const { body } of lists) await readSome(body, 256 * 1024);
        const now = await server.health();
        most = Math.max(most, grown(before, now));
        mostResident = Math.max(mostResident, now.memory.resident - before.memory.resident);
      }
      const told = `${mib(most)} MiB, resident ${mib(mostResident)} MiB, for ${READERS} readers`;
      t.diagnostic(told);
      assert.ok(most < READERS * READER_BYTES + SLACK_BYTES, told);
      assert.ok(mostResident < READERS * READER_BYTES + RESIDENT_SLACK_BYTES, told);
      for (const { body } of lists.slice(1)) body.on('error', () => {}).destroy();
      assert.deepEqual((await server.health()).failures, []);
    });
  }

  test(`${VANISHING} readers that vanish anywhere leave nothing behind, ${protocol}`, async (t) => {
    const server = await forkServer(t, { items: 400, itemBytes: 50_000, twinBytes: 4 * MIB });
    const whole = await listOnce(protocol, server.port);
    await listOnce(protocol, server.port, { 'accept-encoding': 'gzip' });
    // What the history holds of the past is at its limit from here on.
    for (let i = 0; i < 4; i++) await server.rewrite();
    await listOnce(protocol, server.port);
    const before = await server.health();
    for (let i = 0; i < VANISHING; i++) {
      const client = connect(protocol, server.port);
      const query = ['', '?fieldSelector=metadata.name!=c7', '?watch=true', '?pretty=true'][i % 4];
      const headers = i % 3 === 0 ? { 'accept-encoding': 'gzip' } : {};
      const opened = client.open(PATH + query, { headers });
      if (i % 5 === 0) {
        opened.catch(() => {});
        await pause(i % 7);
      } else {
        const { body } = await opened;
        body.on('error', () => {});
        await readSome(body, (i * 104_729) % whole.bytes, 30);
        body.destroy();
      }
      client.close();
    }
    await server.rewrite();
    assert.notEqual((await listOnce(protocol, server.port)).hash, whole.hash);
    await untilQuiet(server);
    const after = await server.health();
    assert.deepEqual(after.failures, []);
    assert.ok(grown(before, after) < SLACK_BYTES, `${mib(grown(before, after))} MiB are left`);
  });
}

async function listOnce(
  protocol: (typeof PROTOCOLS)[number],
  port: number,
  headers: Record<string, string> = {},
): Promise<{ bytes: number; hash: string }> {
  const client = connect(protocol, port);
  try {
    return await digest(await client.open(PATH, { headers }));
  } finally {
    client.close();
  }
}

async function digest({ headers, body }: Opened): Promise<{ bytes: number; hash: string }> {
  const plain = headers['content-encoding'] === 'gzip' ? body.pipe(createGunzip()) : body;
  const hash = createHash('sha1');
  let bytes = 0;
  for await (const chunk of plain) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, hash: hash.digest('hex') };
}

/** Takes about so many bytes, as they come, and stops reading. */
async function readSome(body: Readable, bytes: number, patienceMs = 1000): Promise<void> {
  const until = performance.now() + patienceMs;
  let taken = 0;
  while (taken < bytes && !body.readableEnded && !body.destroyed && performance.now() < until) {
    const chunk = body.read();
    if (chunk === null) await pause(1);
    else taken += chunk.length;
  }
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}

function grown(before: Health, after: Health): number {
  return after.memory.external + after.memory.heap - before.memory.external - before.memory.heap;
}

/** No connection is left. */
async function untilQuiet(server: { health(): Promise<Health> }): Promise<void> {
  for (let i = 0; (await server.health()).connections > 0; i++) {
    assert.ok(i < 100, 'connections are left');
    await pause(100);
  }
}
