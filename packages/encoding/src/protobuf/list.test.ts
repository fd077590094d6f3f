// Lists and watch frames against bytes that kube-apiserver sends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enclose, openEnvelope } from './envelope.ts';
import { watchFrame, watchFrameOf } from './frames.ts';
import { type ProtobufList, streamMarshal, streamSize } from './list.ts';
import { ProtobufError } from './wire.ts';

const LIST = { apiVersion: 'v1', kind: 'ConfigMapList' };
const ITEM = Buffer.from(
  '0a1c0a016112001a016422002a017532013538004208088081c8ac06100012060a013112016312070a02313012016112060a0132120162',
  'hex',
);

test('streamMarshal() writes lists as kube-apiserver does, as long as streamSize() said', () => {
  const cases: [ProtobufList, string][] = [
    [
      { type: LIST, metadata: { resourceVersion: '7', continue: '' }, items: [] },
      '6b3873000a130a027631120d436f6e6669674d61704c69737412090a070a001201371a001a002200',
    ],
    [
      { type: LIST, metadata: { resourceVersion: '7', continue: '' }, items: [ITEM] },
      `6b3873000a130a027631120d436f6e6669674d61704c69737412420a070a001201371a001237${ITEM.toString('hex')}1a002200`,
    ],
    [
      { type: { apiVersion: '', kind: '' }, metadata: { resourceVersion: '', continue: '' }, items: [] },
      '6b3873000a040a00120012080a060a0012001a001a002200',
    ],
    [
      {
        type: { apiVersion: 'v1', kind: 'List' },
        metadata: { resourceVersion: '2345', continue: '' },
        items: [],
      },
      '6b3873000a0a0a02763112044c697374120c0a0a0a001204323334351a001a002200',
    ],
    [
      {
        type: LIST,
        metadata: { resourceVersion: '7', continue: 'c', remainingItemCount: 0, shardSelector: 's' },
        items: [],
      },
      '6b3873000a130a027631120d436f6e6669674d61704c69737412110a0f0a001201371a016320002a030a01731a002200',
    ],
    [
      { type: LIST, metadata: { resourceVersion: '7', continue: '' }, items: [ITEM], layout: 'items-first' },
      `6b3873000a130a027631120d436f6e6669674d61704c69737412420a37${ITEM.toString('hex')}12070a001201371a001a002200`,
    ],
  ];
  for (const [list, hex] of cases) {
    const pieces: Uint8Array[] = [];
    const sizes = streamSize(list);
    streamMarshal(list, sizes, (piece) => pieces.push(piece));
    assert.equal(Buffer.concat(pieces).toString('hex'), hex);
    assert.deepEqual(sizes, { total: hex.length / 2, items: list.items.map((item) => item.length) });
  }
});

test('streamMarshal() tells when items are not as large as was announced', () => {
  const list = { type: LIST, metadata: { resourceVersion: '7', continue: '' }, items: [ITEM] };
  const sizes = streamSize(list);
  const shorter = { ...list, items: [ITEM.subarray(1)] };
  const message = `the size value was ${sizes.total}, but doEncode wrote ${sizes.total - 1} bytes to data`;
  assert.throws(() => streamMarshal(shorter, sizes, () => undefined), new ProtobufError(message));
});

test('watchFrame() puts an enveloped object into a length-prefixed event', () => {
  const type = { apiVersion: 'v1', kind: 'ConfigMap' };
  for (const size of [0, 1, 100, 200, 20_000]) {
    const message = Buffer.alloc(size, 0x41);
    const body = Buffer.from(enclose(type, message));
    const frame = Buffer.from(watchFrame('ADDED', body));
    assert.deepEqual(frame, Buffer.from(watchFrameOf('ADDED', type, message)));
    assert.equal(frame.readUInt32BE(0), frame.length - 4);
    assert.equal(frame.subarray(4, 12).toString('hex'), '0a05414444454412');
    assert.ok(frame.subarray(-body.length).equals(body));
    assert.deepEqual(openEnvelope(body), { ...type, message });
  }
  const small = watchFrame('BOOKMARK', enclose(type, new Uint8Array()));
  assert.equal(
    Buffer.from(small).toString('hex'),
    '00000029' +
      '0a08424f4f4b4d41524b' +
      '121d' +
      '0a1b' +
      '6b387300' +
      '0a0f0a0276311209436f6e6669674d6170' +
      '12001a002200',
  );
});
