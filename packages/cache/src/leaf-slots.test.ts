// Slots of shared memory: whose bytes stay, which are used again, what they hold at most.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeafSlots } from './leaf-slots.ts';

const KIB = 1024;

test('fill() gives copies that do not touch each other, and uses released slots again', () => {
  const slots = new LeafSlots();
  const one = slots.fill(1, Buffer.from('one'));
  const two = slots.fill(2, Buffer.from('second'));
  assert.notEqual(one.buffer, two.buffer);
  slots.release(1);
  const three = slots.fill(3, Buffer.from('three'));
  assert.equal(three.buffer, one.buffer);
  assert.deepEqual(
    [two, three].map(String),
    [Buffer.from('second'), Buffer.from('three')].map((b) => String([...b])),
  );
  assert.equal(slots.bytes, 2 * 512 * KIB);
});

test('a large leaf replaces a slot that is too small, and one that is very large is not kept', () => {
  const slots = new LeafSlots();
  slots.fill(1, Buffer.alloc(10));
  slots.release(1);
  slots.fill(2, Buffer.alloc(600 * KIB));
  assert.equal(slots.bytes, 1024 * KIB);
  slots.release(2);
  const copy = slots.fill(3, Buffer.alloc(5000 * KIB, 'x'));
  assert.equal(copy.length, 5000 * KIB);
  assert.equal(slots.bytes, 5000 * KIB);
  slots.release(3);
  assert.equal(slots.bytes, 0);
});

test('release() of what was never filled does nothing', () => {
  const slots = new LeafSlots();
  slots.release(7);
  assert.equal(slots.bytes, 0);
});
