// Plays a transcript against a server: setup, the steps one after the other, cleanup whatever happened.
import type { Connection } from './connection.ts';
import { sendStep } from './send.ts';
import { settle } from './settle.ts';
import type { RecordedStep, SettledAnswer, Step, Transcript } from './transcript.ts';
import { newVariables, type Variables } from './variables.ts';

export type Played = { step: RecordedStep; got: SettledAnswer };

/** Steps that `wants` refuses are not sent. A step without an answer has `{ error }` for one. */
export async function playTranscript(
  connection: Connection,
  transcript: Transcript,
  wants: (step: RecordedStep) => boolean,
): Promise<Played[]> {
  const variables = newVariables();
  const steps = transcript.steps.filter(wants);
  const played: Played[] = [];
  try {
    const problem = await prepare(connection, transcript.setup ?? [], variables);
    for (const step of steps) {
      const got = problem ?? (await answerTo(connection, step, variables));
      played.push({ step, got });
    }
  } finally {
    for (const step of transcript.cleanup ?? []) await answerTo(connection, step, variables);
  }
  return played;
}

async function prepare(
  connection: Connection,
  setup: readonly Step[],
  variables: Variables,
): Promise<SettledAnswer | undefined> {
  try {
    for (const step of setup) await sendStep(connection, step, variables);
    return undefined;
  } catch (error) {
    return { error: `setup: ${reason(error)}` };
  }
}

async function answerTo(connection: Connection, step: Step, variables: Variables): Promise<SettledAnswer> {
  try {
    return settle(step, await sendStep(connection, step, variables), variables);
  } catch (error) {
    return { error: reason(error) };
  }
}

function reason(error: unknown): string {
  const { code, name, message } = error as NodeJS.ErrnoException;
  return name === 'TimeoutError' || name === 'AbortError' ? 'no answer in time' : (code ?? message);
}
