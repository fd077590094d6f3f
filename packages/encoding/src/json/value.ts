// The tree a request body becomes: what JSON can say, and nothing JavaScript adds or loses.

/** null, booleans, text, numbers by their spelling, arrays, and objects as Maps (any key is safe, order is kept). */
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject;

export type JsonObject = Map<string, JsonValue>;

/** A number as it is spelled. Integers above 2^53, `1.0` and `-0` stay what they are until somebody reads them. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
