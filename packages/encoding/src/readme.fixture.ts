// The README's examples, and what a server made of them must answer.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** Each block of JavaScript by the name of the file that it says it is; servers listen on any free port. */
export function readReadme(): { text: string; blocks: ReadonlyMap<string, string> } {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const found = text.matchAll(/```js\n\/\/ ([\w-]+\.js)\n(.*?)```/gs);
  const blocks = new Map(
    [...found].map(([, name = '', code = '']) => [name, code.replaceAll('8080', '0')] as const),
  );
  return { text, blocks };
}

export async function checkThings(url: string): Promise<void> {
  const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  assert.equal(plain.headers.get('content-encoding'), null);
  const text = await plain.text();
  const list = JSON.parse(text) as { kind: string; items: { metadata: { name: string } }[] };
  assert.equal(list.kind, 'ThingList');
  assert.equal(list.items.length, 100_000);
  assert.equal(list.items[99_999]?.metadata.name, 'item-99999');
  const compressed = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(compressed.headers.get('content-encoding'), 'gzip');
  assert.equal(await compressed.text(), text);
}
