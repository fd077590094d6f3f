// `sluice convert` holds one item at a time: a long list goes around through every format, and the program's memory is looked at.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../bin/sluice.mjs', import.meta.url));
const MIB = 1024 * 1024;
const LIST_BYTES = 40 * MIB;
/** Above what the program takes for one small object. As a whole the list would take three times its size. */
const MORE_MAX_BYTES = 64 * MIB;
/** Trees of the library that reads YAML wait for the collector. */
const MORE_MAX_BYTES_FROM_YAML = 128 * MIB;

const folder = mkdtempSync(join(tmpdir(), 'sluice-convert-'));
after(() => rmSync(folder, { recursive: true }));

test('a list is converted in constant memory, from every format', {
  skip: process.platform === 'linux' ? false : 'memory is read from /proc',
}, async () => {
  const first = join(folder, 'json');
  writeList(first);
  const small = join(folder, 'small');
  writeSmall(small);
  const smallPeak = await peakOf('json', 'yaml', small, join(folder, 'none'));
  let file = first;
  for (const [from, to] of [
    ['json', 'protobuf'],
    ['protobuf', 'cbor'],
    ['cbor', 'yaml'],
    ['yaml', 'json'],
  ] as const) {
    const next = join(folder, to === 'json' ? 'again' : to);
    const more = (await peakOf(from, to, file, next)) - smallPeak;
    const most = from === 'yaml' ? MORE_MAX_BYTES_FROM_YAML : MORE_MAX_BYTES;
    assert.ok(more < most, `${from} to ${to}: ${Math.round(more / MIB)} MiB`);
    file = next;
  }
  assert.ok(readFileSync(file).equals(readFileSync(first)));
});

function writeList(file: string): void {
  const out = openSync(file, 'w');
  const text = 'some text that goes on and on. '.repeat(300);
  writeSync(out, '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[');
  for (let place = 0, bytes = 0; bytes < LIST_BYTES; place++) {
    const item = `{"metadata":{"name":"item-${place}","namespace":"default"},"data":{"text":"${text}"}}`;
    bytes += writeSync(out, (place > 0 ? ',' : '') + item);
  }
  writeSync(out, ']}\n');
  closeSync(out);
}

function writeSmall(file: string): void {
  const out = openSync(file, 'w');
  writeSync(out, '{"kind":"ConfigMap","apiVersion":"v1"}');
  closeSync(out);
}

/** The most memory the program had, in bytes. */
async function peakOf(from: string, to: string, file: string, target: string): Promise<number> {
  const out = openSync(target, 'w');
  const child = spawn(process.execPath, [PROGRAM, 'convert', '--from', from, '--to', to, file], {
    stdio: ['ignore', out, 'inherit'],
  });
  let peak = 0;
  const looking = setInterval(() => {
    peak = Math.max(peak, peakNow(child.pid!));
  }, 20);
  const [code] = await once(child, 'close');
  clearInterval(looking);
  closeSync(out);
  assert.equal(code, 0, `${from} to ${to}`);
  assert.ok(peak > 0);
  return peak;
}

function peakNow(pid: number): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
