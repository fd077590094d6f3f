// The ordinary encoder that streaming takes the place of: a list is gathered whole, then written at once. Same bytes, more memory.
import type { Sink, StreamAnswer } from '../api.ts';
import type { Gates } from '../gates.ts';
import type { Encoding } from '../negotiation.ts';
import { openSlices } from './slices.ts';

/** Whether lists in an encoding are written piece by piece; only these two have a gate. */
export function isStreamed(encoding: Encoding, gates: Gates): boolean {
  if (encoding === 'json') return gates.StreamingCollectionEncodingToJSON;
  if (encoding === 'protobuf') return gates.StreamingCollectionEncodingToProtobuf;
  return true;
}

/** The same answer in one write. What goes wrong before it is answered cleanly, however long the list. */
export function gathered(answer: StreamAnswer): StreamAnswer {
  return {
    ...answer,
    async write(sink) {
      const pieces: Uint8Array[] = [];
      await answer.write(gatherInto(pieces));
      await sink.write(await joined(pieces));
    },
  };
}

/** Never full, and never compressed: that is done to the whole. */
function gatherInto(pieces: Uint8Array[]): Sink {
  return {
    gzips: false,
    write(bytes) {
      pieces.push(bytes);
      return undefined;
    },
    writeDeflated() {
      throw new Error('the body is not being compressed');
    },
    flush: () => undefined,
  };
}

async function joined(pieces: readonly Uint8Array[]): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + piece.length, 0));
  const slices = openSlices();
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
    await slices.next();
  }
  return whole;
}
