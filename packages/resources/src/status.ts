// Status: what kube-apiserver answers when there is no object to answer with, and the error that carries one.
import { JsonNumber, type JsonObject, type JsonValue, printText, quote } from '@sluice/encoding';

export type StatusCause = { reason?: string; message?: string; field?: string };

export type StatusDetails = {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: readonly StatusCause[];
  retryAfterSeconds?: number;
};

export type Status = {
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  /** An empty one prints `{}`; left out is left out. */
  details?: StatusDetails;
  code?: number;
  /** Only the 410 of a list that can go on from a newer revision has it. */
  continueToken?: string;
};

/** Ends a request: `status` is the answer's body, its code the answer's code. */
export class ApiError extends Error {
  readonly status: Status;
  readonly code: number;

  constructor(status: Status, options: { cause?: unknown } = {}) {
    super(status.message ?? '', options);
    this.name = 'ApiError';
    this.status = status;
    this.code = status.code ?? 500;
  }

  /** Headers the answer must have besides those of every answer. */
  get headers(): Record<string, string> {
    const seconds = this.status.details?.retryAfterSeconds ?? 0;
    return seconds > 0 ? { 'Retry-After': String(seconds) } : {};
  }
}

/** One line of JSON, as every error is sent. */
export function encodeStatus(status: Status): Uint8Array {
  return Buffer.from(`${printText(statusValue(status))}\n`);
}

/** Indented, no newline at the end: how an error is sent when Accept can't be met. */
export function encodeStatusPretty(status: Status): Uint8Array {
  return Buffer.from(indented(statusValue(status), '\n'));
}

/** The Status as a tree in the reference's order of fields: for YAML and for watch events. */
export function statusValue(status: Status): JsonObject {
  return object({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: object({ continue: status.continueToken }),
    status: status.status,
    message: status.message,
    reason: status.reason,
    details: status.details && detailsValue(status.details),
    code: status.code,
  });
}

function detailsValue(details: StatusDetails): JsonObject {
  const causes = details.causes?.map((cause) =>
    object({ reason: cause.reason, message: cause.message, field: cause.field }),
  );
  return object({
    name: details.name,
    group: details.group,
    kind: details.kind,
    uid: details.uid,
    causes: causes?.length ? causes : undefined,
    retryAfterSeconds: details.retryAfterSeconds,
  });
}

/** Go's omitempty: empty texts and zeros are left out. */
function object(members: Record<string, JsonValue | number | undefined>): JsonObject {
  const map: JsonObject = new Map();
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || value === '' || value === 0) continue;
    map.set(name, typeof value === 'number' ? new JsonNumber(String(value)) : value);
  }
  return map;
}

function indented(value: JsonValue, lineStart: string): string {
  if (typeof value === 'string') return quote(value);
  if (value instanceof JsonNumber) return value.text;
  if (value === null || typeof value === 'boolean') return String(value);
  const inner = `${lineStart}  `;
  if (Array.isArray(value)) {
    return value.length === 0
      ? '[]'
      : `[${value.map((item) => inner + indented(item, inner)).join(',')}${lineStart}]`;
  }
  if (value.size === 0) return '{}';
  const members = [...value].map(([name, member]) => `${inner}${quote(name)}: ${indented(member, inner)}`);
  return `{${members.join(',')}${lineStart}}`;
}
