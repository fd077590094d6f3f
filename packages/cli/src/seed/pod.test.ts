// Checks that made Pods have the weight of real ones and differ where real ones do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPod } from './pod.ts';
import { openProgress } from './progress.ts';
import { randomText } from './random-text.ts';

test('buildPod() gives spec and status the weight of a real Pod, the same for each number', () => {
  const sizes = [0, 9, 123_456].map((index) => {
    const { spec, status } = buildPod(index, 'p', 'n');
    return { spec: JSON.stringify(spec).length, status: JSON.stringify(status).length };
  });
  for (const { spec, status } of sizes) {
    assert.ok(spec > 4200 && spec < 4700, `spec has ${spec} characters`);
    assert.ok(status > 3300 && status < 3800, `status has ${status} characters`);
  }
});

test('buildPod() is the same for a number, and other for another', () => {
  assert.deepEqual(buildPod(7, 'p', 'n'), buildPod(7, 'p', 'n'));
  const addresses = new Set(
    Array.from({ length: 1000 }, (_, index) => buildPod(index, 'p', 'n').status.podIP),
  );
  assert.equal(addresses.size, 1000);
});

test('randomText() draws from digits and letters', () => {
  const text = randomText(20_000);
  assert.match(text, /^[0-9a-zA-Z]{20000}$/);
  assert.equal(new Set(text).size, 62);
});

test('openProgress() draws over its bar on a terminal only', () => {
  const written: string[] = [];
  const progress = openProgress({ isTTY: true, write: (text) => written.push(text) }, 'pods', 10);
  progress.show(5);
  progress.end();
  assert.match(written[0] ?? '', /^\r\u001b\[K\[#{20}\.{20}\] 5\/10 pods {2}\d+\/s$/);
  const lines: string[] = [];
  const plain = openProgress({ write: (text) => lines.push(text) }, 'pods', 10);
  plain.show(5);
  plain.end();
  assert.deepEqual(lines, []);
});
