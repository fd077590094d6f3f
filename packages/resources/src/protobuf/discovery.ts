// The documents that tell of kinds, as Protobuf. Nobody sends them, and some of them say no apiVersion.
import { enclose, findMember, messageEncoder } from '@sluice/encoding';
import { messageOf } from './messages.ts';

/** @param json an APIVersions, APIGroup, APIGroupList, APIResourceList or APIGroupDiscoveryList */
export function encodeDiscoveryProtobuf(json: Uint8Array): Uint8Array {
  const kind = textOf(json, 'kind');
  const type = { kind, apiVersion: textOf(json, 'apiVersion') };
  return enclose(type, encoderOf(kind)(json));
}

/** Neither member ever has a character that is escaped. */
function textOf(json: Uint8Array, name: string): string {
  const held = findMember(json, 0, name);
  return held ? Buffer.from(json.subarray(held.start + 1, held.end - 1)).toString('latin1') : '';
}

function encoderOf(kind: string): (json: Uint8Array) => Uint8Array {
  let encoder = encoders.get(kind);
  if (encoder === undefined) {
    const from = kind === 'APIGroupDiscoveryList' ? 'apidiscovery/v2' : 'meta/v1';
    encoder = messageEncoder(messageOf(`${from}.${kind}`));
    encoders.set(kind, encoder);
  }
  return encoder;
}

const encoders = new Map<string, (json: Uint8Array) => Uint8Array>();
