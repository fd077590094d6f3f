// A Protobuf list is taken apart into what it was put together from.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openEnvelope } from './envelope.ts';
import { splitProtobufList } from './items.ts';
import { streamMarshal, streamSize } from './list.ts';

const TYPE = { apiVersion: 'v1', kind: 'PodList' };

test('splitProtobufList() gives back the messages that streamMarshal() wrote', () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 300 }));
  fc.assert(
    fc.property(messages, fc.string(), (items, resourceVersion) => {
      const split = splitProtobufList('PodList', messageOf(items, resourceVersion));
      assert.deepEqual(split.items.map(hex), items.map(hex));
      assert.deepEqual(hex(split.rest), hex(messageOf([], resourceVersion)));
    }),
  );
});

test('splitProtobufList() keeps what it does not know, wherever it stands', () => {
  const split = splitProtobufList('PodList', Buffer.from('12011f1801120012022a2b0a00', 'hex'));
  assert.deepEqual(split.items.map(hex), ['1f', '', '2a2b']);
  assert.equal(hex(split.rest), '18010a00');
});

test('splitProtobufList() refuses what is cut or is no message', () => {
  for (const [message, error] of [
    ['120a1f', 'unexpected EOF'],
    ['12', 'unexpected EOF'],
    ['0a05', 'unexpected EOF'],
    ['0c', 'proto: PodList: wiretype end group for non-group'],
  ] as const) {
    assert.throws(
      () => splitProtobufList('PodList', Buffer.from(message, 'hex')),
      { message: error },
      message,
    );
  }
});

function messageOf(items: readonly Uint8Array[], resourceVersion: string): Uint8Array {
  const list = { type: TYPE, metadata: { resourceVersion, continue: '' }, items };
  const written: Uint8Array[] = [];
  streamMarshal(list, streamSize(list), (bytes) => written.push(bytes));
  return openEnvelope(Buffer.concat(written)).message;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
