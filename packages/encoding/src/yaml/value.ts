// One JSON value as the YAML the reference prints for it: block style, sorted keys, sequences as far left as their key.
//
//     {"a":[{"b":1,"c":[[]]}],"d":{}}      a:
//                                          - b: 1
//                                            c:
//                                            - []
//                                          d: {}
import type { ByteWriter } from '../json/writer.ts';
import { BlockWriter } from './blocks.ts';

export type YamlOptions = {
  /** The column the value begins at. */
  indent?: number;
  /** Write `- ` before the value. */
  asSequenceItem?: boolean;
  /** How many brackets stand around the value in the whole JSON: they count for how deep it may be. */
  enclosing?: number;
};

/**
 * Appends whole lines to `out`. `json` is compact and valid.
 * @throws YamlError when YAML can't show the value; nothing has been written then
 */
export function encodeYaml(json: Uint8Array, out: ByteWriter, options: YamlOptions = {}): void {
  const { indent = 0, asSequenceItem = false, enclosing = 0 } = options;
  writer.write(json, out, indent, asSequenceItem, enclosing);
}

/** A value is written from end to end without waiting, so one writer's buffers do for all of them. */
const writer = new BlockWriter();
