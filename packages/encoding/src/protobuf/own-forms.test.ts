// Times, durations and either-ors, there and back, at the ends of what they can hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printText } from '../json/printer.ts';
import type { OwnTexts } from './own-values.ts';
import type { Form, Message, OwnName } from './schema.ts';
import { readMessage } from './tree.ts';
import { messageEncoder } from './value.ts';
import { ProtobufError, WireWriter } from './wire.ts';

test('Time and MicroTime are read back as they were written, in any year', () => {
  const dates = fc.date({
    min: new Date('0001-01-01T00:00:01Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(dates, fc.nat(999_999), (date, micros) => {
      const text = date.toISOString().slice(0, 19);
      const fraction = String(micros).padStart(6, '0');
      assert.equal(thereAndBack('Time', `"${text}Z"`), `"${text}Z"`);
      assert.equal(thereAndBack('MicroTime', `"${text}.${fraction}Z"`), `"${text}.${fraction}Z"`);
    }),
  );
  for (const text of [
    '0000-01-01T00:00:00Z',
    '2024-02-29T23:59:59Z',
    '1900-03-01T00:00:00Z',
    '10000-01-01T00:59:59Z',
  ]) {
    assert.equal(thereAndBack('Time', `"${text}"`), `"${text}"`);
  }
});

test('readMessage() brings seconds and nanoseconds of any size into one time', () => {
  const cases: [bigint, bigint, string | undefined][] = [
    [0n, 0n, '1970-01-01T00:00:00.000000Z'],
    [0n, 1999n, '1970-01-01T00:00:00.000001Z'],
    [0n, -1000n, '1969-12-31T23:59:59.999999Z'],
    [1n, 2_000_001_000n, '1970-01-01T00:00:03.000001Z'],
    [-62_135_596_800n, 0n, undefined],
    [253_402_300_800n, 0n, '10000-01-01T00:00:00.000000Z'],
    [-62_198_755_200n, 0n, '-0001-01-01T00:00:00.000000Z'],
    [2n ** 63n - 1n, 0n, '292277026596-12-04T15:30:07.000000Z'],
  ];
  for (const [seconds, nanos, text] of cases) {
    const bytes = message([0x08, seconds], [0x10, nanos]);
    assert.equal(readMessage(holder('MicroTime'), framed(bytes), TEXTS).get('value'), text, text);
  }
});

test('a Duration is its nanoseconds', () => {
  const cases: [string, bigint][] = [
    ['0s', 0n],
    ['1h0m0.5s', 3_600_500_000_000n],
    ['-2m3s', -123_000_000_000n],
    ['1.5ms', 1_500_000n],
    ['1.234\u00b5s', 1234n],
    ['7ns', 7n],
    ['2562047h47m16.854775807s', 2n ** 63n - 1n],
    ['-2562047h47m16.854775808s', -(2n ** 63n)],
  ];
  for (const [text, nanos] of cases) {
    const bytes = encode('Duration', `"${text}"`);
    assert.deepEqual(bytes, framed(message([0x08, nanos])), text);
    assert.equal(readMessage(holder('Duration'), bytes, TEXTS).get('value'), `${nanos}ns`);
  }
});

test('an IntOrString is a number or text, and nothing else', () => {
  for (const json of ['0', '-2147483648', '2147483647', '""', '"50%"']) {
    assert.equal(thereAndBack('IntOrString', json), json);
  }
  const neither = framed(message([0x08, 2n]));
  const expected = new ProtobufError('impossible IntOrString.Type');
  assert.throws(() => readMessage(holder('IntOrString'), neither, TEXTS), expected);
});

test('messageEncoder() refuses times and durations in a spelling of their own', () => {
  for (const [name, json] of [
    ['Time', '"2024-01-01 00:00:00"'],
    ['Time', '"2024-01-01T00:00:00+01:00"'],
    ['MicroTime', '"2024-1-01T00:00:00.0Z"'],
    ['Duration', '"1d"'],
  ] as const) {
    assert.throws(() => encode(name, json), ProtobufError, json);
  }
});

const TEXTS: OwnTexts = { quantity: (text) => text, duration: (nanos) => `${nanos}ns`, raw: () => null };

function holder(name: OwnName): Message {
  const form: Form = { kind: 'own', name };
  return { name: 'Holder', fields: [{ number: 1, json: 'value', go: 'Value', form, pointer: true }] };
}

function encode(name: OwnName, json: string): Buffer {
  return Buffer.from(messageEncoder(holder(name))(Buffer.from(`{"value":${json}}`)));
}

function thereAndBack(name: OwnName, json: string): string {
  return printText(readMessage(holder(name), encode(name, json), TEXTS).get('value') ?? null);
}

function message(...fields: [tag: number, value: bigint][]): Buffer {
  const writer = new WireWriter(1);
  for (const [tag, value] of fields) {
    const bits = BigInt.asUintN(64, value);
    writer.varint(tag);
    writer.varint64(Number(bits & 0xffff_ffffn), Number(bits >> 32n));
  }
  return writer.buffer.subarray(0, writer.length);
}

function framed(body: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0x0a, body.length), body]);
}
