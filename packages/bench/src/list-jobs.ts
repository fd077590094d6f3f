// Rounds of lists, read with curl: whole, in pages, or those a selector selects.
import { askWhole, type Client, decoded, openClient } from './client.ts';
import { readWithCurl, type Transfer } from './curl.ts';
import type { Subject } from './list-load.ts';
import type { CellKey } from './matrix.ts';
import { CellProblem, refusalOf } from './problem.ts';
import { listRequest, pageRequest } from './requests.ts';

/** What one reader got for one list, or one event. */
export type Reading = { latency?: number; firstByte?: number; wireBytes: number; eventLag?: number };

/** `seconds`: what the reader that took longest spent reading. */
export type Round = { readings: Reading[]; seconds: number };

export type Probe = { seconds: number; decodedBytes: number };

/** Pages as client-go's reflectors and pagers ask for them; of a small set so many that there are a few. */
const PAGE_ITEMS = 500;
const PAGES_MIN = 4;

/** One answer, read and decompressed here: whether there is one at all, and how many bytes it has. */
export async function probeList(
  subject: Subject,
  cell: CellKey,
  count: number,
  limitSeconds: number,
): Promise<Probe> {
  const client = openClient(subject, cell.http);
  const timer = setTimeout(() => client.close(), limitSeconds * 1000);
  try {
    const { uris, accept } = await requestsOf(client, cell, count);
    const headers = { accept, 'accept-encoding': cell.encoding };
    const started = performance.now();
    let decodedBytes = 0;
    for (const uri of uris) decodedBytes += await countBytes(client, uri, headers);
    return { seconds: (performance.now() - started) / 1000, decodedBytes };
  } catch (error) {
    if (error instanceof CellProblem) throw error;
    throw new CellProblem('failed', `no whole answer within ${limitSeconds} s: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
    client.close();
  }
}

/** Each reader lists so many times, one list after the other on a connection of its own. */
export async function runLists(
  subject: Subject,
  cell: CellKey,
  times: number,
  count: number,
  limitSeconds: number,
): Promise<Round> {
  const client = openClient(subject, cell.http);
  const { uris, accept } = await requestsOf(client, cell, count).finally(() => client.close());
  const readers = await readWithCurl(subject, {
    uris: Array.from({ length: times }, () => uris).flat(),
    accept,
    encoding: cell.encoding,
    http: cell.http === 'h2' ? '2' : '1.1',
    readers: cell.readers,
    limitSeconds,
  });
  const broken = readers.flat().find(({ code, exit }) => code !== 200 || exit !== 0);
  if (broken !== undefined) throw brokenOff(broken, limitSeconds);
  const readings = readers.flatMap((transfers) => inGroups(transfers, uris.length).map(asReading));
  const seconds = Math.max(...readers.map((transfers) => sum(transfers.map(({ total }) => total))));
  return { readings, seconds };
}

async function countBytes(client: Client, uri: string, headers: Record<string, string>): Promise<number> {
  const answer = await client.ask(uri, { headers });
  const refused: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decoded(answer)) {
    bytes += (chunk as Buffer).length;
    if (answer.code !== 200) refused.push(chunk as Buffer);
  }
  if (answer.code !== 200) throw refusalOf(answer.code, Buffer.concat(refused).toString());
  return bytes;
}

/** Where pages begin is found out beforehand, in the representation that costs least: it is the same in all of them. */
async function requestsOf(
  client: Client,
  cell: CellKey,
  count: number,
): Promise<{ uris: string[]; accept: string }> {
  if (cell.job !== 'paged') {
    const { uri, accept } = listRequest(cell);
    return { uris: [uri], accept };
  }
  const limit = Math.min(PAGE_ITEMS, Math.max(1, Math.ceil(count / PAGES_MIN)));
  const uris: string[] = [];
  let next: string | undefined;
  do {
    uris.push(pageRequest(cell, limit, next).uri);
    const { uri, accept } = pageRequest({ ...cell, representation: 'metadata' }, limit, next);
    const { code, text } = await askWhole(client, uri, { headers: { accept } });
    if (code !== 200) throw refusalOf(code, text);
    next = (JSON.parse(text) as { metadata: { continue?: string } }).metadata.continue || undefined;
  } while (next !== undefined);
  return { uris, accept: pageRequest(cell, limit, undefined).accept };
}

/** What curl says when an answer took too long. */
const CURL_TIMED_OUT = 28;

function brokenOff({ code, exit }: Transfer, limitSeconds: number): CellProblem {
  if (exit === CURL_TIMED_OUT) return new CellProblem('failed', `not within ${limitSeconds} s`);
  return exit === 0 ? refusalOf(code) : new CellProblem('failed', `broken off: curl ended with ${exit}`);
}

function inGroups<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: all.length / size }, (_, index) => all.slice(index * size, (index + 1) * size));
}

function asReading(transfers: readonly Transfer[]): Reading {
  return {
    latency: sum(transfers.map(({ total }) => total)),
    firstByte: transfers[0]!.firstByte,
    wireBytes: sum(transfers.map(({ bytes }) => bytes)),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
