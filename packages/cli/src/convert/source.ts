// The body to convert, read where it is needed: a file stays on disk, and a stream is put there first.
import { randomUUID } from 'node:crypto';
import { createWriteStream, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** What isn't a list that can be taken apart is held in memory, up to so much. */
const WHOLE_MAX_BYTES = 64 * 1024 * 1024;
/** Read at once by what goes through it byte by byte. */
export const CHUNK_BYTES: number = 256 * 1024;

export interface Source {
  readonly size: number;
  /** Bytes from `start` up to `end`, or to the source's end where that comes first. */
  read(start: number, end: number): Uint8Array;
}

/** @param file none or `-`: standard input. */
export async function openSource(file: string | undefined): Promise<Source> {
  const path = file === undefined || file === '-' ? STANDARD_INPUT : file;
  const descriptor = path === STANDARD_INPUT ? 0 : openSync(path, 'r');
  return fileSource(fstatSync(descriptor).isFile() ? descriptor : await spooled());
}

export function memorySource(bytes: Uint8Array): Source {
  return { size: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

export type Range = { start: number; end: number };

/**
 * The source's ranges, one behind the other.
 * @throws Error if they are too large to be held.
 */
export function readRanges(source: Source, ranges: readonly Range[]): Uint8Array {
  const bytes = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  if (bytes > WHOLE_MAX_BYTES) {
    throw new Error(`over ${WHOLE_MAX_BYTES / 1024 / 1024} MiB besides what can be read item by item`);
  }
  const [only] = ranges;
  if (only && ranges.length === 1) return source.read(only.start, only.end);
  return Buffer.concat(ranges.map(({ start, end }) => source.read(start, end)));
}

export function readWhole(source: Source): Uint8Array {
  return readRanges(source, [{ start: 0, end: source.size }]);
}

const STANDARD_INPUT = '/dev/stdin';

function fileSource(descriptor: number): Source {
  return {
    size: fstatSync(descriptor).size,
    read(start, end) {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(end, fstatSync(descriptor).size) - start));
      let length = 0;
      while (length < bytes.length) {
        const read = readSync(descriptor, bytes, length, bytes.length - length, start + length);
        if (read === 0) break;
        length += read;
      }
      return bytes.subarray(0, length);
    },
  };
}

/** A file without a name: it is gone with the process, however that ends. */
async function spooled(): Promise<number> {
  const path = join(tmpdir(), `sluice-convert-${randomUUID()}`);
  const descriptor = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  await pipeline(process.stdin, createWriteStream(path, { fd: descriptor, autoClose: false }));
  return descriptor;
}
