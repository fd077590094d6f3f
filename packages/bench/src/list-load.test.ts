// Checks what is measured against a small server in this process, and how it is drawn.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { measureLists } from './list-load.ts';
import { failedLists, printTable } from './list-table.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test('measureLists() lists as often as asked and counts what was read', {
  skip: hasCurl ? false : 'no curl',
}, async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.accept} ${request.headers.authorization}`);
    response.writeHead(asked.length === 1 ? 429 : 200).end('x'.repeat(1000));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const measured = await measureLists(
      { name: 'small', server: address, token: 't', pid: process.pid },
      {
        uri: '/api/v1/pods?limit=5',
        accept: 'application/json',
        encoding: 'identity',
        http: '1.1',
        readers: 2,
        reps: 3,
      },
    );
    assert.deepEqual(new Set(asked), new Set(['/api/v1/pods?limit=5 application/json Bearer t']));
    assert.equal(measured.listings.length, 6);
    assert.equal(failedLists(measured), 1);
    assert.ok(measured.listings.every(({ bytes, total, firstByte }) => bytes === 1000 && total >= firstByte));
    if (process.platform === 'linux') assert.ok(measured.usage!.rssPeak > 10);

    const [head, row] = printTable([measured]).split('\n');
    assert.match(head ?? '', /^subject {2}lists {2}failed {2}median s/);
    assert.match(row ?? '', /^small {8}6 {7}1 .* 1000 /);
  } finally {
    server.close();
  }
});
