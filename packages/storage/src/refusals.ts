// The errors that every engine answers with, in the same words.
import { type Entry, type Revision, StoreError, type Write } from './store.ts';

export function conflict(write: Write, current: Entry | null): StoreError {
  const found = current === null ? 'there is no such key' : `it is at ${current.modRevision}`;
  const expected = write.expect === 0n ? 'no such key' : `the key at revision ${write.expect}`;
  return new StoreError(
    'conflict',
    `the write expects ${expected}: ${found}`,
    current === null ? {} : { current },
  );
}

export function future(asked: Revision, newest: Revision): StoreError {
  return new StoreError('future', `revision ${asked} is not reached yet, the newest is ${newest}`);
}

export function compacted(asked: Revision, forgotten: Revision): StoreError {
  return new StoreError(
    'compacted',
    `events after revision ${asked} are asked for, those up to ${forgotten} are forgotten`,
  );
}

export function closed(): StoreError {
  return new StoreError('closed', 'the store is closed');
}
