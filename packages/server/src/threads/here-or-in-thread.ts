// Work on one object that no request waits for: on the event loop where that is little, else in an object thread.
import type { Kind } from '@sluice/resources';
import type { Parts } from '../parts.ts';
import { TASKS, type TaskInput, type TaskName } from './tasks.ts';
import { WRITE_MAX_BYTES } from './weight.ts';

/** Tasks that only write. */
type Writing = Extract<TaskName, 'deleteKey' | 'releaseNamespace' | 'updateDefinition'>;

/**
 * @param bytes of the object
 * @throws ApiError of the task, and those of ObjectThreads.run()
 */
export function hereOrInThread<Name extends Writing>(
  parts: Parts,
  task: Name,
  kind: Kind,
  input: TaskInput<Name>,
  bytes: number,
): Promise<void> {
  if (bytes > WRITE_MAX_BYTES) return parts.threads.run(task, kind, input, bytes);
  return (TASKS[task] as (parts: Parts, kind: Kind, input: TaskInput<Name>) => Promise<void>)(
    parts,
    kind,
    input,
  );
}
