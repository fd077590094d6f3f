// What lists should say, from a plain model: a map of items, and bodies put together as text.
import type { Store } from '@sluice/storage';

/** A kind as its lists show it. */
export type Listed = { path: string; prefix: string; custom: boolean };

export const CONFIG_MAPS: Listed = {
  path: '/api/v1/configmaps',
  prefix: '/registry/configmaps/',
  custom: false,
};
export const WIDGETS: Listed = {
  path: '/apis/example.test/v1/widgets',
  prefix: '/registry/example.test/widgets/',
  custom: true,
};

/** What has to be created before there are widgets. */
export const WIDGET_DEFINITION: unknown = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.test' },
  spec: {
    group: 'example.test',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

type Item = { name: string; namespace: string; app: string; text: string };

/** A store and what was written to it, side by side. */
export class Model {
  readonly #store: Store;
  readonly #listed: Listed;
  /** By `namespace/name`. */
  #items: ReadonlyMap<string, Item> = new Map();
  readonly #modified = new Map<string, bigint>();

  constructor(store: Store, listed: Listed) {
    this.#store = store;
    this.#listed = listed;
  }

  /** Writes whatever there is now. */
  async put(namespace: string, name: string, app: string, words: number): Promise<bigint> {
    const key = `${namespace}/${name}`;
    let text = '';
    const value = (revision: bigint): Uint8Array => {
      text = itemText(this.#listed, { namespace, name, app, words }, revision);
      return Buffer.from(text);
    };
    const expect = this.#modified.get(key) ?? 0n;
    const { revision } = await this.#store.commit({ key: this.#listed.prefix + key, expect, value });
    this.#modified.set(key, revision);
    this.#items = new Map(this.#items).set(key, { name, namespace, app, text });
    return revision;
  }

  async remove(namespace: string, name: string): Promise<bigint> {
    const key = `${namespace}/${name}`;
    const expect = this.#modified.get(key)!;
    const { revision } = await this.#store.commit({ key: this.#listed.prefix + key, expect, value: null });
    this.#modified.delete(key);
    const items = new Map(this.#items);
    items.delete(key);
    this.#items = items;
    return revision;
  }

  /** The item as lists show it. */
  item(namespace: string, name: string): string {
    return this.#items.get(`${namespace}/${name}`)!.text;
  }

  has(namespace: string, name: string): boolean {
    return this.#items.has(`${namespace}/${name}`);
  }

  /** As it is now; later writes don't show. */
  snapshot(): Shown {
    return new Shown(this.#listed, this.#items);
  }
}

export type Wanted = {
  namespace?: string;
  name?: string;
  app?: string;
  limit?: number;
  /** The `namespace/name` after which the page begins. */
  after?: string;
};

export type Expected = { body: string; names: readonly string[]; last: string; continueToken: string };

/** Lists of one state. */
export class Shown {
  readonly #listed: Listed;
  readonly #sorted: readonly [string, Item][];

  constructor(listed: Listed, items: ReadonlyMap<string, Item>) {
    this.#listed = listed;
    this.#sorted = [...items].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** The compact body of the list. */
  list(revision: bigint, { namespace, name, app, limit, after = '' }: Wanted = {}): Expected {
    const inReach = this.#sorted.filter(
      ([key, item]) => key > after && (namespace === undefined || item.namespace === namespace),
    );
    const matching = inReach.filter(
      ([, item]) => (app === undefined || item.app === app) && (name === undefined || item.name === name),
    );
    const page = matching.slice(0, limit ?? matching.length);
    const last = page.at(-1)?.[0] ?? '';
    const left = page.length === limit ? inReach.filter(([key]) => key > last).length : 0;
    const start = namespace === undefined ? last : last.slice(namespace.length + 1);
    const continueToken = left === 0 ? '' : tokenText(revision, start);
    const remaining = left > 0 && app === undefined && name === undefined ? left : undefined;
    const items = page.map(([, { text }]) => text).join(',');
    return {
      body: listText(this.#listed, { revision, continueToken, remaining }, items),
      names: page.map(([key]) => key),
      last,
      continueToken,
    };
  }
}

function listText(
  { custom }: Listed,
  {
    revision,
    continueToken,
    remaining,
  }: { revision: bigint; continueToken: string; remaining?: number | undefined },
  items: string,
): string {
  const count = remaining === undefined ? '' : `"remainingItemCount":${remaining}`;
  if (custom) {
    const metadata = `{"continue":"${continueToken}",${count && `${count},`}"resourceVersion":"${revision}"}`;
    return `{"apiVersion":"example.test/v1","items":[${items}],"kind":"WidgetList","metadata":${metadata}}\n`;
  }
  const next = continueToken && `,"continue":"${continueToken}"`;
  const metadata = `{"resourceVersion":"${revision}"${next}${count && `,${count}`}}`;
  return `{"kind":"ConfigMapList","apiVersion":"v1","metadata":${metadata},"items":[${items}]}\n`;
}

export function tokenText(revision: bigint, start: string): string {
  return Buffer.from(`{"v":"meta.k8s.io/v1","rv":${revision},"start":"/${start}\\u0000"}`).toString(
    'base64url',
  );
}

/** A watch's line. */
export function eventText({ custom }: Listed, type: string, item: string): string {
  const object = custom ? item : `{"kind":"ConfigMap","apiVersion":"v1",${item.slice(1)}`;
  return `{"type":"${type}","object":${object}}\n`;
}

/** An item as a DELETED event shows it. */
export function withRevision(item: string, revision: bigint): string {
  return item.replace(/"resourceVersion":"[0-9]+"/, `"resourceVersion":"${revision}"`);
}

/** With what JavaScript would change if it read the object and wrote it again. */
function itemText(
  { custom }: Listed,
  { namespace, name, app, words }: { namespace: string; name: string; app: string; words: number },
  revision: bigint,
): string {
  const [uid, created] = ['11111111-2222-3333-4444-555555555555', '2026-01-02T03:04:05Z'];
  const annotations = '{"__proto__":"x","a":"\\u003c\\u0026\\u003e \\u2028 ž 🚿","b":"{}[],:\\\\\\""}';
  const text = noise(words, Number(revision));
  if (custom) {
    return `{"apiVersion":"example.test/v1","kind":"Widget","metadata":{"annotations":${annotations},"creationTimestamp":"${created}","generation":1,"labels":{"app":"${app}"},"name":"${name}","namespace":"${namespace}","resourceVersion":"${revision}","uid":"${uid}"},"spec":{"10":{},"9":[],"big":9007199254740993,"float":1.0,"text":"${text}"}}`;
  }
  return `{"metadata":{"name":"${name}","namespace":"${namespace}","uid":"${uid}","resourceVersion":"${revision}","creationTimestamp":"${created}","labels":{"app":"${app}"},"annotations":${annotations}},"data":{"10":"","9":"","text":"${text}"}}`;
}

/** Words that hardly repeat, the same for the same seed. */
function noise(words: number, seed: number): string {
  let state = seed * 2654435761 + 1;
  return Array.from({ length: words }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state.toString(36);
  }).join(' ');
}

/** JSON indented as Go does it: two spaces, empty ones inline, no newline at the end. */
export function indented(json: string): string {
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  return json.trimEnd().replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[[\]{},:]/g, (token) => {
    if (token === ':') return ': ';
    if (token === ',') return `,${line()}`;
    if (token === '{' || token === '[') {
      depth++;
      return token + line();
    }
    if (token === '}' || token === ']') {
      depth--;
      return line() + token;
    }
    return token;
  });
}

/** Fails with the place where two long texts part. */
export function assertSame(actual: Buffer, expected: string, what: string): void {
  const text = actual.toString();
  if (text === expected) return;
  let at = 0;
  while (text[at] === expected[at]) at++;
  const around = (whole: string): string => whole.slice(Math.max(0, at - 40), at + 60);
  throw new Error(`${what}: at ${at}: ${around(text)}, not ${around(expected)}`);
}
