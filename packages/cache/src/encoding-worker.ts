// What an encoding thread runs: it is handed a copy of a leaf's JSON and hands back the bytes of its form.
import { parentPort } from 'node:worker_threads';
import { encodeLeaf } from './encode-leaf.ts';
import { type EncodingOrder, type EncodingReply, READY } from './encoding-orders.ts';
import type { Form } from './forms.ts';

const forms = new Map<string, Form>();

parentPort?.on('message', ({ id, form, forget, ...input }: EncodingOrder) => {
  if (forget) forms.clear();
  if (typeof form !== 'string') forms.set(form.key, form);
  try {
    const encoded = encodeLeaf(typeof form === 'string' ? forms.get(form)! : form, input);
    const { bytes, ends, holes } = encoded;
    const columns = holes ? [bytes, ends, holes.at, holes.times] : [bytes, ends];
    // Buffers of their own, see encodeLeaf(): handed over without a copy.
    reply(
      { id, encoded },
      columns.map(({ buffer }) => buffer as ArrayBuffer),
    );
  } catch (error) {
    reply({ id, error: String((error as Error).stack ?? error) });
  }
});

parentPort?.postMessage(READY);

function reply(message: EncodingReply, transfer: ArrayBuffer[] = []): void {
  parentPort!.postMessage(message, transfer);
}
