// `sluice convert`: shows one object or list in another representation: a captured body, a value out of etcd.
import { parseArgs } from 'node:util';
import { Gatherer } from '@sluice/encoding';
import { readCommandLine } from './command-line.ts';
import { FORMATS, type Format, isFormat } from './convert/document.ts';
import { readDocument } from './convert/read.ts';
import { openSource } from './convert/source.ts';
import { piecesOf } from './convert/write.ts';

const USAGE = `usage: sluice convert --from FORMAT --to FORMAT [FILE]

Reads an object or a list from FILE, or from standard input, and writes it to standard output.

  --from, --to  ${FORMATS.join(', ')}

What it is of is read from its kind and apiVersion. Built-in kinds are written as kube-apiserver writes them: fields
it does not have are left out, with a warning. Custom kinds have no Protobuf form. A list of any size is read and
written item by item; standard input is put into a temporary file first.

Exit code 1 when it can't be read, or can't be written in that format.
`;

/** A list may have the same mistake in each of its items. */
const WARNINGS_SHOWN = 20;

type Settings = { from: Format; to: Format; file: string | undefined };

export async function run(args: string[]): Promise<number> {
  const line = readCommandLine(args, USAGE, readSettings);
  if (line.exit !== undefined) return line.exit;
  const { settings } = line;
  const source = await openSource(settings.file);
  let warnings = 0;
  const warn = (text: string): void => {
    if (++warnings <= WARNINGS_SHOWN) process.stderr.write(`warning: ${text}\n`);
  };
  const document = await readDocument(source, settings.from, warn);
  await writeAll(piecesOf(document, settings.to, warn));
  if (warnings > WARNINGS_SHOWN) process.stderr.write(`${warnings - WARNINGS_SHOWN} more warnings\n`);
  return 0;
}

function readSettings(args: string[]): Settings {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { from: { type: 'string' }, to: { type: 'string' } },
  });
  const [file, ...more] = positionals;
  if (more.length > 0) throw new Error(`unexpected argument ${more[0]}`);
  return { from: readFormat('from', values.from), to: readFormat('to', values.to), file };
}

function readFormat(flag: string, text: string | undefined): Format {
  if (text === undefined) throw new Error(`--${flag} is missing`);
  if (!isFormat(text)) throw new Error(`--${flag} must be one of ${FORMATS.join(', ')}`);
  return text;
}

/** A reader that goes away (`| head`) has seen enough. */
async function writeAll(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  // Errors reject the write they belong to; without a listener they would be thrown as well.
  process.stdout.on('error', () => {});
  const gatherer = new Gatherer(writeOut);
  try {
    for await (const piece of pieces) {
      const room = gatherer.add(piece);
      if (room) await room;
    }
    await gatherer.flush();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

function writeOut(bytes: Uint8Array, done: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => {
      done();
      if (error) reject(error);
      else resolve();
    });
  });
}
