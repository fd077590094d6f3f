// What @sluice/encoding gives to other packages.
export type { JsonObject, JsonValue } from './json/value.ts';
export { JsonNumber } from './json/value.ts';
