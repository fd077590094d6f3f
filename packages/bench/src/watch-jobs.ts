// Rounds of watches: those that begin with the whole state, and events on their way to readers.
import { randomUUID } from 'node:crypto';
import { askWhole, type Client, decoded, openClient } from './client.ts';
import type { Reading, Round } from './list-jobs.ts';
import type { Subject } from './list-load.ts';
import type { CellKey } from './matrix.ts';
import { CellProblem, refusalOf } from './problem.ts';
import { collection, firstObject, watchRequest } from './requests.ts';

/** Each reader watches so many times, up to the bookmark that ends the state. `decodedBytes`: of one such watch. */
export async function runWatchLists(
  subject: Subject,
  cell: CellKey,
  times: number,
  limitSeconds: number,
): Promise<Round & { decodedBytes: number }> {
  let decodedBytes = 0;
  const readers = Array.from({ length: cell.readers }, async () => {
    const readings: Reading[] = [];
    for (let time = 0; time < times; time++) {
      const { reading, bytes } = await watchState(subject, cell, limitSeconds);
      readings.push(reading);
      decodedBytes = bytes;
    }
    return readings;
  });
  const perReader = await Promise.all(readers);
  const seconds = Math.max(
    ...perReader.map((readings) => readings.reduce((total, { latency = 0 }) => total + latency, 0)),
  );
  return { readings: perReader.flat(), seconds, decodedBytes };
}

/** So many writes, one after the other; each is read by every reader before the next one. */
export async function runFanOut(
  subject: Subject,
  cell: CellKey,
  namespace: string,
  times: number,
  limitSeconds: number,
): Promise<Round & { decodedBytes: number }> {
  const writer = openClient(subject, cell.http);
  const watchers: Watcher[] = [];
  const readings: Reading[] = [];
  const started = performance.now();
  try {
    const resourceVersion = await newestVersion(writer, cell);
    for (let reader = 0; reader < cell.readers; reader++) {
      watchers.push(await openWatcher(subject, cell, resourceVersion));
    }
    for (let time = 0; time < times; time++) {
      const mark = randomUUID();
      const seen = watchers.map((watcher) => watcher.until(mark, limitSeconds));
      const sent = performance.now();
      await writeMark(writer, firstObject(cell.kind, namespace), mark);
      const latency = (performance.now() - sent) / 1000;
      for (const { at, bytes } of await Promise.all(seen)) {
        readings.push({ latency, eventLag: (at - sent) / 1000, wireBytes: bytes });
      }
    }
  } finally {
    writer.close();
    for (const watcher of watchers) watcher.close();
  }
  const seconds = (performance.now() - started) / 1000;
  return { readings, seconds, decodedBytes: readings.at(-1)?.wireBytes ?? 0 };
}

/** Stands in the bookmark behind the last object of the state, in every encoding. */
const STATE_ENDS = Buffer.from('k8s.io/initial-events-end');

async function watchState(
  subject: Subject,
  cell: CellKey,
  limitSeconds: number,
): Promise<{ reading: Reading; bytes: number }> {
  const client = openClient(subject, cell.http);
  const timer = setTimeout(() => client.close(), limitSeconds * 1000);
  try {
    // So that connecting isn't counted.
    await askWhole(client, '/version');
    const { uri, accept } = watchRequest(cell, undefined);
    const sent = performance.now();
    const answer = await client.ask(uri, { headers: { accept, 'accept-encoding': cell.encoding } });
    if (answer.code !== 200) throw refusalOf(answer.code, await textOf(answer));
    let wireBytes = 0;
    answer.body.on('data', (chunk: Buffer) => {
      wireBytes += chunk.length;
    });
    const search = openSearch(STATE_ENDS);
    let firstByte: number | undefined;
    for await (const chunk of decoded(answer)) {
      firstByte ??= (performance.now() - sent) / 1000;
      if (!search.find(chunk as Buffer)) continue;
      const latency = (performance.now() - sent) / 1000;
      answer.cancel();
      return { reading: { latency, firstByte, wireBytes }, bytes: search.bytes };
    }
    throw new CellProblem('failed', 'the watch ended before its state did');
  } catch (error) {
    if (error instanceof CellProblem) throw error;
    throw new CellProblem('failed', `no whole state within ${limitSeconds} s: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
    client.close();
  }
}

type Watcher = {
  /** When the mark came, and with how many bytes since the mark before. */
  until(mark: string, limitSeconds: number): Promise<{ at: number; bytes: number }>;
  close(): void;
};

async function openWatcher(subject: Subject, cell: CellKey, resourceVersion: string): Promise<Watcher> {
  const client = openClient(subject, cell.http);
  const { uri, accept } = watchRequest(cell, resourceVersion);
  const answer = await client.ask(uri, { headers: { accept, 'accept-encoding': cell.encoding } });
  if (answer.code !== 200) {
    const problem = refusalOf(answer.code, await textOf(answer));
    client.close();
    throw problem;
  }
  let wanted: { search: Search; found(at: number, bytes: number): void } | undefined;
  const body = decoded(answer);
  body.on('error', () => {});
  body.on('data', (chunk: Buffer) => {
    const now = performance.now();
    if (wanted?.search.find(chunk)) wanted.found(now, wanted.search.bytes);
  });
  return {
    until(mark, limitSeconds) {
      return new Promise((resolve, reject) => {
        const late = () => reject(new CellProblem('failed', `no event within ${limitSeconds} s`));
        const timer = setTimeout(late, limitSeconds * 1000);
        wanted = {
          search: openSearch(Buffer.from(mark)),
          found(at, bytes) {
            clearTimeout(timer);
            wanted = undefined;
            resolve({ at, bytes });
          },
        };
      });
    },
    close() {
      answer.cancel();
      client.close();
    },
  };
}

type Search = { bytes: number; find(chunk: Buffer): boolean };

/** Finds bytes also where they are cut in two. */
function openSearch(wanted: Buffer): Search {
  let tail = Buffer.alloc(0);
  return {
    bytes: 0,
    find(chunk) {
      this.bytes += chunk.length;
      if (chunk.includes(wanted)) return true;
      const edge = Buffer.concat([tail, chunk.subarray(0, wanted.length)]);
      tail = Buffer.concat([tail, chunk.subarray(-wanted.length)]).subarray(-wanted.length);
      return edge.includes(wanted);
    },
  };
}

async function newestVersion(client: Client, { kind }: CellKey): Promise<string> {
  const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
  const { code, text } = await askWhole(client, `${collection(kind)}?limit=1`, { headers: { accept } });
  if (code !== 200) throw refusalOf(code, text);
  return (JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

async function writeMark(client: Client, path: string, mark: string): Promise<void> {
  const { code, text } = await askWhole(client, path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ metadata: { annotations: { 'bench.example.test/mark': mark } } }),
  });
  if (code !== 200) throw refusalOf(code, text);
}

async function textOf(answer: Parameters<typeof decoded>[0]): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of decoded(answer)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
