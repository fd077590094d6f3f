// Options of lists and watches: what is read, what is refused, and which of several mistakes is told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, type Kind } from '@sluice/resources';
import type { ResourceTarget } from './api.ts';
import { kindsWithCustom } from './kinds.fixture.ts';
import { type ListOptions, readListOptions } from './list-options.ts';
import { parseQuery } from './query.ts';

const kind = kindsWithCustom().find('', 'v1', 'configmaps') as Kind;

test('readListOptions() reads every option, and none as none', async () => {
  const options = await list(
    'limit=5&continue=t&resourceVersion=7&labelSelector=a%3Db&fieldSelector=metadata.name%3Dx&timeoutSeconds=9&allowWatchBookmarks=yes',
  );
  assert.equal(options.limit, 5);
  assert.equal(options.continue, 't');
  assert.equal(options.resourceVersion, '7');
  assert.equal(options.labelSelector.text, 'a=b');
  assert.equal(options.fieldSelector.exact('metadata.name'), 'x');
  assert.equal(options.timeoutSeconds, 9);
  assert.equal(options.allowWatchBookmarks, true);
  const none = await list('');
  assert.deepEqual(
    [none.limit, none.continue, none.resourceVersion, none.labelSelector.empty, none.fieldSelector.empty],
    [0, '', '', true, true],
  );
  assert.equal(none.sendInitialEvents, undefined);
});

