// Measures the longest turn of a server's event loop, for each of many requests that ask for as much as they can.
//
//   node scripts/turns.mjs [bytes of each body] [bytes of stored objects]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  hostileReads,
  hostileWrites,
  LARGEST_BYTES,
  victims,
  WIDGETS,
} from '../packages/server/dist/hostile-bodies.fixture.js';
import { connect, startRunning } from '../packages/server/dist/running.fixture.js';

/** Each request is made so often; the first finds code that nobody has run yet. */
const TIMES = 3;
const RESOLUTION_MS = 1;

if (process.send) await serve();
else await measure(Number(process.argv[2] ?? LARGEST_BYTES), Number(process.argv[3] ?? 1_300_000));

async function serve() {
  const gates = {
    CBORServingAndStorage: true,
    StreamingCollectionEncodingToJSON: true,
    StreamingCollectionEncodingToProtobuf: true,
  };
  const { server } = await startRunning({ gates });
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on('message', () => {
    process.send({ turnMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS) });
    delay.reset();
  });
  process.send({ port: server.port });
}

async function measure(bodyBytes, storedBytes) {
  const child = fork(fileURLToPath(import.meta.url));
  const [{ port }] = await once(child, 'message');
  const client = connect('HTTP/1.1', port);
  const turn = async () => {
    child.send('turn');
    const [{ turnMs }] = await once(child, 'message');
    return turnMs;
  };
  for (const { path, body } of victims(storedBytes)) {
    while ((await client.ask(WIDGETS)).status !== 200 && path === WIDGETS) await wait(20);
    const { status, body: answer } = await client.ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (status !== 201) console.log(`${path}: ${status} ${answer.subarray(0, 300)}`);
  }
  const results = [];
  for (const { what, method, path, type, accept, body, code } of [
    ...hostileWrites(bodyBytes),
    ...hostileReads(),
  ]) {
    const headers = { ...(type && { 'content-type': type }), ...(accept && { accept }) };
    const turns = [];
    const start = performance.now();
    let answer;
    for (let time = 0; time < TIMES; time++) {
      await wait(20);
      await turn();
      answer = await client.ask(path, { method, headers, ...(body && { body }) });
      turns.push(await turn());
    }
    const took = (performance.now() - start) / TIMES;
    const odd =
      answer.status === code
        ? ''
        : `  answered ${answer.status}, not ${code}: ${answer.body.subarray(0, 150)}`;
    const line = `${turns.map((ms) => ms.toFixed(0).padStart(5)).join('')}  ${took.toFixed(0).padStart(6)} ms  ${method} ${path} ${what}${odd}`;
    console.log(line);
    results.push(...turns);
  }
  console.log(`longest turn ${Math.max(...results).toFixed(1)} ms`);
  client.close();
  child.kill();
}
