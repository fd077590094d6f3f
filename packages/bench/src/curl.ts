// Reads URIs with curl, so that reading costs little and measures nothing of this process.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a server is and who asks, as a kubeconfig says it. PEM texts. */
export type Access = {
  server: string;
  token?: string | undefined;
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
  insecure?: boolean | undefined;
};

export type CurlOptions = {
  /** Read by each reader one after the other, on one connection. */
  uris: readonly string[];
  accept: string;
  encoding: string;
  http: '1.1' | '2';
  readers: number;
  /** For each answer; one that takes longer is broken off. */
  limitSeconds?: number;
};

/** Seconds from the request on: connecting is not counted. `exit` is 0 for an answer that is whole. */
export type Transfer = { code: number; firstByte: number; total: number; bytes: number; exit: number };

/** What each reader read, in the order it was asked for. */
export async function readWithCurl(access: Access, options: CurlOptions): Promise<Transfer[][]> {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  try {
    const config = curlConfig(access, options, directory);
    return await Promise.all(Array.from({ length: options.readers }, () => runCurl(config)));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const WRITE_OUT =
  '%{http_code} %{time_pretransfer} %{time_starttransfer} %{time_total} %{size_download} %{exitcode}\\n';

/** Given on standard input: a token among the arguments could be seen by all. */
function curlConfig(access: Access, options: CurlOptions, directory: string): string {
  const lines = [
    'silent',
    // For curl by its own name a server indents its answers.
    'user-agent = "sluice-bench"',
    options.http === '2' ? 'http2' : 'http1.1',
    `header = "Accept: ${options.accept}"`,
    `header = "Accept-Encoding: ${options.encoding}"`,
    `write-out = "${WRITE_OUT}"`,
  ];
  if (options.limitSeconds !== undefined) lines.push(`max-time = ${options.limitSeconds}`);
  if (access.token !== undefined) lines.push(`header = "Authorization: Bearer ${access.token}"`);
  if (access.insecure) lines.push('insecure');
  for (const [option, name] of [
    ['cacert', 'ca'],
    ['cert', 'cert'],
    ['key', 'key'],
  ] as const) {
    const pem = access[name];
    if (pem === undefined) continue;
    const file = join(directory, name);
    writeFileSync(file, pem, { mode: 0o600 });
    lines.push(`${option} = "${file}"`);
  }
  for (const uri of options.uris) {
    lines.push(`url = "${new URL(uri, access.server).href}"`, 'output = "/dev/null"');
  }
  return `${lines.join('\n')}\n`;
}

async function runCurl(config: string): Promise<Transfer[]> {
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
      const [code = 0, sent = 0, first = 0, total = 0, bytes = 0, exit = 0] = line.split(' ').map(Number);
      return { code, firstByte: first - sent, total: total - sent, bytes, exit };
    });
}
