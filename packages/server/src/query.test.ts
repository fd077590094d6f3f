// Spellings of query strings and paths, each as Go's net/url reads it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQuery, unescapePercents } from './query.ts';

test('parseQuery() keeps repeated names in order and gives the first, also when it is empty', () => {
  const query = parseQuery('labelSelector=&labelSelector=x%3D2&limit=1');
  assert.equal(query.first('labelSelector'), '');
  assert.deepEqual(query.all('labelSelector'), ['', 'x=2']);
  assert.equal(query.first('limit'), '1');
  assert.equal(query.first('nope'), undefined);
  assert.equal(query.has('Limit'), false);
});

test('parseQuery() drops a part with a semicolon or a bad escape and reads the rest', () => {
  assert.equal(parseQuery('limit=1;labelSelector=x').has('limit'), false);
  assert.equal(parseQuery('limit=1%zz&watch=1').has('limit'), false);
  assert.equal(parseQuery('limit=1%zz&watch=1').first('watch'), '1');
  assert.equal(parseQuery('limit=1%2').has('limit'), false);
});

test('parseQuery() reads escapes in names, plus as a space, and names without a value', () => {
  assert.equal(parseQuery('li%6Dit=1').first('limit'), '1');
  assert.equal(parseQuery('a=b+c%2B').first('a'), 'b c+');
  assert.equal(parseQuery('&&limit=1&&watch').first('watch'), '');
  assert.equal(parseQuery('a=%C3%A9').first('a'), 'é');
  assert.equal(parseQuery('a=\xc3\xa9').first('a'), 'é');
  assert.equal(parseQuery('__proto__=1').first('__proto__'), '1');
  assert.equal(parseQuery('').has(''), false);
});

test('parseQuery() reads nothing of more than 10,000 parts', () => {
  assert.equal(parseQuery(`${'&'.repeat(9_999)}limit=1`).first('limit'), '1');
  assert.equal(parseQuery(`limit=1${'&'.repeat(10_000)}`).has('limit'), false);
});

test('unescapePercents() undoes encodeURIComponent() for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(unescapePercents(encodeURIComponent(text)), text);
    }),
  );
});

test('unescapePercents() refuses a percent sign without two hex digits', () => {
  for (const text of ['%', 'a%2', '%zz', '%%41']) assert.equal(unescapePercents(text), null, text);
});
