// Checks the cells' names, how they are selected, and what a run measures when nothing is said.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allCells, cellName, quickCells, selectCells, standardCells } from './matrix.ts';

const names = (patterns: string[], cells = allCells()) => selectCells(cells, patterns).map(cellName);

test('every combination has a name of its own', () => {
  const all = allCells().map(cellName);
  assert.equal(all.length, 3 * 7 * 2 * 2 * 2 * 2 * 5);
  assert.equal(new Set(all).size, all.length);
  assert.ok(all.includes('pods/protobuf/gzip/h2/r1/on/list'));
});

test('selectCells() takes names, beginnings of names, several words and stars', () => {
  assert.deepEqual(names(['pods/protobuf/gzip/h2/r10/off/watch']), ['pods/protobuf/gzip/h2/r10/off/watch']);
  assert.equal(names(['pods/protobuf/gzip/h2']).length, 2 * 2 * 5);
  assert.equal(names(['*/json,cbor/gzip/h1/r1/on/list']).length, 3 * 2);
  assert.equal(names(['custom*/yaml/identity/h2/r1/on/watch*']).length, 2);
  // Chosen twice is chosen once, in the order of all.
  assert.deepEqual(names(['pods/json/*/h2/r1/on/list', 'pods/json/identity/h2/r1/on/list']), [
    'pods/json/identity/h2/r1/on/list',
    'pods/json/gzip/h2/r1/on/list',
  ]);
  // Words, not letters: `r1` is not `r10`, a dot is a dot.
  assert.equal(names(['pods/json/gzip/h2/r1']).length, 2 * 5);
  assert.throws(() => names(['pods/j.on']), /--only pods\/j\.on selects no cell/);
  assert.throws(() => names(['pods/json/gzip/h2/r1/on/list/more']), /selects no cell/);
});

test('a whole run lists everything, and gates off only where they matter', () => {
  const lists = standardCells().filter(({ job }) => job === 'list');
  assert.equal(lists.filter(({ gate }) => gate === 'on').length, 3 * 7 * 2 * 2 * 2);
  assert.deepEqual(
    new Set(lists.filter(({ gate }) => gate === 'off').map(({ representation }) => representation)),
    new Set(['json', 'protobuf']),
  );
  for (const job of ['paged', 'selector', 'watchlist', 'watch']) {
    const cells = standardCells().filter((cell) => cell.job === job);
    assert.ok(cells.length >= 15, job);
    assert.ok(cells.every(({ http, readers, gate }) => http === 'h2' && readers === 1 && gate === 'on'));
  }
});

test('a quick run is part of the whole one, with every representation and job', () => {
  const whole = new Set(standardCells().map(cellName));
  const quick = quickCells();
  assert.ok(quick.length < 60);
  assert.ok(quick.every((cell) => whole.has(cellName(cell))));
  assert.equal(new Set(quick.map(({ representation }) => representation)).size, 7);
  assert.equal(new Set(quick.map(({ job }) => job)).size, 5);
});
