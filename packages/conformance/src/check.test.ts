// Checks the whole way against a small server of its own: record, check, a changed answer, a broken one, variables.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: transcripts write their variables so
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkServer, checkTranscript, needsCompaction } from './check.ts';
import type { Target } from './connection.ts';
import { recordTranscript } from './record.ts';
import { readTranscript, type Transcript } from './transcript.ts';

const TRANSCRIPT: Transcript = {
  name: 'small',
  why: 'one of each',
  setup: [{ method: 'POST', path: '/made/${run}', body: { name: '${run}' } }],
  steps: [
    { id: 'get', path: '/made/${run}', save: { v: 'metadata.resourceVersion' }, expect: {} },
    { id: 'next', path: '/after/${v}', expect: {} },
    { id: 'watch', path: '/watch', collect: { events: 2, ms: 2000 }, expect: {} },
    { id: 'long-ago', path: '/410', needs: 'compaction', expect: {} },
  ],
  cleanup: [{ method: 'DELETE', path: '/made/${run}' }],
};

let revision = 100;
const answer: RequestListener = (request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url === '/watch') {
    response.write('{"type":"ADDED"}\n');
    setTimeout(() => response.write('{"type":"MODIFIED"}\n'), 20);
    return;
  }
  const name = request.url!.split('/').pop();
  revision += 7;
  response.end(`{"metadata":{"name":"${name}","resourceVersion":"${revision}","managedFields":[{"a":"b"}]}}`);
};

test('recordTranscript() and checkServer() agree on the same server', async () => {
  await withServer(answer, async (target) => {
    const directory = mkdtempSync(join(tmpdir(), 'sluice-record-'));
    try {
      await recordTranscript(target, TRANSCRIPT, directory);
      const recorded = readTranscript(join(directory, 'small.json'));
      assert.deepEqual(recorded.steps[0]?.expect, {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"metadata":{"name":"<run>","resourceVersion":"<rv>"}}',
      });
      assert.equal(recorded.steps[2]?.expect.body, '{"type":"ADDED"}\n{"type":"MODIFIED"}\n');

      const verdicts = await checkServer(target, [recorded]);
      assert.deepEqual(
        verdicts.map((verdict) => `${verdict.step} ${verdict.outcome}`),
        ['get passed', 'next failed', 'watch passed', 'long-ago skipped'],
        'a saved revision that shows outside of a member named resourceVersion varies, and is seen to',
      );
      const one = await checkTranscript(target, recorded, {
        compares: needsCompaction,
        compacted: true,
      });
      assert.deepEqual(
        one.map((verdict) => `${verdict.step} ${verdict.outcome}`),
        ['long-ago passed'],
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

test('checkServer() fails every step when the server is gone, and goes on', async () => {
  const target = await withServer(answer, async (alive) => alive);
  const verdicts = await checkServer(target, [TRANSCRIPT, { ...TRANSCRIPT, name: 'second' }]);
  assert.equal(verdicts.filter((verdict) => verdict.outcome === 'failed').length, 6);
  assert.deepEqual(verdicts[0]?.have, { error: 'setup: ECONNREFUSED' });
});

test('checkTranscript() tells a body that broke off from a whole one', async () => {
  const cut: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('{"a"');
    setTimeout(() => response.destroy(), 20);
  };
  await withServer(cut, async (target) => {
    const step = { id: 'cut', path: '/', expect: {} };
    const [verdict] = await checkTranscript(target, { name: 'cut', why: '', steps: [step] });
    assert.deepEqual(verdict?.have, { status: 200, headers: {}, complete: false, body: '{"a"' });
  });
});

async function withServer<T>(listener: RequestListener, work: (target: Target) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
