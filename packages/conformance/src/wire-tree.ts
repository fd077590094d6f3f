// Protobuf bytes as a tree, without a schema: [field, value] pairs in the order of the wire.

/**
 *   varint → bigint            fixed64, fixed32 → hex text
 *   length-delimited → text when it is printable, else a tree when it parses as a message, else hex
 */
export type WireValue = bigint | string | WireTree;
export type WireTree = (WireValue | number)[];

const ENVELOPE = 'k8s\0';

/** The tree of a body: `k8s` marks the four bytes that stand before Kubernetes' envelope. */
export function protobufTree(bytes: Buffer): WireTree {
  return hasEnvelope(bytes) ? ['k8s', messageTree(bytes.subarray(4))] : ['raw', messageTree(bytes)];
}

/**
 * Without a schema, any digits in field 6 of ObjectMeta or field 2 of ListMeta count as a resourceVersion, and
 * field 17 with members as managedFields.
 */
export function settleWire(value: unknown, ignore: readonly string[]): unknown {
  if (!Array.isArray(value)) return value;
  const dropsFields = ignore.includes('managedFields');
  return value
    .filter((pair) => !(dropsFields && Array.isArray(pair) && pair[0] === 17 && Array.isArray(pair[1])))
    .map((pair) => (isRevision(pair) ? [pair[0], '<rv>'] : settleWire(pair, ignore)));
}

function isRevision(pair: unknown): pair is [number, string] {
  if (!Array.isArray(pair) || (pair[0] !== 2 && pair[0] !== 6)) return false;
  return typeof pair[1] === 'string' && /^\d+$/.test(pair[1]);
}

function hasEnvelope(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).toString('latin1') === ENVELOPE;
}

function messageTree(bytes: Buffer): WireTree {
  const tree: WireTree = [];
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('length');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift <= 63n; shift += 7n) {
      const byte = take(1)[0]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new Error('varint');
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const field = tag >> 3;
    if (field === 0) throw new Error('field 0');
    tree.push([field, wireValue(tag & 7, varint, take)]);
  }
  return tree;
}

function wireValue(type: number, varint: () => bigint, take: (length: number) => Buffer): WireValue {
  if (type === 0) return varint();
  if (type === 1) return take(8).toString('hex');
  if (type === 5) return take(4).toString('hex');
  if (type === 2) return delimitedValue(take(Number(varint())));
  throw new Error('wire type');
}

function delimitedValue(bytes: Buffer): WireValue {
  if (hasEnvelope(bytes)) {
    const inner = tryMessage(bytes.subarray(4));
    if (inner) return ['k8s', inner];
  }
  const text = bytes.toString('utf8');
  const isText = !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text);
  if (bytes.length > 0 && (!isText || bytes[0]! < 32)) {
    const message = tryMessage(bytes);
    if (message) return message;
  }
  return isText ? text : `hex:${bytes.toString('hex')}`;
}

function tryMessage(bytes: Buffer): WireTree | undefined {
  try {
    return messageTree(bytes);
  } catch {
    return undefined;
  }
}
