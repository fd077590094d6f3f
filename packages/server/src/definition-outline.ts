// A CustomResourceDefinition without its schemas, cut out of its bytes: what the event loop must know of one, however large it is.
import { eachElement, findMember, findPath } from '@sluice/encoding';

/** Item bytes in which every version's schema is empty. */
export function outlineOf(item: Uint8Array): Uint8Array {
  const versions = findPath(item, ['spec', 'versions']);
  if (!versions) return item;
  const pieces: Uint8Array[] = [];
  let kept = 0;
  eachElement(item, versions.start, (start) => {
    const schema = findMember(item, start, 'schema');
    if (!schema) return;
    pieces.push(item.subarray(kept, schema.start), EMPTY);
    kept = schema.end;
  });
  return Buffer.concat([...pieces, item.subarray(kept)]);
}

const EMPTY = Buffer.from('{}');