test('readListOptions() reads integers as Go does', async () => {
  for (const [text, limit] of [
    ['%2B1', 1],
    ['001', 1],
    ['-3', 0],
    ['9223372036854775807', Number.MAX_SAFE_INTEGER],
    ['-9223372036854775808', 0],
  ] as const) {
    assert.equal((await list(`limit=${text}`)).limit, limit, text);
  }
  for (const text of ['', ' 1', '1.0', '0x1', '1_0', '1e1', 'é']) {
    assert.equal(
      await refusal(`limit=${encodeURIComponent(text)}`),
      `400 strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  assert.equal(
    await refusal('limit=9223372036854775808'),
    '400 strconv.ParseInt: parsing "9223372036854775808": value out of range',
  );
  assert.equal((await watch('timeoutSeconds=-2')).timeoutSeconds, -2);
});

test('readListOptions() tells the first mistake in the reference order', async () => {
  assert.match(await refusal('limit=x&timeoutSeconds=y'), /parsing "y"/);
  assert.match(await refusal('limit=x&labelSelector=a%20b'), /parsing "x"/);
  assert.match(
    await refusal('labelSelector=a%20b&fieldSelector=zz'),
    /^400 unable to parse requirement: found 'b'/,
  );
  assert.match(
    await refusal('labelSelector=a%20b&resourceVersionMatch=Exact'),
    /^400 unable to parse requirement/,
  );
  assert.match(await refusal('resourceVersionMatch=Exact&fieldSelector=zz%3Da'), /^422/);
  assert.match(await refusal('fieldSelector=zz%3Da&continue=x'), /^400 "zz" is not a known field selector/);
});

test('readListOptions() refuses options of lists that do not go together', async () => {
  const noVersion =
    'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided';
  const withContinue =
    'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided';
  const unsupported = (value: string): string =>
    `resourceVersionMatch: Unsupported value: "${value}": supported values: "Exact", "NotOlderThan", ""`;
  const exactZero =
    'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"';
  const initial = 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list';
  for (const [query, errors] of [
    ['resourceVersionMatch=Exact', noVersion],
    ['resourceVersionMatch=NotOlderThan&resourceVersion=', noVersion],
    ['resourceVersionMatch=exact&resourceVersion=1', unsupported('exact')],
    ['resourceVersionMatch=Foo', `[${noVersion}, ${unsupported('Foo')}]`],
    ['resourceVersionMatch=Exact&resourceVersion=0', exactZero],
    ['resourceVersionMatch=NotOlderThan&resourceVersion=1&continue=x', withContinue],
    ['resourceVersionMatch=Bar&continue=x', `[${noVersion}, ${withContinue}, ${unsupported('Bar')}]`],
    ['resourceVersionMatch=Exact&resourceVersion=0&continue=x', `[${withContinue}, ${exactZero}]`],
    ['sendInitialEvents=true', initial],
    ['sendInitialEvents=false', initial],
    ['sendInitialEvents=1&resourceVersionMatch=NotOlderThan', `[${noVersion}, ${initial}]`],
  ] as const) {
    assert.equal(await refusal(query), `422 ListOptions.meta.k8s.io "" is invalid: ${errors}`, query);
  }
  for (const query of [
    'resourceVersionMatch=&resourceVersion=1',
    'resourceVersionMatch=Exact&resourceVersion=00',
    'continue=x',
  ]) {
    assert.equal(await refusal(query), 'fine', query);
  }
});

test('readListOptions() completes a watch from now, and refuses what a watch can not have', async () => {
  assert.deepEqual(
    [
      (await watch('')).sendInitialEvents,
      (await watch('')).resourceVersionMatch,
      (await watch('resourceVersion=0')).sendInitialEvents,
    ],
    [true, 'NotOlderThan', true],
  );
  assert.equal((await watch('resourceVersion=5')).sendInitialEvents, undefined);
  assert.equal(
    (await watch('sendInitialEvents=0&resourceVersionMatch=NotOlderThan')).sendInitialEvents,
    false,
  );
  assert.equal((await watch('sendInitialEvents=&resourceVersionMatch=NotOlderThan')).sendInitialEvents, true);
  for (const [query, errors] of [
    [
      'sendInitialEvents=true',
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      'resourceVersionMatch=NotOlderThan',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
    [
      'resourceVersionMatch=Exact&sendInitialEvents=1&resourceVersion=4',
      '[resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    ],
    [
      'continue=x',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ],
  ] as const) {
    assert.equal(
      await refusal(query, { verb: 'watch' }),
      `422 ListOptions.meta.k8s.io "" is invalid: ${errors}`,
      query,
    );
  }
  assert.equal(await refusal('continue=x&resourceVersion=4', { verb: 'watch' }), 'fine');
});

test('readListOptions() lets others run while it reads a long selector', async () => {
  for (const [parameter, part] of [
    ['labelSelector', ',key=value'],
    ['fieldSelector', ',metadata.name!=x'],
  ] as const) {
    let turns = 0;
    const counting = setInterval(() => turns++, 0).unref();
    await list(`${parameter}=${part.repeat(100_000).slice(1)}`);
    clearInterval(counting);
    assert.ok(turns > 0, parameter);
  }
});

test('readListOptions() lets the name in a watch path be the field selector', async () => {
  const one = { verb: 'watch', name: 'two' } as const;
  const { fieldSelector } = await readListOptions(parseQuery(''), target(one));
  assert.equal(fieldSelector.exact('metadata.name'), 'two');
  const other = "400 fieldSelector metadata.name doesn't match requested name";
  assert.equal(await refusal('fieldSelector=metadata.name%3Dother', one), other);
  assert.equal(await refusal('fieldSelector=metadata.namespace%3Dx', one), other);
  assert.equal(await refusal('fieldSelector=metadata.name%3Dtwo', one), 'fine');
});

function target(part: Partial<ResourceTarget>): ResourceTarget {
  return { kind, verb: 'list', namespace: 'x', name: '', subresource: '', ...part };
}

function list(query: string): Promise<ListOptions> {
  return readListOptions(parseQuery(query), target({}));
}

function watch(query: string): Promise<ListOptions> {
  return readListOptions(parseQuery(query), target({ verb: 'watch' }));
}

async function refusal(query: string, part: Partial<ResourceTarget> = {}): Promise<string> {
  try {
    await readListOptions(parseQuery(query), target(part));
    return 'fine';
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return `${error.code} ${error.message}`;
  }
}
