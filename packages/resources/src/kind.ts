// What a kind is: one row of data for a built-in kind, one value made from a CustomResourceDefinition otherwise.
import type { JsonObject, JsonValue } from '@sluice/encoding';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

export type Subresource = {
  name: string;
  kind: string;
  group: string;
  version: string;
  verbs: readonly Verb[];
};

/** A kind in one version, as served at /apis/<group>/<version>/…/<plural>. */
export type Kind = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  readonly subresources: readonly Subresource[];
  /** `/registry/<…>/`: where its objects lie in the store; the same for all versions of a kind, and for both groups of Event. */
  readonly storagePrefix: string;
  /** `group/version` of the form objects are stored in; equal to its own unless they must be converted to be shown. */
  readonly storageVersion: string;
  /** Custom kinds: some objects may lie in the store in another version than storageVersion, which was that before. */
  readonly mixed?: true;
  /** Made from a CustomResourceDefinition: keys are sorted, items carry apiVersion and kind. */
  readonly custom: boolean;
  readonly codec: Codec;
  /** Text of the Warning header every answer of this kind has. */
  readonly deprecation?: string;
  /** Custom kinds: fields a field selector may name besides metadata's, `spec.color`. */
  readonly selectableFields?: readonly string[];
  /** Custom kinds: what their tables show besides the name. */
  readonly printerColumns?: readonly PrinterColumn[];
  /** Custom kinds with a scale subresource: where in an object its numbers and selector lie. */
  readonly scale?: ScalePaths;
};

/** Each without the leading dot: `spec.replicas`. */
export type ScalePaths = { specReplicas: string; statusReplicas: string; labelSelector?: string };

/** A column of a custom kind's table, as the definition's additionalPrinterColumns has it. */
export type PrinterColumn = {
  name: string;
  /** string, integer, number, boolean or date. */
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
};

/** An object read from a request: normal form, so that `encode` prints what kube-apiserver would store. */
export type ApiObject = JsonObject;

export type Decoded = {
  object: ApiObject;
  /** `unknown field "spec.x"`, `duplicate field "data.a"`: a Warning or, when Strict, an error. In the reference's order. */
  strictErrors: readonly string[];
};

/** The two halves of an object's bytes; its resourceVersion (digits without quotes) goes between. */
export type Halves = { head: Uint8Array; tail: Uint8Array };

/** How a kind's objects are read and written. */
export interface Codec {
  /**
   * Reads a JSON request body.
   * @throws DecodeError with the reference decoder's own message.
   */
  decode(body: Uint8Array): Decoded;
  /** The same for a tree made by a patch or from YAML. */
  decodeValue(value: JsonValue): Decoded;
  /**
   * The bytes of an object as an item of a list: built-in kinds without kind and apiVersion, custom ones with.
   * Whatever metadata.resourceVersion holds is left out; `tail` starts right after it.
   */
  encode(object: ApiObject): Halves;
  /** Item bytes back to a tree, without checks: for updates and patches of what is stored. */
  read(item: Uint8Array): ApiObject;
}

/** What kind and version a body says it is of, or is taken for. */
export type FoundKind = { kind: string; version: string };

/** A body that can't be read; `message` is the Go decoder's. schema/decode-error.ts makes of it what a client is told. */
export class DecodeError extends Error {
  /** undefined: the body's kind can't be told. */
  readonly found: FoundKind | undefined;
  /** The message is told as it is. */
  readonly complete: boolean;

  constructor(message: string, found?: FoundKind, complete = false) {
    super(message);
    this.name = 'DecodeError';
    this.found = found;
    this.complete = complete;
  }
}
