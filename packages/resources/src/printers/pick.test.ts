// Picking fields out of items: what is there, what isn't, and what isn't of the type that is asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonNumber } from '@sluice/encoding';
import fc from 'fast-check';
import { picker } from './pick.ts';

const pick = picker({
  metadata: { name: 'text', labels: 'tree' },
  spec: {
    count: 'number',
    on: 'flag',
    list: [{ name: 'text' }],
    names: ['text'],
    keys: 'size',
    gone: 'some',
  },
});

function picked(json: string): unknown {
  return pick(Buffer.from(json)).object;
}

test('picker() takes what is asked for and passes over the rest', () => {
  const item =
    '{"metadata":{"annotations":{"name":"}{\\"]["},"name":"a\\"\\u003c日本","labels":{"b":1.0}},"other":[{"spec":{"count":9}}],' +
    '"spec":{"x":[[{}],"]"],"count":-7,"on":false,"list":[{"name":"a","y":{}},{}],"names":["p","q"],"keys":{"a,b":1,"}":{}},"gone":{}},"z":1}';
  assert.deepEqual(picked(item), {
    metadata: { name: 'a"<日本', labels: new Map([['b', new JsonNumber('1.0')]]) },
    spec: {
      count: -7,
      on: false,
      list: [{ name: 'a' }, {}],
      names: ['p', 'q'],
      keys: 2,
      gone: true,
    },
  });
});

test('picker() takes nulls and values of another type for absent', () => {
  assert.deepEqual(
    picked('{"metadata":null,"spec":{"count":"1","on":null,"list":null,"names":{},"keys":7,"gone":null}}'),
    { spec: {} },
  );
  assert.deepEqual(picked('{"metadata":{"name":5,"labels":null},"spec":[]}'), { metadata: {} });
  assert.deepEqual(picked('{}'), {});
});

test('picker() keeps the places of nulls in lists, and counts elements', () => {
  assert.deepEqual(
    picked('{"spec":{"list":[null,{"name":"b"}],"names":[null,"c"],"keys":[1,[2,3],"a,b"]}}'),
    {
      spec: { list: [{}, { name: 'b' }], names: ['', 'c'], keys: 3 },
    },
  );
  assert.deepEqual(picked('{"spec":{"list":[],"names":[],"keys":{}}}'), {
    spec: { list: [], names: [], keys: 0 },
  });
});

test('picker() tells where the metadata of the item stands, and of no other', () => {
  const item = Buffer.from('{"template":{"metadata":{"name":"é"}},"metadata":{"name":"a"}}');
  const { metadata } = pick(item);
  assert.equal(item.toString('utf8', metadata?.start, metadata?.end), '{"name":"a"}');
  assert.equal(pick(Buffer.from('{"spec":{}}')).metadata, undefined);
});

test('picker() finds its fields whatever stands around them', () => {
  const around = fc.dictionary(fc.string({ minLength: 5 }), fc.jsonValue());
  fc.assert(
    fc.property(around, around, fc.string(), fc.integer(), (before, behind, name, count) => {
      const item = Buffer.from(
        JSON.stringify({
          x: before,
          metadata: { x: before, name, y: behind },
          y: behind,
          spec: { x: behind, count },
        }),
      );
      const { object, metadata } = pick(item);
      const read = JSON.parse(item.toString());
      assert.deepEqual(object, { metadata: { name: read.metadata.name }, spec: { count } });
      assert.deepEqual(JSON.parse(item.toString('utf8', metadata?.start, metadata?.end)), read.metadata);
    }),
  );
});
