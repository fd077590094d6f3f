// A Status in the encoding that was negotiated, or as indented JSON when none could be.
import { encodeStatus, encodeStatusPretty, encodeStatusProtobuf, type Status } from '@sluice/resources';
import type { Representation } from '../negotiation.ts';
import { spelled } from './spelling.ts';

export type StatusBody = { mediaType: string; body: Uint8Array };

export function statusBody(status: Status, representation: Representation | null): StatusBody {
  if (representation === null) return { mediaType: 'application/json', body: encodeStatusPretty(status) };
  const { encoding, mediaType } = representation;
  if (encoding === 'protobuf') return { mediaType, body: encodeStatusProtobuf(status) };
  return { mediaType, body: spelled(encodeStatus(status).subarray(0, -1), representation) };
}
