// Where kinds get their codecs from.
import type { Codec } from './kind.ts';

export function builtInCodec(
  typeName: string,
  _kind: { group: string; version: string; kind: string },
): Codec {
  throw new Error(`no codec for ${typeName}`);
}
