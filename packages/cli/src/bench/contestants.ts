// The servers of a run: Sluices started for it and those that were named, all of them filled alike.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Contestant, type Kind, readContents, readOwnMemory } from '@sluice/bench';
import { readKubeconfig } from '../kubeconfig.ts';
import { startOwnServer } from '../own-server.ts';
import { seed } from '../seed.ts';
import type { NamedSubject } from './subjects.ts';

/** Objects of a kind, and characters of random text in each. */
export type Size = { count: number; bytes: number };
export type Sizes = Partial<Record<Kind, Size>>;

export type Contestants = { all: Contestant[]; close(): Promise<void> };

/** Named as subjects are, the benchmark's own server is called this. */
export const OWN_NAME = 'sluice';
const NAMESPACE = 'sluice-bench';
const WORKERS = 16;

const CBOR = 'CBORServingAndStorage=true';
const GATES = {
  on: `--feature-gates=${CBOR}`,
  off: `--feature-gates=${CBOR},StreamingCollectionEncodingToJSON=false,StreamingCollectionEncodingToProtobuf=false`,
};

export async function openContestants(
  named: readonly NamedSubject[],
  own: readonly ('on' | 'off')[],
  sizes: Sizes,
  say: (text: string) => void,
): Promise<Contestants> {
  const closers: (() => void | Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.reverse()) await closer();
  };
  try {
    const all: Contestant[] = [];
    if (own.length > 0) {
      say('filling a Sluice of its own');
      all.push(...(await openOwn(own, sizes, closers)));
    }
    for (const { subject, gate } of named) {
      say(`filling ${subject.name} at ${subject.server}`);
      all.push({ subject, gate, namespace: NAMESPACE, objects: await fillServer(subject, sizes) });
    }
    refuseUnlike(all);
    return { all, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Filled, then started anew, one for each gate: what they hold is objects, and nothing that filling left behind. */
async function openOwn(
  gates: readonly ('on' | 'off')[],
  sizes: Sizes,
  closers: (() => void | Promise<void>)[],
): Promise<Contestant[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  closers.push(() => rmSync(directory, { recursive: true, force: true }));
  const filled = join(directory, gates[0]!);
  const first = await startOwnServer(flagsOf(gates[0]!, filled));
  let shared: Pick<Contestant, 'objects' | 'emptyBytes'>;
  try {
    const emptyBytes = await restingMemory(first.pid);
    const subject = { ...readKubeconfig(first.kubeconfig), name: OWN_NAME, pid: first.pid };
    shared = { ...(emptyBytes !== undefined && { emptyBytes }), objects: await fillServer(subject, sizes) };
  } finally {
    await first.stop();
  }
  for (const gate of gates.slice(1)) cpSync(filled, join(directory, gate), { recursive: true });
  const contestants: Contestant[] = [];
  for (const gate of gates) {
    const { kubeconfig, pid, stop } = await startOwnServer(flagsOf(gate, join(directory, gate)));
    closers.push(stop);
    const subject = { ...readKubeconfig(kubeconfig), name: OWN_NAME, pid };
    contestants.push({ subject, gate, namespace: NAMESPACE, ...shared });
  }
  return contestants;
}

function flagsOf(gate: 'on' | 'off', directory: string): string[] {
  return ['--in-memory=false', '--data-dir', directory, GATES[gate]];
}

const REST_MS = 500;
const REST_TIMES_MAX = 20;
const REST_BYTES = 256 << 10;

/** Once it grows no more: threads start after the server is ready. Only Linux tells. */
export async function restingMemory(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  let bytes = readOwnMemory(pid);
  for (let time = 0; time < REST_TIMES_MAX; time++) {
    await sleep(REST_MS);
    const before = bytes;
    bytes = readOwnMemory(pid);
    if (Math.abs(bytes - before) < REST_BYTES) break;
  }
  return bytes;
}

export async function fillServer(
  subject: NamedSubject['subject'],
  sizes: Sizes,
): Promise<Record<string, { count: number; bytes: number }>> {
  const objects: Record<string, { count: number; bytes: number }> = {};
  for (const [kind, { count, bytes }] of Object.entries(sizes)) {
    const seeding = { kind, count, bytes, namespace: NAMESPACE, workers: WORKERS, startAt: 0 };
    const filled = await seed(subject, seeding);
    if (filled.failed > 0) throw new Error(`${subject.name} refused ${filled.failed} of ${count} ${kind}`);
    objects[kind] = await readContents(subject, kind as Kind);
  }
  return objects;
}

/** A server has a few objects of its own. */
const UNLIKE_OBJECTS = 5;
const UNLIKE_SHARE = 0.02;

/** @throws Error when a server held objects before, so that figures would be of different lists */
function refuseUnlike(all: readonly Contestant[]): void {
  const first = all[0];
  for (const { subject, objects } of all) {
    for (const [kind, { count, bytes }] of Object.entries(objects)) {
      const other = first!.objects[kind]!;
      const isLike =
        Math.abs(count - other.count) <= UNLIKE_OBJECTS &&
        Math.abs(bytes - other.bytes) <= UNLIKE_SHARE * Math.max(bytes, other.bytes) + UNLIKE_OBJECTS * 2000;
      if (isLike) continue;
      throw new Error(
        `${subject.name} holds ${count} ${kind} (${bytes} bytes), ${first!.subject.name} ${other.count} (${other.bytes} bytes): not the same lists`,
      );
    }
  }
}
