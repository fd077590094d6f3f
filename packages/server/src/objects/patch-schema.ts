// What a strategic merge patch must know of a type, from the field tables: members, merge keys, strategies.
import { type FieldType, fieldsOf, type Kind, typeOfKind } from '@sluice/resources';

export type PatchSchema = {
  readonly type: FieldType | undefined;
  /** Lists are merged, not replaced; items are told apart by the key, '' for plain values. */
  readonly merges: boolean;
  readonly mergeKey: string;
  /** Objects are replaced, not merged. */
  readonly replaces: boolean;
};

export function schemaOf(kind: Kind): PatchSchema {
  const name = typeOfKind(kind);
  return plain(name ? { kind: 'struct', pointer: false, name } : undefined);
}

export function typeOfMember({ type }: PatchSchema, name: string): PatchSchema {
  if (type?.kind === 'map') return plain(type.elem);
  if (type?.kind !== 'struct') return plain(undefined);
  const field = fieldsOf(type.name).find(({ json }) => json === name);
  if (field === undefined) return plain(undefined);
  const strategies = field.patchStrategy.split(',');
  return {
    type: field.type,
    merges: strategies.includes('merge'),
    mergeKey: field.patchMergeKey,
    replaces: strategies.includes('replace'),
  };
}

export function typeOfItem({ type }: PatchSchema): PatchSchema {
  return plain(type?.kind === 'slice' ? type.elem : undefined);
}

function plain(type: FieldType | undefined): PatchSchema {
  return { type, merges: false, mergeKey: '', replaces: false };
}
