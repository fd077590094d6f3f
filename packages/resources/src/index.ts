// What @sluice/resources gives to other packages.
export type { ApiObject, Codec, Decoded, Halves, Kind, Subresource, Verb } from './kind.ts';
export { DecodeError } from './kind.ts';
