// What @sluice/encoding gives to other packages.
export type { DeferredWriterOptions, Destination, Twin } from './deferred-writer.ts';
export { DeferredWriter, GZIP_ABOVE_BYTES } from './deferred-writer.ts';
export type { WriteBytes } from './gather.ts';
export { Gatherer, SEGMENT_BYTES } from './gather.ts';
export { combineCrc32 } from './gzip/crc32.ts';
export type { Deflated } from './gzip/deflated.ts';
export { deflate, PIECE_BYTES } from './gzip/deflated.ts';
export { GZIP_HEADER, GzipMember } from './gzip/member.ts';
export type { Span } from './json/member.ts';
export { eachMember, findMember, skipValue } from './json/member.ts';
export type { JsonObject, JsonValue } from './json/value.ts';
export { JsonNumber } from './json/value.ts';
