// Writes a number of objects with several workers, and counts what became of them.
import type { Client, Reply } from './client.ts';
import type { Progress } from './progress.ts';
import type { Workload } from './workload.ts';

export type FillOptions = {
  count: number;
  /** The number in the first object's name. */
  startAt: number;
  workers: number;
  progress: Progress;
  onFailure(text: string): void;
};

export type Filled = { created: number; alreadyThere: number; failed: number; seconds: number };

/** Of failures that come by the thousand, the first few say enough. */
const FAILURES_SHOWN = 3;

export async function fill(client: Client, workload: Workload, options: FillOptions): Promise<Filled> {
  const { count, startAt, workers, progress, onFailure } = options;
  const filled: Filled = { created: 0, alreadyThere: 0, failed: 0, seconds: 0 };
  const started = performance.now();
  let next = 0;

  async function worker(): Promise<void> {
    while (next < count) {
      const index = startAt + next++;
      const outcome = await outcomeOf(workload.write(client, index));
      if (outcome === 'created' || outcome === 'alreadyThere') filled[outcome]++;
      else if (++filled.failed <= FAILURES_SHOWN) onFailure(outcome.problem);
      progress.show(filled.created + filled.alreadyThere + filled.failed);
    }
  }

  await Promise.all(Array.from({ length: Math.min(workers, count) }, worker));
  progress.end();
  filled.seconds = (performance.now() - started) / 1000;
  return filled;
}

async function outcomeOf(writing: Promise<Reply>): Promise<'created' | 'alreadyThere' | { problem: string }> {
  try {
    const { code, text } = await writing;
    if (code < 300) return 'created';
    if (code === 409 && text.includes('"AlreadyExists"')) return 'alreadyThere';
    return { problem: `${code} ${text.trim()}` };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
