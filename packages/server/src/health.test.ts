// Health pages as kube-apiserver writes them, whole and check by check, well and unwell.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerHealth, type HealthSources, healthPaths } from './health.ts';
import { parseQuery } from './query.ts';

const WELL: HealthSources = {
  store: () => null,
  cache: () => null,
  servingCertificate: () => null,
  isStopping: () => false,
};

test('answerHealth() says ok, or all it checked', () => {
  for (const page of ['healthz', 'livez', 'readyz']) assert.equal(ask(`/${page}`), '200 ok');
  assert.equal(
    ask('/livez?verbose'),
    '200 [+]ping ok\n[+]log ok\n[+]loopback-serving-certificate ok\n[+]etcd ok\nlivez check passed\n',
  );
  assert.match(
    ask('/readyz?verbose=1'),
    /^200 \[\+\]ping ok\n\[\+\]log ok\n\[\+\]etcd ok\n\[\+\]etcd-readiness ok\n\[\+\]informer-sync ok\n/,
  );
});

test('answerHealth() leaves checks out and tells which names it does not know', () => {
  const answer = ask('/healthz?verbose&exclude=etcd&exclude=nope');
  assert.match(answer, /\[\+\]etcd excluded: ok\n/);
  assert.match(
    answer,
    /\nwarn: some health checks cannot be excluded: no matches for "nope"\nhealthz check passed\n$/,
  );
  assert.equal(ask('/livez?exclude=nope'), '200 ok');
});

test('answerHealth() withholds the reason on the page and tells it at the check', () => {
  const unwell = { ...WELL, store: () => 'the disk is full' };
  assert.match(
    ask('/livez', unwell),
    /^500 (?:.*\n)*\[-\]etcd failed: reason withheld\nlivez check failed\n$/,
  );
  assert.equal(ask('/livez/etcd', unwell), '500 internal server error: the disk is full\n');
  assert.equal(ask('/livez?exclude=etcd', unwell), '200 ok');
  assert.match(ask('/readyz', { ...WELL, isStopping: () => true }), /\[-\]shutdown failed/);
});

test('answerHealth() has a path for each check and none for others', () => {
  for (const path of healthPaths(WELL)) assert.equal(ask(`${path}?verbose`).slice(0, 3), '200', path);
  assert.equal(ask('/readyz/etcd?verbose'), '200 ok');
  for (const path of ['/livez/nope', '/healthz/', '/nope']) assert.equal(ask(path), 'none', path);
});

function ask(target: string, sources: HealthSources = WELL): string {
  const [path = '', query = ''] = target.split('?');
  const answer = answerHealth(path, parseQuery(query), sources);
  return answer === undefined ? 'none' : `${answer.code} ${Buffer.from(answer.body)}`;
}
