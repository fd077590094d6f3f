// JSON in and out: against vectors from Go, against JSON.parse, and against bodies made to hurt.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { printFloat } from './number.ts';
import { compareUtf8, printJson, printText, sortedKeys } from './printer.ts';
import { quote } from './quote.ts';
import { checkSyntax, DEPTH_LIMIT, JsonSyntaxError } from './syntax.ts';
import { decodeText, keepBadBytes } from './text.ts';
import { parseJson } from './tree.ts';
import { JsonNumber, type JsonValue } from './value.ts';
import { ByteWriter, TooLongError } from './writer.ts';

test('quote() and keepBadBytes() print each string as Go does', () => {
  const lines = readFileSync(new URL('../../testdata/json-strings.ndjson', import.meta.url), 'utf8');
  for (const line of lines.trim().split('\n')) {
    const { in: input, out } = JSON.parse(line) as { in: string; out: string };
    const bytes = Buffer.from(input, 'base64');
    assert.equal(quote(keepBadBytes(bytes)), out);
    if (Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes))
      assert.equal(quote(bytes.toString('utf8')), out);
  }
});

test('parseJson() reads what JSON.parse reads', () => {
  const json = fc.json({ stringUnit: 'grapheme' });
  fc.assert(
    fc.property(json, (text) => {
      const value = parseJson(Buffer.from(text));
      assert.deepEqual(plain(value), withoutPrototypes(JSON.parse(text)));
    }),
  );
});

test('printJson() of parseJson() is a fixpoint', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
      const once = printJson(parseJson(Buffer.from(text)));
      assert.deepEqual(printJson(parseJson(once)), once);
    }),
  );
});

test('parseJson() takes or refuses any bytes as JSON.parse does', () => {
  const noise = fc.array(fc.constantFrom(...'{}[],:"\\utrfnse0-1.5+ \n\u0001é'), { maxLength: 24 });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 40 }), noise), (input) => {
      const bytes = Buffer.from(
        typeof input[0] === 'string' ? (input as string[]).join('') : (input as Uint8Array),
      );
      assert.equal(
        accepts(() => parseJson(bytes)),
        accepts(() => JSON.parse(decodeText(bytes).replace(/^\ufeff/, 'x'))),
      );
    }),
    { numRuns: 2000 },
  );
});

test('decodeText() puts U+FFFD for each byte that is not UTF-8', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
      assert.equal(decodeText(bytes), goText(bytes));
    }),
    { numRuns: 3000 },
  );
  assert.equal(decodeText(Buffer.from('e282', 'hex')), '\ufffd\ufffd');
});

test('parseJson() keeps spellings, key order and odd keys', () => {
  const text = '{"b":1.0,"2":-0,"10":18446744073709551615,"__proto__":{"__proto__":null},"a":1E5}';
  assert.equal(printText(parseJson(Buffer.from(` ${text} `))), text);
  assert.equal(
    printText(
      parseJson(Buffer.from('["\\ud83d\\ude00","\\ud83d","\\ude00\\ud83d","\\ud83dx","\\u0041\\/"]')),
    ),
    '["😀","\ufffd","\ufffd\ufffd","\ufffdx","A/"]',
  );
});

test('parseJson() tells of each duplicate once, with its path, and keeps the last', () => {
  const paths: string[] = [];
  const onDuplicate = (path: readonly (string | number)[]) => paths.push(path.join('/')) > 0;
  const value = parseJson(Buffer.from('{"a":[1,{"x":1,"x":2,"x":3}],"a":{"y":1,"\\u0079":2}}'), {
    onDuplicate,
  });
  assert.equal(printText(value), '{"a":{"y":2}}');
  assert.deepEqual(paths, ['a/1/x', 'a', 'a/y']);
});

test('checkSyntax() gives up at the depth limit, and not before', () => {
  const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
  assert.equal(printJson(parseJson(nested(DEPTH_LIMIT))).length, 2 * DEPTH_LIMIT);
  assert.throws(
    () => parseJson(nested(DEPTH_LIMIT + 1)),
    /^JsonSyntaxError: invalid character '\[' exceeded max depth$/,
  );
  assert.throws(() => checkSyntax(Buffer.from('{"a":'.repeat(3_000_000))), JsonSyntaxError);
});

