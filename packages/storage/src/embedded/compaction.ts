// Forgets the past piece by piece, between batches of writes, and leaves what keys hold now.
import type { Revision } from '../store.ts';
import type { Commits } from './commits.ts';
import { DELETE, decodeHead } from './records.ts';

/** One transaction's worth: a few milliseconds for which writers wait. */
const PIECE_LIMIT_EVENTS = 128;

/**
 * Forgets the events up to and with `to` that are still there. An event that is forgotten takes with it the record it had
 * replaced, and its own if it is a delete; the record of a put stays until the event that replaces it is forgotten.
 * So a later event always finds its `previous`, and nothing has to be searched:
 *
 *   revision     3 put a    5 put a (was 3)   7 put b    8 delete a (was 5)
 *   forget ≤ 5   ✗ by 5     stays for 8       stays      stays
 *   forget ≤ 8              ✗ by 8            stays      ✗
 */
export async function compactRecords(commits: Commits, to: Revision, goesOn: () => boolean): Promise<void> {
  for (let done = commits.forgotten; done < to && goesOn(); ) {
    await commits.between(async () => {
      const { snapshot } = commits;
      const piece = snapshot.revisionsAfter(done, to, PIECE_LIMIT_EVENTS);
      const buried: Revision[] = [];
      for (const revision of piece) {
        const { op, previousRevision } = decodeHead(snapshot.record(revision));
        if (previousRevision !== 0n) buried.push(previousRevision);
        if (op === DELETE) buried.push(revision);
      }
      done = piece.length === PIECE_LIMIT_EVENTS ? piece.at(-1)! : to;
      await commits.forget(done, buried);
    });
  }
}
