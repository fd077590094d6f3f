// Values that Kubernetes keeps as the JSON they came as: managedFields, extensions, a ControllerRevision's data.
import { escapeMarkup, JsonNumber, JsonReader, type JsonValue, printText, readTree } from '@sluice/encoding';

/**
 * JSON that would not be the same after reading and printing: it has escapes that needn't be, or a key twice.
 * It stands in the tree like a number, as something whose spelling is all there is to it.
 */
export class VerbatimJson extends JsonNumber {}

/** @param json valid JSON text. */
export function rawValue(json: string): JsonValue {
  const value = readTree(new JsonReader(json));
  const compact = escapeMarkup(compactJson(json));
  return printText(value) === compact ? value : new VerbatimJson(compact);
}

/** The same values in the tree form of a custom resource, which has no verbatim parts. */
export function treeOf(value: JsonValue): JsonValue {
  return value instanceof VerbatimJson ? readTree(new JsonReader(value.text)) : value;
}

/** JSON without the space between its parts. */
function compactJson(json: string): string {
  let compact = '';
  let kept = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (inString) {
      if (character === BACKSLASH) at++;
      else if (character === QUOTE) inString = false;
    } else if (character === QUOTE) {
      inString = true;
    } else if (character <= SPACE) {
      compact += json.slice(kept, at);
      kept = at + 1;
    }
  }
  return compact + json.slice(kept);
}

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
