// Records a transcript anew: the same steps, with the answers of the server at hand.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openConnection, type Target } from './connection.ts';
import { playTranscript } from './play.ts';
import type { Transcript } from './transcript.ts';

/** Writes DIRECTORY/NAME.json, one file a transcript. */
export async function recordTranscript(
  target: Target,
  transcript: Transcript,
  directory: string,
): Promise<void> {
  const connection = openConnection(target);
  try {
    const played = await playTranscript(connection, transcript, () => true);
    const steps = played.map(({ step, got }) => ({ ...step, expect: got }));
    mkdirSync(directory, { recursive: true });
    const text = JSON.stringify({ ...transcript, steps }, null, 1);
    writeFileSync(join(directory, `${transcript.name}.json`), `${text}\n`);
  } finally {
    connection.close();
  }
}
