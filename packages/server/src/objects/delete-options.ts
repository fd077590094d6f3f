// DeleteOptions: from the body if there is one, else from the query, never both.
import { JsonNumber, type JsonObject, type JsonValue, parseJson } from '@sluice/encoding';
import {
  badRequest,
  DecodeError,
  decodeDeleteOptions,
  type FieldError,
  goQuote,
  invalid,
  invalidValue,
  readCborBody,
  unsupportedValue,
} from '@sluice/resources';
import type { ApiRequest, Query } from '../api.ts';
import { type BodyEncoding, readBodyEncoding } from '../body-type.ts';
import { isTrue } from '../request-info.ts';
import { yamlOf } from './body.ts';
import { dryRunErrors } from './options.ts';
import { textAt, valueAt } from './tree.ts';

export type Propagation = 'Orphan' | 'Foreground' | 'Background';

export type DeleteOptions = {
  dryRun: boolean;
  gracePeriodSeconds: bigint | undefined;
  /** undefined: whatever the kind does by itself. */
  propagation: Propagation | undefined;
  /** The old spelling, `orphanDependents: false`, is answered with 202 while the object stays. */
  orphanDependents: boolean | undefined;
  uid: string | undefined;
  resourceVersion: string | undefined;
};

/** @throws ApiError 415, 413, 400, 422 */
export async function readDeleteOptions(request: ApiRequest): Promise<DeleteOptions> {
  const body = await request.readBody();
  const given = body.length > 0 ? await fromBody(request, body) : fromQuery(request.query);
  const errors = [...propagationErrors(given), ...dryRunErrors(given.dryRun)];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  return {
    ...given,
    propagation: given.propagation as Propagation | undefined,
    dryRun: given.dryRun.length > 0,
  };
}

/** Before it is known that the words are known. */
type Given = Omit<DeleteOptions, 'dryRun' | 'propagation'> & {
  dryRun: string[];
  propagation: string | undefined;
};

function propagationErrors({ propagation, orphanDependents }: Given): FieldError[] {
  if (propagation === undefined) return [];
  const errors: FieldError[] = [];
  if (orphanDependents !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalidValue('propagationPolicy', propagation, detail));
  }
  if (!PROPAGATIONS.includes(propagation)) {
    errors.push(unsupportedValue('propagationPolicy', propagation, [...PROPAGATIONS, 'nil']));
  }
  return errors;
}

const PROPAGATIONS = ['Foreground', 'Background', 'Orphan'];

function fromQuery(query: Query): Given {
  const grace = query.first('gracePeriodSeconds');
  if (grace !== undefined && !/^[+-]?[0-9]+$/.test(grace)) {
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(grace)}: invalid syntax`);
  }
  return {
    dryRun: [...query.all('dryRun')],
    gracePeriodSeconds: grace === undefined ? undefined : BigInt(grace.replace(/^\+/, '')),
    propagation: query.first('propagationPolicy'),
    orphanDependents: query.has('orphanDependents') ? isTrue(query.first('orphanDependents')) : undefined,
    uid: undefined,
    resourceVersion: undefined,
  };
}

/** Kind and apiVersion may be left out, and every group has DeleteOptions. */
async function fromBody(request: ApiRequest, body: Uint8Array): Promise<Given> {
  const tree = await readTree(body, readBodyEncoding(request.headers['content-type'], request.readable));
  if (tree !== null && !(tree instanceof Map)) {
    const type =
      'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
    throw badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${typeName(tree)} into Go value of type ${type}`,
    );
  }
  const options: JsonObject = tree ?? new Map();
  const kind = textAt(options, 'kind');
  if (kind !== '' && kind !== 'DeleteOptions') {
    const version = textAt(options, 'apiVersion');
    throw badRequest(
      `no kind ${goQuote(kind)} is registered for version ${goQuote(version)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  return {
    dryRun: texts(options, 'dryRun'),
    gracePeriodSeconds: integer(options, 'gracePeriodSeconds'),
    propagation: text(options, 'propagationPolicy', 'v1.DeletionPropagation'),
    orphanDependents: boolean(options, 'orphanDependents'),
    uid: text(options, 'preconditions.uid', 'types.UID'),
    resourceVersion: text(options, 'preconditions.resourceVersion', 'string'),
  };
}

/** The reference tells what is wrong as it is; only of JSON it says that it is JSON. */
async function readTree(body: Uint8Array, encoding: BodyEncoding): Promise<JsonValue> {
  try {
    switch (encoding) {
      case 'json':
        return parseJson(body);
      case 'yaml':
        return (await yamlOf(body)).value;
      case 'protobuf':
        return decodeDeleteOptions(body);
      case 'cbor':
        return readCborBody(body, DELETE_OPTIONS);
    }
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(error.message);
    throw badRequest(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

const DELETE_OPTIONS = { group: '', version: 'v1', kind: 'DeleteOptions' };

function text(options: JsonObject, path: string, goType: string): string | undefined {
  const value = member(options, path);
  if (value === undefined || typeof value === 'string') return value;
  throw mismatch(value, path, goType);
}

function boolean(options: JsonObject, path: string): boolean | undefined {
  const value = member(options, path);
  if (value === undefined || typeof value === 'boolean') return value;
  throw mismatch(value, path, 'bool');
}

function integer(options: JsonObject, path: string): bigint | undefined {
  const value = member(options, path);
  if (value === undefined) return undefined;
  if (value instanceof JsonNumber && /^-?[0-9]+$/.test(value.text)) return BigInt(value.text);
  throw mismatch(value, path, 'int64');
}

function texts(options: JsonObject, path: string): string[] {
  const value = member(options, path) ?? [];
  if (!Array.isArray(value)) throw mismatch(value, path, '[]string');
  return value.map((item) => {
    if (typeof item === 'string') return item;
    throw mismatch(item, path, 'string');
  });
}

/** null is absence. */
function member(options: JsonObject, path: string): JsonValue | undefined {
  return valueAt(options, ...path.split('.')) ?? undefined;
}

function mismatch(value: JsonValue, path: string, goType: string): Error {
  const field = path.includes('.') ? `Preconditions.${path}` : `DeleteOptions.${path}`;
  return badRequest(
    `json: cannot unmarshal ${typeName(value)} into Go struct field ${field} of type ${goType}`,
  );
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (value instanceof JsonNumber) return /^-?[0-9]+$/.test(value.text) ? 'number' : `number ${value.text}`;
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' ? 'object' : typeof value === 'boolean' ? 'bool' : 'string';
}
