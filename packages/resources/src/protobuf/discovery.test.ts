// Discovery documents in Protobuf, byte for byte as kube-apiserver wrote them beside their JSON.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { encodeDiscoveryProtobuf } from './discovery.ts';

type Recorded = { path: string; json: string; protobuf: string };

const recorded = readFileSync(new URL('../../testdata/discovery-protobuf.ndjson', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

test('encodeDiscoveryProtobuf() makes of every document what kube-apiserver makes of it', () => {
  const kinds = new Set<string>();
  for (const { path, json, protobuf } of recorded) {
    const { kind } = JSON.parse(json) as { kind: string };
    kinds.add(kind);
    const made = Buffer.from(encodeDiscoveryProtobuf(Buffer.from(json)));
    assert.ok(made.equals(Buffer.from(protobuf, 'base64')), `${kind} of ${path}`);
  }
  assert.equal(kinds.size, 5);
});
