// Watches over real connections, against the same model as lists: every change once, in order, and an end that is one.
import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CONFIG_MAPS,
  eventText,
  Model,
  WIDGET_DEFINITION,
  WIDGETS,
  withRevision,
} from './list-model.fixture.ts';
import { connect, PROTOCOLS, type Protocol, type Running, readAll, startRunning } from './running.fixture.ts';

type World = {
  running: Running;
  configMaps: Model;
  widgets: Model;
  watch(path: string, query: string): Promise<Lines>;
};

for (const protocol of PROTOCOLS) {
  test(`a watch from a resourceVersion tells what came after it, ${protocol}`, async (t) => {
    const { configMaps, widgets, watch } = await open(t, protocol);
    for (const listed of [CONFIG_MAPS, WIDGETS]) {
      const model = listed.custom ? widgets : configMaps;
      const from = await model.put('a', 'before', 'x', 3);
      const created = await expectChange(model, listed, 'ADDED', 'a', 'one');
      const lines = await watch(listed.path, `resourceVersion=${from}`);
      assert.equal(await lines.next(), created);
      for (const type of ['MODIFIED', 'MODIFIED', 'DELETED', 'ADDED'] as const) {
        const expected = await expectChange(model, listed, type, 'a', 'one');
        assert.equal(await lines.next(), expected);
      }
      await lines.cancel();
    }
  });

  test(`a watch begins with the state if it is asked to, and says where that ends, ${protocol}`, async (t) => {
    const { running, configMaps, watch } = await open(t, protocol);
    const names = Array.from({ length: 700 }, (_, i) => `n${1000 + i}`);
    for (const name of names) await configMaps.put('a', name, 'x', 40);
    const revision = running.cache.revision;
    const asked = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    for (const [query, hasEnd] of [
      [`${asked}&allowWatchBookmarks=true`, true],
      [asked, false],
      ['resourceVersion=0', false],
      ['resourceVersion=00&allowWatchBookmarks=true', false],
      ['', false],
    ] as const) {
      const lines = await watch('/api/v1/namespaces/a/configmaps', query);
      for (const name of names) {
        assert.equal(await lines.next(), eventText(CONFIG_MAPS, 'ADDED', configMaps.item('a', name)));
      }
      if (hasEnd) {
        const { type, object } = JSON.parse(await lines.next());
        assert.equal(type, 'BOOKMARK');
        assert.equal(object.metadata.resourceVersion, String(revision));
        assert.deepEqual(object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' });
      }
      const expected = await expectChange(configMaps, CONFIG_MAPS, 'ADDED', 'a', 'zzz');
      assert.equal(await lines.next(), expected);
      await configMaps.remove('a', 'zzz');
      await lines.cancel();
    }
  });

  test(`a watch of negative time ends at once, with nothing told, ${protocol}`, async (t) => {
    const { configMaps, watch } = await open(t, protocol);
    await configMaps.put('a', 'one', 'x', 3);
    for (const query of ['', 'allowWatchBookmarks=true', 'resourceVersion=1']) {
      const lines = await watch('/api/v1/namespaces/a/configmaps', `timeoutSeconds=-1&${query}`);
      assert.equal(await lines.rest(), '', query);
    }
  });

  test(`objects enter and leave a watch's selectors, ${protocol}`, async (t) => {
    const { configMaps, watch } = await open(t, protocol);
    const from = await configMaps.put('a', 'first', 'other', 1);
    const byLabel = await watch(CONFIG_MAPS.path, `resourceVersion=${from}&labelSelector=app%3Dmine`);
    const byField = await watch(
      CONFIG_MAPS.path,
      `resourceVersion=${from}&fieldSelector=metadata.name%3Dthis`,
    );
    const inNamespace = await watch('/api/v1/namespaces/b/configmaps', `resourceVersion=${from}`);
    await configMaps.put('a', 'this', 'other', 1);
    const plain = configMaps.item('a', 'this');
    await configMaps.put('a', 'this', 'mine', 1);
    const mine = configMaps.item('a', 'this');
    const left = await configMaps.put('a', 'this', 'other', 1);
    const again = configMaps.item('a', 'this');
    await configMaps.put('b', 'that', 'mine', 1);
    const that = configMaps.item('b', 'that');
    const gone = await configMaps.remove('b', 'that');
    const event = (type: string, item: string): string => eventText(CONFIG_MAPS, type, item);
    for (const expected of [
      event('ADDED', mine),
      event('DELETED', withRevision(mine, left)),
      event('ADDED', that),
      event('DELETED', withRevision(that, gone)),
    ]) {
      assert.equal(await byLabel.next(), expected);
    }
    for (const expected of [event('ADDED', plain), event('MODIFIED', mine), event('MODIFIED', again)]) {
      assert.equal(await byField.next(), expected);
    }
    for (const expected of [event('ADDED', that), event('DELETED', withRevision(that, gone))]) {
      assert.equal(await inNamespace.next(), expected);
    }
    for (const lines of [byLabel, byField, inNamespace]) await lines.cancel();
  });

  test(`a watch catches up with thousands of missed changes while more are made, ${protocol}`, async (t) => {
    const { running, configMaps, watch } = await open(t, protocol);
    const from = running.cache.revision;
    const expected: string[] = [];
    for (let i = 0; i < 3000; i++)
      expected.push(await expectChange(configMaps, CONFIG_MAPS, 'ADDED', 'a', `m${i}`));
    const lines = await watch(CONFIG_MAPS.path, `resourceVersion=${from}`);
    const writing = (async () => {
      for (let i = 0; i < 500; i++) {
        expected.push(await expectChange(configMaps, CONFIG_MAPS, 'ADDED', 'a', `later${i}`));
        if (i % 20 === 0) await pause(1);
      }
    })();
    for (let i = 0; i < 3500; i++) assert.equal(await lines.next(), expected[i], `event ${i}`);
    await writing;
    await lines.cancel();
  });

  test(`a watch ends when its time is over, with a bookmark before, ${protocol}`, async (t) => {
    const { running, configMaps, watch } = await open(t, protocol);
    const from = running.cache.revision;
    const short = await watch(CONFIG_MAPS.path, `resourceVersion=${from}&timeoutSeconds=1`);
    assert.equal(await short.rest(), '');
    const query = `resourceVersion=${from}&timeoutSeconds=3&allowWatchBookmarks=true&labelSelector=app%3Dmine`;
    const lines = await watch(CONFIG_MAPS.path, query);
    const revision = await configMaps.put('a', 'other', 'other', 1);
    const { type, object } = JSON.parse(await lines.next());
    assert.deepEqual(
      [type, object.kind, object.metadata.resourceVersion],
      ['BOOKMARK', 'ConfigMap', `${revision}`],
    );
    assert.equal(await lines.rest(), '');
  });

  test(`a watcher that doesn't read is ended; what it was told has no holes, ${protocol}`, async (t) => {
    const { running, configMaps, watch } = await open(t, protocol);
    const lines = await watch(CONFIG_MAPS.path, `resourceVersion=${running.cache.revision}`);
    const expected: string[] = [];
    for (let i = 0; i < 400; i++) {
      expected.push(await expectChange(configMaps, CONFIG_MAPS, 'ADDED', 'a', `s${i}`, 10_000));
      await pause(1);
    }
    const told = await lines.rest();
    const whole = expected.join('');
    assert.ok(told.length < whole.length, 'it was ended');
    assert.ok(whole.startsWith(told) && told.endsWith('}\n'), 'whole events from the first on');
  });

  test(`a server that stops ends its watches as if their time was over, ${protocol}`, async (t) => {
    const { running, configMaps, watch } = await open(t, protocol);
    const from = running.cache.revision;
    const lines = await Promise.all(
      Array.from({ length: 20 }, () => watch(CONFIG_MAPS.path, `resourceVersion=${from}`)),
    );
    const expected = await expectChange(configMaps, CONFIG_MAPS, 'ADDED', 'a', 'last');
    for (const one of lines) assert.equal(await one.next(), expected);
    const closed = running.server.close();
    for (const one of lines) assert.equal(await one.rest(), '');
    await closed;
  });

  test(`a watch from before what is remembered is told so, ${protocol}`, async (t) => {
    const { configMaps, running, watch } = await open(t, protocol);
    const from = await configMaps.put('a', 'first', 'x', 1);
    while (running.cache.floor <= from) await configMaps.put('b', 'large', 'x', 200_000);
    const lines = await watch(CONFIG_MAPS.path, `resourceVersion=${from}`);
    const { type, object } = JSON.parse(await lines.next());
    assert.deepEqual([type, object.kind, object.code, object.reason], ['ERROR', 'Status', 410, 'Expired']);
    assert.equal(await lines.rest(), '');
  });
}

/** Makes the change; gives the line that tells it. */
async function expectChange(
  model: Model,
  listed: typeof CONFIG_MAPS,
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  namespace: string,
  name: string,
  words = 5,
): Promise<string> {
  if (type === 'DELETED') {
    const item = model.item(namespace, name);
    return eventText(listed, type, withRevision(item, await model.remove(namespace, name)));
  }
  await model.put(namespace, name, 'x', words);
  return eventText(listed, type, model.item(namespace, name));
}

class Lines {
  readonly #body: Readable;
  readonly #chunks: AsyncIterator<Buffer>;
  #text = '';

  constructor(body: Readable) {
    this.#body = body;
    this.#chunks = body.setEncoding('utf8')[Symbol.asyncIterator]();
  }

  /** The next line, with its end. */
  async next(): Promise<string> {
    for (let end = this.#text.indexOf('\n'); ; end = this.#text.indexOf('\n')) {
      if (end >= 0) {
        const line = this.#text.slice(0, end + 1);
        this.#text = this.#text.slice(end + 1);
        return line;
      }
      const { value, done } = await this.#chunks.next();
      assert.ok(!done, 'the watch has ended');
      this.#text += value;
    }
  }

  /** All that comes until the watch ends; rejects when it was cut. */
  async rest(): Promise<string> {
    for (;;) {
      const { value, done } = await this.#chunks.next();
      if (done) return this.#text;
      this.#text += value;
    }
  }

  async cancel(): Promise<void> {
    this.#body.on('error', () => {});
    this.#body.destroy();
  }
}

async function open(t: TestContext, protocol: Protocol): Promise<World> {
  const running = await startRunning();
  const client = connect(protocol, running.server.port);
  t.after(async () => {
    client.close();
    await running.close();
  });
  const { body } = await client.open('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(WIDGET_DEFINITION),
  });
  await readAll(body);
  return {
    running,
    configMaps: new Model(running.store, CONFIG_MAPS),
    widgets: new Model(running.store, WIDGETS),
    async watch(path, query) {
      const { status, headers, body } = await client.open(`${path}?watch=true&${query}`);
      assert.deepEqual([status, headers['content-type']], [200, 'application/json']);
      return new Lines(body);
    },
  };
}
