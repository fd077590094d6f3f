// Lists a URI again and again with curl, so that reading costs little and measures nothing of this process.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMeter, type Usage } from './process-meter.ts';

/** A server to measure; `pid` lets its CPU and memory be read. */
export type Subject = {
  name: string;
  pid?: number | undefined;
  server: string;
  token?: string | undefined;
  ca?: Uint8Array | string | undefined;
  cert?: Uint8Array | string | undefined;
  key?: Uint8Array | string | undefined;
  insecure?: boolean | undefined;
};

export type ListOptions = {
  uri: string;
  accept: string;
  encoding: string;
  http: '1.1' | '2';
  readers: number;
  /** Lists per reader, one after the other on one connection. */
  reps: number;
};

/** Seconds from the request on: connecting is not counted. */
export type Listing = { code: number; firstByte: number; total: number; bytes: number };
export type Measured = { name: string; listings: Listing[]; seconds: number; usage: Usage | undefined };

export async function measureLists(subject: Subject, options: ListOptions): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  try {
    const config = curlConfig(subject, options, directory);
    const meter = subject.pid === undefined ? undefined : startMeter(subject.pid);
    const started = performance.now();
    const readers = Array.from({ length: options.readers }, () => runCurl(config));
    const listings = (await Promise.all(readers)).flat();
    const seconds = (performance.now() - started) / 1000;
    return { name: subject.name, listings, seconds, usage: meter?.stop() };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const WRITE_OUT = '%{http_code} %{time_pretransfer} %{time_starttransfer} %{time_total} %{size_download}\\n';

/** Given on standard input: a token among the arguments could be seen by all. */
function curlConfig(subject: Subject, options: ListOptions, directory: string): string {
  const lines = [
    'silent',
    'show-error',
    // For curl by its own name a server indents its answers.
    'user-agent = "sluice-bench"',
    options.http === '2' ? 'http2' : 'http1.1',
    `header = "Accept: ${options.accept}"`,
    `header = "Accept-Encoding: ${options.encoding}"`,
    `write-out = "${WRITE_OUT}"`,
  ];
  if (subject.token !== undefined) lines.push(`header = "Authorization: Bearer ${subject.token}"`);
  if (subject.insecure) lines.push('insecure');
  for (const [option, name] of [
    ['cacert', 'ca'],
    ['cert', 'cert'],
    ['key', 'key'],
  ] as const) {
    const pem = subject[name];
    if (pem === undefined) continue;
    const file = join(directory, name);
    writeFileSync(file, pem, { mode: 0o600 });
    lines.push(`${option} = "${file}"`);
  }
  const url = new URL(options.uri, subject.server).href;
  for (let rep = 0; rep < options.reps; rep++) lines.push(`url = "${url}"`, 'output = "/dev/null"');
  return `${lines.join('\n')}\n`;
}

async function runCurl(config: string): Promise<Listing[]> {
  const child = spawn('curl', ['--config', '-'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve());
  });
  child.stdin.end(config);
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  await ended;
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [code = 0, sent = 0, first = 0, total = 0, bytes = 0] = line.split(' ').map(Number);
      return { code, firstByte: first - sent, total: total - sent, bytes };
    });
}
