// A list's Protobuf message taken apart: its items one by one, and what is left of it.

import { readTag } from './envelope.ts';
import { LENGTH_DELIMITED, WireReader } from './wire.ts';

export type ProtobufItems = {
  /** The list's message without its items. */
  rest: Uint8Array;
  /** The items' messages, views of the list. */
  items: readonly Uint8Array[];
};

/**
 * @param name the message's name for errors: `PodList`.
 * @throws ProtobufError
 */
export function splitProtobufList(name: string, message: Uint8Array): ProtobufItems {
  const reader = new WireReader(message);
  const items: Uint8Array[] = [];
  const rest: Uint8Array[] = [];
  while (reader.at < reader.end) {
    const start = reader.at;
    const { number, wire } = readTag(reader, name);
    if (number === ITEMS_FIELD && wire === LENGTH_DELIMITED) {
      const end = reader.delimited();
      items.push(message.subarray(reader.at, end));
      reader.at = end;
    } else {
      reader.at = start;
      reader.skip();
      rest.push(message.subarray(start, reader.at));
    }
  }
  return { rest: Buffer.concat(rest), items };
}

const ITEMS_FIELD = 2;
