// Members found in compact JSON bytes, against what a JSON parser finds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eachMember, findMember, findPath, skipValue } from './member.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc
    .array(fc.constantFrom('\\', '"', '{', '}', '[', ']', ',', ':', 'a', '\n', 'é'), { maxLength: 12 })
    .map((c) => c.join('')),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false, 0, -1, 1e300),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(text, tie('any'), { maxKeys: 4 }),
  ),
})).any;
const object = fc.dictionary(text, value, { maxKeys: 6 });

const bytesOf = (json: unknown): Buffer => Buffer.from(JSON.stringify(json));

test('eachMember() visits the members a parser finds, in the order they stand', () => {
  fc.assert(
    fc.property(object, (expected) => {
      const bytes = bytesOf(expected);
      const found: [string, unknown][] = [];
      eachMember(bytes, 0, (keyStart, keyEnd, valueStart, valueEnd) => {
        const key = JSON.parse(`"${bytes.toString('utf8', keyStart, keyEnd)}"`);
        found.push([key, JSON.parse(bytes.toString('utf8', valueStart, valueEnd))]);
        return true;
      });
      assert.deepEqual(found, Object.entries(JSON.parse(bytes.toString())));
    }),
  );
});

test('findMember() finds a member and only it, wherever the object stands', () => {
  fc.assert(
    fc.property(object, value, text, (around, wanted, before) => {
      const inner = { ...around, spec: wanted };
      const bytes = bytesOf([before, inner]);
      const start = bytesOf([before]).length;
      const span = findMember(bytes, start, 'spec')!;
      assert.equal(bytes.toString('utf8', span.start, span.end), JSON.stringify(wanted));
      assert.equal(findMember(bytes, start, 'absent'), undefined);
    }),
  );
});

test('findPath() goes through objects only', () => {
  fc.assert(
    fc.property(object, value, value, (around, wanted, other) => {
      const bytes = bytesOf({ ...around, spec: { a: wanted, b: other }, other });
      const found = findPath(bytes, ['spec', 'a'])!;
      assert.equal(bytes.toString('utf8', found.start, found.end), JSON.stringify(wanted));
      assert.equal(findPath(bytes, ['spec', 'absent', 'a']), undefined);
      assert.deepEqual(findPath(bytes, []), { start: 0, end: bytes.length });
    }),
  );
  const odd = bytesOf({ spec: '"a":1,', status: ['"a":1'], metadata: null, count: 1, text: '' });
  for (const name of ['spec', 'status', 'metadata', 'count', 'text']) {
    assert.equal(findPath(odd, [name, 'a']), undefined, name);
  }
});

test('findMember() does not find what only looks like the member', () => {
  const decoys = {
    'my"spec': 1,
    '"spec"': 2,
    spe: 3,
    specs: 4,
    deep: { spec: 5 },
    text: '"spec":6',
    list: [{ spec: 7 }],
  };
  assert.equal(findMember(bytesOf(decoys), 0, 'spec'), undefined);
  const bytes = bytesOf({ ...decoys, spec: '8' });
  assert.deepEqual(findMember(bytes, 0, 'spec'), { start: bytes.length - 4, end: bytes.length - 1 });
});

test('findMember() finds nothing in an empty object', () => {
  assert.equal(findMember(bytesOf({}), 0, 'a'), undefined);
  assert.equal(findMember(bytesOf({ a: {} }), 5, 'a'), undefined);
});

test('findMember() finds nothing under an empty name, unless it is there', () => {
  assert.equal(findMember(bytesOf({ a: 1 }), 0, ''), undefined);
  assert.deepEqual(findMember(bytesOf({ a: 1, '': 2 }), 0, ''), { start: 10, end: 11 });
});

test('eachMember() stops when told to', () => {
  let visits = 0;
  eachMember(bytesOf({ a: 1, b: 2, c: 3 }), 0, () => ++visits < 2);
  assert.equal(visits, 2);
});

test('skipValue() ends after the value, whatever follows it', () => {
  fc.assert(
    fc.property(value, fc.constantFrom('', ',', '}', ']'), (json, after) => {
      const alone = bytesOf(json);
      assert.equal(skipValue(Buffer.concat([alone, Buffer.from(after)]), 0), alone.length);
    }),
  );
});

test('skipValue() of a string ends at a quote with an even run of backslashes before it', () => {
  for (let run = 0; run < 70; run++) {
    const bytes = bytesOf(['\\'.repeat(run), `${'\\'.repeat(run)}"`, 'x']);
    const first = skipValue(bytes, 1);
    assert.equal(bytes.toString('utf8', first, first + 1), ',');
    assert.equal(skipValue(bytes, first + 1), bytes.length - 5);
  }
});

test('skipValue() passes over texts of every length, escapes at their ends', () => {
  for (let length = 55; length < 75; length++) {
    for (const end of ['', '"', '\\', '\\"', '}"]', 'é']) {
      const bytes = bytesOf({ [`${'k'.repeat(length)}${end}`]: [`${end}${'v'.repeat(length)}${end}`, '}'] });
      assert.equal(skipValue(Buffer.concat([bytes, Buffer.from('"}')]), 0), bytes.length);
      assert.equal(skipValue(bytes, 1), bytes.indexOf('":[') + 1);
    }
  }
});

test('skipValue() takes time in proportion to the bytes: backslashes and quotes are counted once', () => {
  // Looking back over the whole run at each quote would take minutes for these.
  const runs = [
    ['\\'.repeat(2_000_000)],
    ['"'.repeat(2_000_000)],
    ['\\"'.repeat(1_000_000)],
    ['[{'.repeat(1_000_000)],
  ];
  const began = performance.now();
  for (const run of runs) {
    const bytes = bytesOf(run);
    assert.equal(skipValue(bytes, 0), bytes.length);
  }
  const deep = Buffer.from('['.repeat(1_000_000) + ']'.repeat(1_000_000));
  assert.equal(skipValue(deep, 0), deep.length);
  assert.ok(performance.now() - began < 5_000);
});
