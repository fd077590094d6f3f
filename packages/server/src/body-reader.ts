// Reads a request's body whole, up to the reference's limit, within the request's time.
import type { Readable } from 'node:stream';
import { tooLarge } from '@sluice/resources';

/** The reference's limit for the body of one object. */
export const BODY_MAX_BYTES: number = 3 * 1024 * 1024;

/** @throws ApiError 413 over the limit, what follows is not read; what `over` rejects with */
export function readBody(request: Readable, over: Promise<never>): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const end = (settle: () => void): void => {
      request.off('data', take);
      request.pause();
      settle();
    };
    const take = (chunk: Uint8Array): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > BODY_MAX_BYTES) end(() => reject(tooLarge(`limit is ${BODY_MAX_BYTES}`)));
    };
    request.on('data', take);
    request.once('end', () => end(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))));
    over.catch((error) => end(() => reject(error)));
    request.once('error', (error) => end(() => reject(error)));
    request.once('close', () => end(() => reject(new Error('the client is gone'))));
  });
}
