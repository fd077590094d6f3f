// Both forms of events and of autoscalers, against objects that kube-apiserver showed in both.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { convert } from './converters.ts';
import type { Kind } from './kind.ts';
import { openKinds } from './kinds.ts';

const kinds = openKinds();
const oldEvents = kindOf('', 'v1', 'events');
const newEvents = kindOf('events.k8s.io', 'v1', 'events');
const v1 = kindOf('autoscaling', 'v1', 'horizontalpodautoscalers');
const v2 = kindOf('autoscaling', 'v2', 'horizontalpodautoscalers');

const OLD =
  '{"kind":"Event","apiVersion":"v1","metadata":{"name":"e","namespace":"n"},"involvedObject":{"kind":"Pod","namespace":"n","name":"p","apiVersion":"v1"},"reason":"Started","message":"it \\"started\\" \\u0026 \\u003cruns\\u003e","source":{"component":"test"},"firstTimestamp":"2014-05-06T07:08:09Z","lastTimestamp":"2014-05-06T07:08:10Z","count":3,"type":"Normal","eventTime":null,"reportingComponent":"","reportingInstance":""}';
const NEW =
  '{"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"name":"e","namespace":"n"},"eventTime":null,"reason":"Started","regarding":{"kind":"Pod","namespace":"n","name":"p","apiVersion":"v1"},"note":"it \\"started\\" \\u0026 \\u003cruns\\u003e","type":"Normal","deprecatedSource":{"component":"test"},"deprecatedFirstTimestamp":"2014-05-06T07:08:09Z","deprecatedLastTimestamp":"2014-05-06T07:08:10Z","deprecatedCount":3}';

test('convert() shows an event in both groups', () => {
  assert.equal(converted(OLD, oldEvents, newEvents), item(NEW));
  assert.equal(converted(NEW, newEvents, oldEvents), item(OLD));
  assert.equal(converted(OLD, oldEvents, oldEvents), item(OLD));
});

test('convert() shows an autoscaler in both versions', () => {
  const file = new URL('../testdata/autoscalers.ndjson', import.meta.url);
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const shown: { v1: string; v2: string; sent?: string } = JSON.parse(line);
    assert.equal(converted(shown.v2, v2, v1), item(shown.v1));
    assert.equal(converted(shown.v1, v1, v2), item(afterAnnotations(shown.v2)));
    if (shown.sent === undefined) continue;
    const spec = (text: string): string => JSON.stringify(JSON.parse(text).spec);
    assert.equal(spec(converted(shown.sent, v1, v2)), spec(shown.v2));
  }
});

/**
 * What comes back from v1 isn't always what was there: CPU comes after the other metrics, and metrics that only
 * annotations hold leave CPU's default out.
 */
function afterAnnotations(v2Text: string): string {
  const object = JSON.parse(v2Text);
  const metrics: { resource?: { name: string } }[] = object.spec.metrics;
  const isCpu = (metric: { resource?: { name: string } }): boolean => metric.resource?.name === 'cpu';
  object.spec.metrics = [...metrics.filter((metric) => !isCpu(metric)), ...metrics.filter(isCpu)];
  return JSON.stringify(object);
}

function converted(text: string, from: Kind, to: Kind): string {
  const object = from.codec.decode(Buffer.from(text)).object;
  const { head, tail } = to.codec.encode(convert(object, from, to));
  return `${Buffer.from(head)}5${Buffer.from(tail)}`;
}

/** The item bytes a codec writes: no kind and apiVersion, the revision put in. */
function item(text: string): string {
  const object = JSON.parse(text);
  const kind =
    object.apiVersion === 'v1' ? oldEvents : (kinds.all().find(isOf(object.apiVersion, object.kind)) ?? v2);
  const { head, tail } = kind.codec.encode(kind.codec.decode(Buffer.from(text)).object);
  return `${Buffer.from(head)}5${Buffer.from(tail)}`;
}

function isOf(apiVersion: string, name: string): (kind: Kind) => boolean {
  return ({ group, version, kind }) => `${group}/${version}` === apiVersion && kind === name;
}

function kindOf(group: string, version: string, plural: string): Kind {
  const kind = kinds.find(group, version, plural);
  assert.ok(kind);
  return kind;
}
