// Measures the longest turn of a server's event loop, for each of many requests that ask for as much as they can.
//
//   npm run turns -- [bytes of each body] [bytes of stored objects]      milliseconds, one column for each time a request is made
//
// Told is the processor time of the loop's own thread between two timers: what it waits for a core that others use is not in it.
// Needs Linux.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  hostileReads,
  hostileWrites,
  LARGEST_BYTES,
  victims,
  WIDGETS,
} from '../packages/server/dist/hostile-bodies.fixture.js';
import { hostileQueries } from '../packages/server/dist/hostile-queries.fixture.js';
import { connect, startRunning } from '../packages/server/dist/running.fixture.js';

/** Headers may hold 1 MiB. */
const QUERY_BYTES = 1_000_000;
/** Each request is made so often; the first finds code that nobody has run yet. */
const TIMES = 3;

if (process.send) await serve();
else await measure(Number(process.argv[2] ?? LARGEST_BYTES), Number(process.argv[3] ?? 1_300_000));

async function serve() {
  const gates = {
    CBORServingAndStorage: true,
    StreamingCollectionEncodingToJSON: true,
    StreamingCollectionEncodingToProtobuf: true,
  };
  const { server } = await startRunning({ gates });
  let longest = 0;
  let before = usedMs();
  setInterval(() => {
    const used = usedMs();
    longest = Math.max(longest, used - before);
    before = used;
  }, 1);
  process.on('message', () => {
    process.send({ turnMs: longest });
    longest = 0;
  });
  process.on('disconnect', () => process.exit());
  process.send({ port: server.port });
}

/** Of the main thread, whose id is the process's. */
function usedMs() {
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ');
  return Number(nanoseconds) / 1e6;
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
  const rounds = Array.from({ length: TIMES }, () => [
    ...hostileWrites(bodyBytes),
    ...hostileReads(),
    ...hostileQueries(QUERY_BYTES),
  ]);
  let longest = 0;
  for (const index of rounds[0].keys()) {
    const turns = [];
    const odd = new Set();
    const { what, method, path } = rounds[0][index];
    for (const round of rounds) {
      const { type, accept, body, code } = round[index];
      await wait(20);
      await turn();
      const answer = await client.ask(path, {
        method,
        headers: headersOf(type, accept, body),
        ...(body && { body }),
      });
      turns.push(await turn());
      if (answer.status !== code) odd.add(`  ${answer.status}, not ${code}: ${answer.body.subarray(0, 150)}`);
    }
    longest = Math.max(longest, ...turns);
    const shown = turns.map((ms) => ms.toFixed(0).padStart(5)).join('');
    console.log(`${shown}  ${method} ${path.slice(0, 100)} ${what}${[...odd].join('')}`);
  }
  console.log(`longest turn ${longest.toFixed(1)} ms`);
  client.close();
  child.kill();
}

function headersOf(type, accept, body) {
  return {
    ...(type && { 'content-type': type }),
    ...(accept && { accept }),
    // Node sends a DELETE's body without saying how long it is.
    ...(body && { 'content-length': String(body.length) }),
  };
}
