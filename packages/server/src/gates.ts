// Feature gates: what can be switched on and off when the server starts, with kube-apiserver's names and defaults.

export type GateName = keyof typeof GATES;
export type Gates = Readonly<Record<GateName, boolean>>;

export type Gate = { initial: boolean; help: string };

/** By name; a gate that is added gets its row here. */
export const GATES: {
  readonly CBORServingAndStorage: Gate;
  readonly StreamingCollectionEncodingToJSON: Gate;
  readonly StreamingCollectionEncodingToProtobuf: Gate;
} = {
  CBORServingAndStorage: { initial: false, help: 'answers and request bodies may be CBOR' },
  StreamingCollectionEncodingToJSON: {
    initial: true,
    help: 'lists in JSON are written piece by piece; without it each is gathered whole before its first byte is sent',
  },
  StreamingCollectionEncodingToProtobuf: { initial: true, help: 'the same of lists in Protobuf' },
};

export const DEFAULT_GATES: Gates = {
  CBORServingAndStorage: GATES.CBORServingAndStorage.initial,
  StreamingCollectionEncodingToJSON: GATES.StreamingCollectionEncodingToJSON.initial,
  StreamingCollectionEncodingToProtobuf: GATES.StreamingCollectionEncodingToProtobuf.initial,
};

/**
 * Reads `Name=true,Name2=false`; what isn't named stays as it is in `gates`, and of a name given twice the last counts.
 * @throws Error that says what can't be read
 */
export function parseGates(text: string, gates: Gates = DEFAULT_GATES): Gates {
  const read: Record<string, boolean> = { ...gates };
  for (const part of text.split(',')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    if (equals < 0) throw new Error(`missing bool value for ${part}`);
    const [name, value] = [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
    if (!Object.hasOwn(GATES, name)) {
      throw new Error(`unrecognized feature gate ${name}; there are ${Object.keys(GATES).join(', ')}`);
    }
    const isOn = BOOLS[value];
    if (isOn === undefined) throw new Error(`invalid value of ${part}: must be true or false`);
    read[name] = isOn;
  }
  return read as Gates;
}

/** What Go's strconv.ParseBool reads. */
const BOOLS: Readonly<Record<string, boolean>> = Object.assign(Object.create(null), {
  ...Object.fromEntries(['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true])),
  ...Object.fromEntries(['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false])),
});
