// The lines of a JSON watch: `{"type":"ADDED","object":{…}}`.
import { type ApiError, type ApiObject, encodeStatus, type Kind } from '@sluice/resources';
import type { Form } from '../list/form.ts';
import { apiVersionOf, objectPieces, withResourceVersion } from '../object-bytes.ts';

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
const END = Buffer.from('}\n');
const HEADS = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
  ERROR: Buffer.from('{"type":"ERROR","object":'),
};

export class EventFrames {
  readonly #kind: Kind;
  readonly #form: Form | undefined;

  constructor(kind: Kind, form: Form | undefined) {
    this.#kind = kind;
    this.#form = form;
  }

  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', item: Uint8Array): readonly Uint8Array[] {
    const shown = this.#form ? this.#form(item) : item;
    return [HEADS[type], ...objectPieces(this.#kind, shown), END];
  }

  /** The object as it was, with the revision of its deletion (or of its leaving the selector). */
  deleted(previous: Uint8Array, revision: bigint): readonly Uint8Array[] {
    return this.event('DELETED', withResourceVersion(previous, revision));
  }

  /** An object of the kind with nothing but a resourceVersion; `endsInitial` marks the end of the initial events. */
  bookmark(revision: bigint, endsInitial: boolean): Uint8Array {
    const metadata: ApiObject = new Map();
    if (endsInitial) metadata.set('annotations', new Map([[INITIAL_EVENTS_END, 'true']]));
    const object: ApiObject = new Map([['metadata', metadata]]);
    if (this.#kind.custom) {
      object.set('apiVersion', apiVersionOf(this.#kind));
      object.set('kind', this.#kind.kind);
    }
    const { head, tail } = this.#kind.codec.encode(object);
    const item = Buffer.concat([head, Buffer.from(String(revision)), tail]);
    return Buffer.concat([HEADS.BOOKMARK, ...objectPieces(this.#kind, item), END]);
  }

  error(error: ApiError): Uint8Array {
    return Buffer.concat([HEADS.ERROR, encodeStatus(error.status).subarray(0, -1), END]);
  }
}
