// Reads a request's body whole, up to the reference's limit.
import { tooLarge } from '@sluice/resources';

/** The reference's limit for the body of one object. */
export const BODY_MAX_BYTES: number = 3 * 1024 * 1024;

/** @throws ApiError 413 over the limit; what follows is not read. */
export async function readBody(request: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_MAX_BYTES) throw tooLarge(`limit is ${BODY_MAX_BYTES}`);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
