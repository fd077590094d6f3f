// Holds what Sluice makes of a body to what the Go libraries made of it: the object read, and every representation of it.
import {
  ByteWriter,
  encodeCbor,
  encodeYaml,
  indentJson,
  type JsonValue,
  printText,
  sortedKeys,
  YamlError,
} from '@sluice/encoding';
import { readCborBody } from './cbor/body.ts';
import { cborForm } from './cbor/form.ts';
import { type Decoded, DecodeError } from './kind.ts';
import { partialObject } from './printers/partial-object.ts';
import { protobufCodec } from './protobuf/codec.ts';
import { builtInCodec } from './schema/built-in.ts';
import { decodeUnstructured } from './schema/custom.ts';
import { structPrinter } from './schema/printer.ts';
import { typeOfKind } from './schema/scheme.ts';
import { groupVersionText, type TypeMeta } from './schema/type-meta.ts';
import { respell } from './schema/untyped.ts';

/** What the Go libraries say, as `reference/differential` prints it; bytes are base64. */
export type Answer = {
  n: number;
  from: 'json' | 'protobuf' | 'cbor';
  custom?: boolean;
  group: string;
  version: string;
  kind: string;
  body: string;
  error?: string;
  strictErrors?: string[];
  json?: string;
  pretty?: string;
  yaml?: string;
  yamlError?: string;
  protobuf?: string;
  cbor?: string;
  cborError?: string;
  metadata?: string;
  metadataProtobuf?: string;
  stored?: string;
};

export type Difference = { what: string; wanted: string; got: string };

