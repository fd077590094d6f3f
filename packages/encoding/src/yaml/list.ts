// A list as YAML, item by item: the bytes are those of encoding the whole list at once.
//
//     apiVersion: v1                 head
//     items:
//     - metadata:                    an item
//         name: a
//     - metadata:                    another
//         name: b
//     kind: PodList                  tail
//     metadata:
//       resourceVersion: "12"
import { ByteWriter } from '../json/writer.ts';
import { yamlProblem } from './problem.ts';
import { encodeYaml } from './value.ts';

export type YamlListFrame = {
  /** What stands before the first item. */
  head: Uint8Array;
  /** What stands behind the last. */
  tail: Uint8Array;
  /** The whole list, when it has no items. */
  empty: Uint8Array;
};

/** The object and the array around an item. */
const ENCLOSING = 2;

/**
 * `list` is the list's JSON with `"items":[]`.
 * @throws YamlError when YAML can't show what stands around the items
 */
export function yamlListFrame(list: Uint8Array): YamlListFrame {
  const out = new ByteWriter();
  encodeYaml(list, out);
  const empty = Buffer.from(out.take());
  const at = itemsLine(empty);
  return {
    head: Buffer.concat([empty.subarray(0, at), HEAD_END]),
    tail: empty.subarray(at + EMPTY_ITEMS.length),
    empty,
  };
}

/** @throws YamlError when YAML can't show the item */
export function encodeYamlItem(item: Uint8Array, out: ByteWriter): void {
  encodeYaml(item, out, { asSequenceItem: true, enclosing: ENCLOSING });
}

/** The error with which the reference refuses a list that holds this item, if it does. */
export function yamlItemProblem(item: Uint8Array): string | undefined {
  return yamlProblem(item, ENCLOSING);
}

const EMPTY_ITEMS = 'items: []\n';
const HEAD_END = Buffer.from('items:\n');

/** Where the list's own `items` stand: only its keys begin lines, all else is indented. */
function itemsLine(yaml: Buffer): number {
  if (yaml.indexOf(EMPTY_ITEMS) === 0) return 0;
  const at = yaml.indexOf(`\n${EMPTY_ITEMS}`);
  if (at < 0) throw new RangeError('a list without empty items');
  return at + 1;
}
