// A live stream in gzip: whatever is flushed is a whole member, so that a reader can show it at once.
import { promisify } from 'node:util';
import { constants, crc32, gzip } from 'node:zlib';
import { type Deflated, GZIP_HEADER } from '@sluice/encoding';
import type { Sink } from './api.ts';

/** A member is made of no more, even when nobody flushes: what is held stays small. */
const MEMBER_BYTES = 128 * 1024;
/** What kube-apiserver compresses with: speed counts. */
const LEVEL = 1;

const compress = promisify(gzip);

/** Has `write` write its stream, and sends what it hasn't flushed at its end. */
export async function writeMembers(to: Sink, write: (sink: Sink) => Promise<void>): Promise<void> {
  const members = new GzipMembers(to);
  await write(members);
  await members.flush();
}

class GzipMembers implements Sink {
  /** The state a watch begins with has twins. */
  readonly gzips = true;
  readonly #to: Sink;
  #held: Uint8Array[] = [];
  #bytes = 0;

  constructor(to: Sink) {
    this.#to = to;
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    this.#held.push(bytes);
    this.#bytes += bytes.length;
    return this.#bytes < MEMBER_BYTES ? undefined : this.#writeMember();
  }

  /** A member of its own. */
  async writeDeflated({ parts, crc, length }: Deflated): Promise<void> {
    if (this.#bytes > 0) await this.#writeMember();
    await this.#to.write(Buffer.concat([GZIP_HEADER, ...parts, ending(crc, length)]));
  }

  /** Without anything held it shows that the stream stands. */
  async flush(): Promise<void> {
    if (this.#bytes > 0) await this.#writeMember();
    await this.#to.flush();
  }

  async #writeMember(): Promise<void> {
    const plain = Buffer.concat(this.#held);
    this.#held = [];
    this.#bytes = 0;
    await this.#to.write(await member(plain));
  }
}

/** The last block of any deflate stream that was flushed: final, stored, empty. */
const LAST_BLOCK = [0x01, 0x00, 0x00, 0xff, 0xff];
const TRAILER_BYTES = 8;

/**
 * All data stands before a flush, as in kube-apiserver's members: Go's reader keeps back what comes in a final block until
 * the next member begins.
 */
async function member(plain: Buffer): Promise<Buffer> {
  const flushed = await compress(plain, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH });
  return Buffer.concat([flushed, ending(crc32(plain), plain.length)]);
}

function ending(crc: number, length: number): Buffer {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  return Buffer.concat([Buffer.from(LAST_BLOCK), trailer]);
}