/** @param compared is told each thing that was compared. */
export function differences(answer: Answer, compared: (what: string) => void): Difference[] {
  const found: Difference[] = [];
  const check: Check = (what, wanted, make) => {
    if (wanted === undefined) return;
    compared(what);
    const [left, right] = [Buffer.from(wanted), Buffer.from(attempt(make))];
    if (!left.equals(right)) found.push({ what, ...around(left, right) });
  };
  const json = bytesOf(answer.json);
  // What can be read and not be printed: raw JSON in Protobuf that is none.
  if (answer.error === undefined && json === undefined) return found;
  const decoded = attemptDecode(answer);
  // A kind or version that is missing is found out about elsewhere: of CBOR later, of JSON earlier.
  if (answer.custom && /^Object '/.test(answer.error ?? decoded.error ?? '')) return found;
  const from = `${answer.custom ? 'custom ' : ''}${answer.from}`;
  check(`${from}: error`, answer.error ?? '', () => decoded.error ?? '');
  if (json === undefined || decoded.error !== undefined) return found;
  const strictErrors = answer.strictErrors ?? [];
  check(`${from}: strict errors`, strictErrors.join('\n'), () => decoded.strictErrors.join('\n'));
  // Where bytes that are no UTF-8 were, nothing of CBOR tells: keys with one may stand elsewhere.
  if (answer.custom && answer.from === 'cbor' && json.includes('\\ufffd')) return found;
  check(`${from}: JSON`, answer.custom ? spelledAlike(json) : json, () => `${decoded.json}\n`);
  check('stored', bytesOf(answer.stored), () => `${decoded.stored}\n`);
  checkRepresentations(answer, json.subarray(0, -1), check);
  return found;
}

/** Compares what Go made with what is made here, if Go made anything. */
type Check = (what: string, wanted: Uint8Array | string | undefined, make: () => Uint8Array | string) => void;

function checkRepresentations(answer: Answer, json: Buffer, check: Check): void {
  const kind = kindOf(answer);
  const custom = answer.custom === true;
  check('indented JSON', bytesOf(answer.pretty), () => indentJson(json));
  // Go reads half a KiB ahead: of two things that can't be shown it may tell the second.
  if (answer.yamlError !== undefined)
    check('YAML error', 'yaml: ', () => attempt(() => yamlOf(json)).slice(0, 6));
  const yaml = bytesOf(answer.yaml);
  check('YAML', yaml, () => likeOneOfGos(yamlOf(json), yaml!));
  const cbor = answer.cborError ?? bytesOf(answer.cbor);
  check('CBOR', cbor, () => encodeCbor(json, custom ? undefined : cborForm(kind)));
  const partial = (): Uint8Array => partialObject(json, 'v1', custom);
  const metadata = bytesOf(answer.metadata);
  check('metadata', metadata && spelledAlike(metadata), () => `${spelledAlike(partial())}\n`);
  check('metadata as Protobuf', bytesOf(answer.metadataProtobuf), () =>
    protobufCodec(PARTIAL)!.encode(partial()),
  );
  if (!custom) check('Protobuf', bytesOf(answer.protobuf), () => protobufCodec(kind)!.encode(json));
}

function bytesOf(base64: string | undefined): Buffer | undefined {
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

/** Go escapes what stands for a byte that is no UTF-8; of CBOR it is a character like others here. */
function spelledAlike(json: Uint8Array): string {
  return Buffer.from(json).toString().replaceAll('\\ufffd', '\ufffd');
}

const PARTIAL: TypeMeta = { group: 'meta.k8s.io', version: 'v1', kind: 'PartialObjectMetadata' };

type Read = { json: string; stored: string; strictErrors: readonly string[]; error?: string };

function attemptDecode(answer: Answer): Read {
  try {
    return decode(answer);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { json: '', stored: '', strictErrors: [], error: error.message };
  }
}

function decode(answer: Answer): Read {
  const body = Buffer.from(answer.body, 'base64');
  const kind = kindOf(answer);
  if (answer.custom) return decodeCustom(answer, body, kind);
  const typeName = typeOfKind(kind)!;
  const { object, strictErrors } = decodeBuiltIn(answer, body, kind, typeName);
  const print = structPrinter(typeName);
  const printStored = structPrinter(typeName, { sorted: false, emptyIsNull: true, item: false });
  const json = print(object);
  object.set('kind', kind.kind).set('apiVersion', groupVersionText(kind));
  return { json, stored: printStored(object), strictErrors };
}

function decodeBuiltIn({ from }: Answer, body: Buffer, kind: TypeMeta, typeName: string): Decoded {
  const codec = builtInCodec(typeName, kind);
  if (from === 'protobuf') return protobufCodec(kind)!.decode(body);
  return from === 'cbor' ? codec.decodeValue(readCborBody(body, kind)) : codec.decode(body);
}

function decodeCustom({ from }: Answer, body: Buffer, kind: TypeMeta): Read {
  if (from === 'json') {
    const { object, strictErrors } = decodeUnstructured(body);
    return { json: printText(object, sortedKeys), stored: '', strictErrors };
  }
  const value: JsonValue = respell(readCborBody(body, kind), (number) => {
    throw new DecodeError(`number ${number}`);
  });
  return { json: printText(value, sortedKeys), stored: '', strictErrors: [] };
}

/** Keys with numbers have no order in Go: it prints them one way or another. */
function likeOneOfGos(yaml: Uint8Array, wanted: Buffer): Uint8Array {
  const linesOf = (text: Uint8Array): string =>
    Buffer.from(text)
      .toString('latin1')
      .split('\n')
      .map((line) => line.replace(/^[ ?-]*/, ''))
      .sort()
      .join('\n');
  return linesOf(yaml) === linesOf(wanted) ? wanted : yaml;
}

function kindOf({ group, version, kind }: Answer): TypeMeta {
  return { group, version, kind };
}

function yamlOf(json: Uint8Array): Uint8Array {
  const out = new ByteWriter();
  encodeYaml(json, out);
  return out.take();
}

function attempt(make: () => Uint8Array | string): Uint8Array | string {
  try {
    return make();
  } catch (error) {
    if (error instanceof YamlError) return error.message;
    return (error as Error).stack ?? String(error);
  }
}

const SHOWN_BEFORE = 60;
const SHOWN_BEHIND = 160;

/** The two where they part. */
function around(wanted: Buffer, got: Buffer): { wanted: string; got: string } {
  let at = 0;
  while (at < wanted.length && wanted[at] === got[at]) at++;
  const from = Math.max(at - SHOWN_BEFORE, 0);
  const show = (bytes: Buffer): string => JSON.stringify(bytes.toString('latin1', from, at + SHOWN_BEHIND));
  return { wanted: show(wanted), got: show(got) };
}
