// Metrics: what a request leaves behind, which labels it is given, and that a client can't make up new ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindsWithCustom } from './kinds.fixture.ts';
import { type Metrics, openMetrics, type RequestLabels, requestLabels } from './metrics.ts';
import { parseQuery } from './query.ts';
import { route } from './request.ts';
import { type RequestInfo, readRequestInfo } from './request-info.ts';

const kinds = kindsWithCustom();

test('requestLabels() names verb, kind and scope as kube-apiserver does', () => {
  for (const [method, target, expected] of [
    ['GET', '/api/v1/namespaces/x/configmaps', 'LIST//v1/configmaps//namespace'],
    ['GET', '/api/v1/configmaps?watch=1', 'WATCH//v1/configmaps//cluster'],
    ['GET', '/api/v1/configmaps?fieldSelector=metadata.name%3Da', 'LIST//v1/configmaps//resource'],
    ['POST', '/apis/apps/v1/namespaces/x/deployments', 'POST/apps/v1/deployments//resource'],
    ['PUT', '/apis/apps/v1/namespaces/x/deployments/d/status', 'PUT/apps/v1/deployments/status/resource'],
    ['DELETE', '/api/v1/namespaces/x/configmaps', 'DELETECOLLECTION//v1/configmaps//namespace'],
    ['GET', '/api/v1/namespaces/x/made-up', 'GET/////'],
    ['FOO', '/made-up', 'OTHER/////'],
  ] as const) {
    const { verb, group, version, resource, subresource, scope } = labels(method, target);
    assert.equal([verb, group, version, resource, subresource, scope].join('/'), expected, target);
  }
});

test('openMetrics() counts, times and weighs a request', async (t) => {
  const metrics = opened(t);
  const end = metrics.begin(labels('GET', '/api/v1/namespaces/x/configmaps'));
  assert.match(await text(metrics), /apiserver_current_inflight_requests\{request_kind="readOnly"\} 1\n/);
  end({ code: 200, bytes: 5000 });
  const shown = await text(metrics);
  assert.match(shown, /apiserver_current_inflight_requests\{request_kind="readOnly"\} 0\n/);
  assert.match(shown, /apiserver_request_total\{.*resource="configmaps".*code="200"\} 1\n/);
  assert.match(shown, /apiserver_response_sizes_bucket\{le="1000",.*\} 0\n/);
  assert.match(shown, /apiserver_response_sizes_bucket\{le="10000",.*\} 1\n/);
  assert.match(shown, /apiserver_request_duration_seconds_count\{.*\} 1\n/);
});

test('openMetrics() counts watches apart', async (t) => {
  const metrics = opened(t);
  const end = metrics.begin(labels('GET', '/api/v1/configmaps?watch=1'));
  assert.match(await text(metrics), /apiserver_longrunning_requests\{.*resource="configmaps".*\} 1\n/);
  end({ code: 200, bytes: 0 });
  assert.match(await text(metrics), /apiserver_longrunning_requests\{.*resource="configmaps".*\} 0\n/);
});

test('openMetrics() reads gauges when they are asked for', async (t) => {
  const metrics = opened(t);
  let bytes = 1;
  metrics.gauge('sluice_twin_bytes', 'Bytes of twins.', () => bytes);
  metrics.counter('sluice_twin_evictions_total', 'Twins given up.', () => 7);
  bytes = 42;
  const shown = await text(metrics);
  assert.match(shown, /\nsluice_twin_bytes 42\n/);
  assert.match(shown, /\nsluice_twin_evictions_total 7\n/);
  assert.match(await text(metrics), /\nsluice_twin_evictions_total 7\n/);
  assert.match(shown, /^# HELP /);
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_eventloop_lag_recent_max_seconds',
    'nodejs_gc_seconds_total',
  ]) {
    assert.ok(Number(new RegExp(`\n${name} ([0-9.e-]+)\n`).exec(shown)?.[1]) >= 0, name);
  }
});

function opened(t: { after(end: () => void): void }): Metrics {
  const metrics = openMetrics();
  t.after(() => metrics.close());
  return metrics;
}

async function text(metrics: Metrics): Promise<string> {
  return Buffer.from((await metrics.answer()).body).toString();
}

function labels(method: string, target: string): RequestLabels {
  const [path = '', query = ''] = target.split('?');
  const info = readRequestInfo(method, path, parseQuery(query)) as RequestInfo;
  return requestLabels(route(info, method, kinds), info.name, method, false);
}
