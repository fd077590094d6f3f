// What a form does to one item: item bytes as stored → as shown → as spelled, behind the separator.
import { type ByteWriter, Indenter } from '@sluice/encoding';
import {
  convert,
  customKinds,
  type Kind,
  type Kinds,
  openKinds,
  partialObject,
  tableOf,
} from '@sluice/resources';
import { type Form, groupVersionOf, isConverted } from './forms.ts';

/** Forms whose encoders are kept ready; one more and all are made anew when they are next needed. */
const ENCODERS_MAX = 64;

/** Appends the item, its separator before it. `now` is asked for by rows. Throws FormError when it can't be shown. */
export type ItemEncoder = (item: Uint8Array, out: ByteWriter, now: number) => void;

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
  const show = viewOf(form);
  const spell = SPELLINGS[form.encoding];
  return (item, out, now) => spell(show(item, now), out);
}

const COMMA = Buffer.from(',');
/** Lists hold their items two levels deep. */
const ITEM_DEPTH = 2;
const PRETTY_SEPARATOR = Buffer.from(`,\n${'  '.repeat(ITEM_DEPTH)}`);

const SPELLINGS: Readonly<Record<Form['encoding'], (shown: Uint8Array, out: ByteWriter) => void>> = {
  json: (item, out) => {
    out.bytes(COMMA).bytes(item);
  },
  pretty: (item, out) => {
    out.bytes(PRETTY_SEPARATOR);
    for (const piece of new Indenter(ITEM_DEPTH).indent(item)) out.bytes(piece);
  },
};

/** What is shown of an item, as JSON. */
type ShownItem = (item: Uint8Array, now: number) => Uint8Array;

function viewOf({ view, kind: asked, definition }: Form): ShownItem {
  if (view.shows === 'metadata') return (item) => partialObject(item, view.version, asked.custom);
  if (view.shows === 'object' && !isConverted(asked, view)) return (item) => item;
  const kinds = definition ? definedKinds(definition) : builtInKinds().all();
  const kind = kinds.find((other) => isOf(other, asked, groupVersionOf(asked)));
  if (!kind) throw new Error(`${asked.plural} are not served in ${groupVersionOf(asked)}`);
  const converted = isConverted(asked, view) ? converter(kind, kinds) : (item: Uint8Array) => item;
  if (view.shows === 'object') return converted;
  const table = tableOf(kind);
  return (item, now) => table.row(converted(item), new Date(now), view.include, view.version);
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
