// A tree as Go's %v prints it: how some errors show what a client sent.
import { compareUtf8, JsonNumber, type JsonValue } from '@sluice/encoding';

/** `map[$patch:frob name:c]`, `[a b]`, `<nil>`. */
export function goValueText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(goValueText).join(' ')}]`;
  if (!(value instanceof Map)) return String(value);
  const members = [...value].sort(([a], [b]) => compareUtf8(a, b));
  return `map[${members.map(([name, member]) => `${name}:${goValueText(member)}`).join(' ')}]`;
}
