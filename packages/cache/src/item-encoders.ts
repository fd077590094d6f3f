// What a form does to one item: item bytes as stored → as shown → as spelled, behind the separator.
import {
  ByteWriter,
  cborFrame,
  encodeCbor,
  encodeCborItem,
  encodeYamlItem,
  Indenter,
  itemHead,
  watchFrame,
  YamlError,
} from '@sluice/encoding';
import {
  cborForm,
  convert,
  customKinds,
  type Kind,
  type Kinds,
  openKinds,
  partialMessage,
  partialObject,
  protobufCodec,
  tableOf,
  writePartialObject,
} from '@sluice/resources';
import {
  type EventEncoding,
  type Form,
  FormError,
  type FormKind,
  groupVersionOf,
  isConverted,
} from './forms.ts';

/** Forms whose encoders are kept ready; one more and all are made anew when they are next needed. */
const ENCODERS_MAX = 64;

/**
 * Appends the item, its separator before it. A row has marks where ages go: times they are counted from are appended to
 * `times`. Throws FormError when it can't be shown.
 */
export type ItemEncoder = (item: Uint8Array, out: ByteWriter, times: number[]) => void;

export function encoderOf(form: Form): ItemEncoder {
  let encoder = encoders.get(form.key);
  if (!encoder) {
    encoder = openEncoder(form);
    if (encoders.size >= ENCODERS_MAX) encoders.clear();
    encoders.set(form.key, encoder);
  }
  return encoder;
}

const encoders = new Map<string, ItemEncoder>();

function openEncoder(form: Form): ItemEncoder {
  const direct = directEncoder(form);
  if (direct) return direct;
  const show = viewOf(form);
  const spell = spellingOf(form);
  return (item, out, times) => spell(show(item, times), out);
}

/** Those that get along without the JSON of what they show. */
function directEncoder(form: Form): ItemEncoder | undefined {
  const { view, encoding, kind } = form;
  if (view.shows === 'row' && encoding === 'json') {
    const write = rowWriter(form);
    return (item, out, times) => write(item, out.bytes(COMMA), times);
  }
  if (view.shows !== 'metadata') return undefined;
  if (encoding === 'json') {
    return (item, out) => writePartialObject(out.bytes(COMMA), item, view.version, kind.custom);
  }
  if (encoding === 'protobuf' && !kind.custom) return protobufItems(form, partialMessage);
  return undefined;
}

type ShownKind = Pick<FormKind, 'group' | 'version' | 'kind' | 'custom'>;

/** What is shown of an item, as JSON → its bytes. */
type Spelling = (shown: Uint8Array, out: ByteWriter) => void;

function spellingOf(form: Form): Spelling {
  switch (form.encoding) {
    case 'json':
      return (shown, out) => void out.bytes(COMMA).bytes(shown);
    case 'pretty':
      return indented;
    case 'yaml':
      return yaml;
    case 'protobuf':
      return protobuf(form);
    case 'cbor':
      return cbor(form);
    default:
      return eventSpelling(form, form.encoding);
  }
}

const COMMA = Buffer.from(',');
/** Lists hold their items two levels deep. */
const ITEM_DEPTH = 2;
const PRETTY_SEPARATOR = Buffer.from(`,\n${'  '.repeat(ITEM_DEPTH)}`);

function indented(shown: Uint8Array, out: ByteWriter): void {
  const using = indenter ?? new Indenter(ITEM_DEPTH);
  // Behind a whole item it is where it began; one that was stopped in the middle is not used again.
  indenter = undefined;
  out.bytes(PRETTY_SEPARATOR);
  for (const piece of using.indent(shown)) out.bytes(piece);
  indenter = using;
}

let indenter: Indenter | undefined;

/**
 * Objects indented, each behind its separator, in pieces that are good until the next one is asked for: for those that
 * are too long to be held, as deep nesting makes them.
 */
export function* indentedPieces(form: Form, items: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  const show = viewOf(form);
  for (const item of items) {
    yield PRETTY_SEPARATOR;
    yield* new Indenter(ITEM_DEPTH).indent(show(item, []));
  }
}

function yaml(shown: Uint8Array, out: ByteWriter): void {
  try {
    encodeYamlItem(shown, out);
  } catch (error) {
    throw error instanceof YamlError ? new FormError(error.message) : error;
  }
}

function protobuf(form: Form): Spelling {
  const shown = shownKind(form.kind, form.view);
  const codec = protobufCodec(shown);
  if (!codec) throw new Error(`${shown.kind} has no Protobuf form`);
  return protobufItems(form, codec.message);
}

