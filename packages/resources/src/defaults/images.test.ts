// Which images are always pulled: what kube-apiserver 1.37.2 chose for each name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@sluice/encoding';
import { setImagePullPolicy, setVolumePullPolicy } from './images.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const ALWAYS = ['a', 'a:latest', 'x.y/a', 'x.y:5/a', 'localhost/a', `a:latest@${DIGEST}`, 'x.y/a:latest'];
const MORE_ALWAYS = ['X/a', 'a__b', '[::1]:5/a', 'a/b/c:latest', 'x_y.z/a', 'a_b.c'];
const IF_NOT_PRESENT = ['', 'a:1', `a@${DIGEST}`, 'A', 'a/B', 'a:', 'a@sha256:a', 'a'.repeat(64), 'a___b'];
const MORE_IF_NOT_PRESENT = ['-a', 'a..b', 'x.y/a:LATEST'];

test('setImagePullPolicy() always pulls latest, said or not', () => {
  for (const image of [...ALWAYS, ...MORE_ALWAYS]) assert.equal(policy(image), 'Always', image);
});

test('setImagePullPolicy() pulls others, and what is no name, if they are not present', () => {
  for (const image of [...IF_NOT_PRESENT, ...MORE_IF_NOT_PRESENT]) {
    assert.equal(policy(image), 'IfNotPresent', image);
  }
});

test('setImagePullPolicy() leaves what the client says', () => {
  const container: JsonObject = new Map([
    ['image', 'a'],
    ['imagePullPolicy', 'Never'],
  ]);
  setImagePullPolicy(container);
  assert.equal(container.get('imagePullPolicy'), 'Never');
});

test('setVolumePullPolicy() goes by the reference', () => {
  const source: JsonObject = new Map([['reference', 'a:1']]);
  setVolumePullPolicy(source);
  assert.equal(source.get('pullPolicy'), 'IfNotPresent');
});

test('setImagePullPolicy() reads long names in linear time', () => {
  const start = process.hrtime.bigint();
  policy(`${'a_'.repeat(200_000)}!`);
  policy(`${'a-'.repeat(200_000)}.x/a`);
  assert.ok(process.hrtime.bigint() - start < 1_000_000_000n);
});

function policy(image: string): unknown {
  const container: JsonObject = new Map([['image', image]]);
  setImagePullPolicy(container);
  return container.get('imagePullPolicy');
}
