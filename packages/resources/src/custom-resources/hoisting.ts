// kube-apiserver checks a definition in an older form: what all versions have alike stands once, above them. Its error
// texts show that form, by field path and by value.
import { type JsonObject, type JsonValue, printText } from '@sluice/encoding';
import type { ApiObject } from '../kind.ts';
import { changed, list, members, text } from '../tree.ts';

const PARTS = ['subresources', 'schema', 'additionalPrinterColumns', 'selectableFields'];

/** `top` has the parts that are the same in all versions, which then lack them. */
export function hoisted(object: ApiObject): { top: JsonObject; versions: readonly JsonObject[] } {
  const all = list(members(object.get('spec')).get('versions')).map(members);
  const top: JsonObject = new Map();
  let versions = all;
  for (const part of PARTS) {
    const first = all[0]?.get(part);
    const texts = new Set(all.map((version) => printText(version.get(part) ?? null)));
    if (texts.size !== 1) continue;
    if (first !== undefined) top.set(part, first);
    versions = versions.map((version) => changed(version, { [part]: undefined }));
  }
  return { top, versions };
}

/** The versions as the reference prints them when it refuses them: by the names of its internal fields. */
export function versionsInGo(versions: readonly JsonObject[]): JsonValue {
  return versions.map(
    (version) =>
      new Map<string, JsonValue>([
        ['Name', text(version.get('name'))],
        ['Served', version.get('served') === true],
        ['Storage', version.get('storage') === true],
        ['Deprecated', version.get('deprecated') === true],
        ['DeprecationWarning', version.get('deprecationWarning') ?? null],
        ['Schema', null],
        ['Subresources', null],
        ['AdditionalPrinterColumns', null],
        ['SelectableFields', null],
      ]),
  );
}