function protobufItems({ view }: Form, messageOf: (item: Uint8Array) => Uint8Array): Spelling {
  // meta.k8s.io/v1beta1 has the list's items in another field than all other lists.
  const layout = view.shows === 'metadata' && view.version === 'v1beta1' ? 'items-first' : 'usual';
  return (item, out) => {
    const message = messageOf(item);
    out.bytes(itemHead(message.length, layout)).bytes(message);
  };
}

function cbor({ kind, view }: Form): Spelling {
  const shown = shownKind(kind, view);
  const members = shown.custom ? undefined : cborForm(shown);
  return (item, out) => encodeCborItem(item, out, members);
}

/** Whole objects, kind and apiVersion in front: metadata alone has them already, and so have custom resources. */
function eventSpelling({ kind, view }: Form, encoding: EventEncoding): Spelling {
  const shown = shownKind(kind, view);
  const isWhole = kind.custom || view.shows === 'metadata';
  const front = Buffer.from(`{"kind":"${shown.kind}","apiVersion":"${groupVersionOf(shown)}",`);
  const object = (item: Uint8Array): Uint8Array =>
    isWhole ? item : Buffer.concat([front, item.subarray(1)]);
  switch (encoding) {
    case 'json-event':
      return (item, out) => void out.bytes(EVENT_HEAD).bytes(object(item)).bytes(EVENT_END);
    case 'protobuf-event': {
      const codec = protobufCodec(shown);
      if (!codec) throw new Error(`${shown.kind} has no Protobuf form`);
      return (item, out) => void out.bytes(watchFrame('ADDED', codec.encode(object(item))));
    }
    case 'cbor-event': {
      const members = shown.custom || view.shows === 'metadata' ? undefined : cborForm(shown);
      return (item, out) => void out.bytes(cborFrame('ADDED', encodeCbor(object(item), members)));
    }
  }
}

const EVENT_HEAD = Buffer.from('{"type":"ADDED","object":');
const EVENT_END = Buffer.from('}\n');

function shownKind({ group, version, kind, custom }: FormKind, view: Form['view']): ShownKind {
  if (view.shows !== 'metadata') return { group, version, kind, custom };
  return { group: 'meta.k8s.io', version: view.version, kind: 'PartialObjectMetadata', custom: false };
}

/** What is shown of an item, as JSON. */
type ShownItem = (item: Uint8Array, times: number[]) => Uint8Array;

function viewOf(form: Form): ShownItem {
  const { view, kind } = form;
  if (view.shows === 'metadata') return (item) => partialObject(item, view.version, kind.custom);
  if (view.shows === 'object') return isConverted(kind, view) ? askedKind(form).converted : (item) => item;
  const write = rowWriter(form);
  const row = new ByteWriter();
  return (item, times) => {
    row.cut(0);
    write(item, row, times);
    return row.take();
  };
}

/** Appends the row, without a separator. */
function rowWriter(form: Form): ItemEncoder {
  const { view } = form;
  if (view.shows !== 'row') throw new TypeError('no rows are shown');
  const { kind, converted } = askedKind(form);
  const table = tableOf(kind);
  return (item, out, times) => table.template(converted(item), out, times, view.include, view.version);
}

/** The kind that items are asked for as, and how they are brought into its version. */
function askedKind({ kind: asked, view, definition }: Form): {
  kind: Kind;
  converted: (item: Uint8Array) => Uint8Array;
} {
  const kinds = definition ? definedKinds(definition) : builtInKinds().all();
  const kind = kinds.find((other) => isOf(other, asked, groupVersionOf(asked)));
  if (!kind) throw new Error(`${asked.plural} are not served in ${groupVersionOf(asked)}`);
  return { kind, converted: isConverted(asked, view) ? converter(kind, kinds) : (item) => item };
}

/** From the stored version to the one asked for. */
function converter(kind: Kind, kinds: readonly Kind[]): (item: Uint8Array) => Uint8Array {
  // A custom kind's stored version need not be served; its conversion asks nothing of it.
  const stored = kinds.find((other) => isOf(other, kind, kind.storageVersion)) ?? { ...kind };
  return (item) => {
    const object = stored.codec.read(item);
    const metadata = object.get('metadata');
    const resourceVersion = metadata instanceof Map ? metadata.get('resourceVersion') : '';
    const { head, tail } = kind.codec.encode(convert(object, stored, kind));
    return Buffer.concat([head, Buffer.from(String(resourceVersion)), tail]);
  };
}

function isOf(kind: Kind, { plural }: Pick<Kind, 'plural'>, groupVersion: string): boolean {
  return kind.plural === plural && groupVersionOf(kind) === groupVersion;
}

function builtInKinds(): Kinds {
  opened ??= openKinds();
  return opened;
}

let opened: Kinds | undefined;

function definedKinds(definition: Uint8Array): readonly Kind[] {
  const { codec } = builtInKinds().find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')!;
  return customKinds(codec.read(definition));
}