test('parseJson() takes linear time on hostile bodies', () => {
  const size = 3 << 20;
  const bodies = {
    escapes: `"${'\\u0041'.repeat(size / 6)}"`,
    'an escape at the far end': `[${'"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",'.repeat(size / 64)}"\\n"]`,
    'one long string': `"${'a'.repeat(size)}"`,
    'empty arrays': `[${'[],'.repeat(size / 3)}1]`,
    'one key again and again': `{${'"a":1,'.repeat(size / 6)}"a":1}`,
    spaces: `[${' '.repeat(size)}]`,
    number: '1'.repeat(size),
    'bad UTF-8': Buffer.concat([Buffer.from('"'), Buffer.alloc(size, 0xff), Buffer.from('"')]),
    'deep duplicates of many keys': `${'{"a":'.repeat(5000)}{${Array.from({ length: 200_000 }, (_, i) => `"${i}":1,"${i}":1`).join()}}${'}'.repeat(5000)}`,
    'deep duplicates': `${'{"a":'.repeat(5000)}{${'"k":1,'.repeat(size / 8)}"k":1}${'}'.repeat(5000)}`,
  };
  for (const [name, body] of Object.entries(bodies)) {
    const started = performance.now();
    let told = 0;
    parseJson(Buffer.from(body as string), { onDuplicate: () => ++told < 100 });
    assert.ok(performance.now() - started < 2000, `${name}: ${performance.now() - started} ms`);
    assert.ok(told <= 100);
  }
});

test('sortedKeys() sorts by UTF-8 bytes', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'é', '\uffee', '\ue000', '😀', '\ud7ff'),
    maxLength: 4,
  });
  fc.assert(
    fc.property(fc.uniqueArray(text), (keys) => {
      const expected = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(sortedKeys(new Map(keys.map((key) => [key, null]))), expected);
      assert.deepEqual([...keys].sort(compareUtf8), expected);
    }),
  );
});

test('printFloat() prints as Go does', () => {
  const texts = [
    0, -0, 1, 0.1, 1e21, 123456789e12, 1e20, 1e-6, 1e-7, 4.5e-9, -7.25, 5e-324, 1.7976931348623157e308,
  ];
  assert.deepEqual(texts.map(printFloat), [
    ...['0', '-0', '1', '0.1', '1e+21', '123456789000000000000', '100000000000000000000', '0.000001', '1e-7'],
    ...['4.5e-9', '-7.25', '5e-324', '1.7976931348623157e+308'],
  ]);
  assert.throws(() => printFloat(Number.NaN), RangeError);
});

test('ByteWriter gives what was put in, and can be used again', () => {
  const writer = new ByteWriter(1);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      for (const text of texts) writer.text(text).bytes(Buffer.from(text)).json(text);
      assert.equal(Buffer.from(writer.take()).toString(), texts.map((t) => t + t + quote(t)).join(''));
      assert.equal(writer.length, 0);
    }),
  );
});

test('ByteWriter forgets what is cut, and takes no more once it is over its limit', () => {
  const writer = new ByteWriter(1, 10);
  writer.text('0123456').cut(3);
  writer.cut(5);
  writer.bytes(Buffer.from('a long piece'));
  assert.equal(writer.length, 15);
  assert.throws(() => writer.text('x'), TooLongError);
  writer.cut(10);
  assert.equal(Buffer.from(writer.text('x').take()).toString(), '012a long x');
});

function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Map ? new Map([...value].map(([key, item]) => [key, plain(item)])) : value;
}

function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (typeof value === 'string') return value.replace(/[\ud800-\udfff]/gu, '\ufffd');
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, item]) => [key, withoutPrototypes(item)]));
}

function accepts(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    assert.ok(error instanceof SyntaxError || error instanceof JsonSyntaxError);
    return false;
  }
}

/** One U+FFFD for each byte, by the slow and obvious way. */
function goText(bytes: Uint8Array): string {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    let taken = 0;
    for (let length = 1; length <= 4 && taken === 0; length++) {
      try {
        const decoded = strict.decode(bytes.subarray(at, at + length));
        if (at + length <= bytes.length) {
          text += decoded;
          taken = length;
        }
      } catch {}
    }
    if (taken === 0) text += '\ufffd';
    at += Math.max(taken, 1);
  }
  return text;
}
