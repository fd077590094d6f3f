// The static analysis of KEP-5116: which list types can't be streamed, by the order and the tags of their fields.

export type ListField = {
  name: string;
  embedded: boolean;
  /** undefined: it has no such tag, which is not the same as an empty one. */
  json: string | undefined;
  protobuf: string | undefined;
};

export type ListType = { package: string; type: string; fields: readonly ListField[] };

export type ListRule =
  | 'streaming_list_type_field_order'
  | 'streaming_list_type_json_tags'
  | 'streaming_list_type_proto_tags';

export type ListViolation = { rule: ListRule; package: string; type: string; field: string };

/** Every list type of Kubernetes, those of versions that aren't served too. Read when first asked for. */
export async function listTypes(): Promise<readonly ListType[]> {
  const { LIST_ROWS } = await import('./generated/list-types.ts');
  return LIST_ROWS.map(([name = '', ...fields]) => {
    const [path = '', type = ''] = name.split(' ');
    return { package: path, type, fields: fields.map(readField) };
  });
}

/** What breaks the rules; nothing for a struct that isn't a list type at all. */
export function listViolations(list: ListType): ListViolation[] {
  const [typeMeta, listMeta, items] = FIELDS.map((name) => list.fields.find((field) => field.name === name));
  if (list.fields.length !== FIELDS.length || !typeMeta || !listMeta || !items) return [];
  const checks: [ListRule, ListField, boolean][] = [
    ...[typeMeta, listMeta, items].map((field, place): [ListRule, ListField, boolean] => [
      'streaming_list_type_field_order',
      field,
      list.fields[place] === field,
    ]),
    ['streaming_list_type_json_tags', typeMeta, typeMeta.embedded && isOneOf(typeMeta.json, '', ',inline')],
    ['streaming_list_type_json_tags', listMeta, listMeta.json === 'metadata,omitempty'],
    ['streaming_list_type_json_tags', items, items.json === 'items'],
    ['streaming_list_type_proto_tags', typeMeta, (typeMeta.protobuf ?? '') === ''],
    [
      'streaming_list_type_proto_tags',
      listMeta,
      isOneOf(listMeta.protobuf ?? '', '', 'bytes,1,opt,name=metadata'),
    ],
    ['streaming_list_type_proto_tags', items, isOneOf(items.protobuf ?? '', '', 'bytes,2,rep,name=items')],
  ];
  return checks
    .filter(([, , holds]) => !holds)
    .map(([rule, { name }]) => ({ rule, package: list.package, type: list.type, field: name }));
}

/** In which Kubernetes lives with a violation: its Protobuf form was published with the two fields swapped. */
export function isKnownViolation(violation: ListViolation): boolean {
  return (
    violation.rule === 'streaming_list_type_proto_tags' &&
    `${violation.package}.${violation.type}` === KNOWN_EXCEPTION &&
    (violation.field === 'ListMeta' || violation.field === 'Items')
  );
}

/** As Kubernetes' API linter and its lists of exceptions have it. */
export function violationLine({ rule, package: path, type, field }: ListViolation): string {
  return `API rule violation: ${rule},${path},${type},${field}`;
}

/** The one list type that breaks a rule and is let to. */
export const KNOWN_EXCEPTION = 'k8s.io/apimachinery/pkg/apis/meta/v1beta1.PartialObjectMetadataList';

const FIELDS: readonly string[] = ['TypeMeta', 'ListMeta', 'Items'];

function isOneOf(tag: string | undefined, ...allowed: string[]): boolean {
  return tag !== undefined && allowed.includes(tag);
}

function readField(row: string): ListField {
  const [name = '', embedded, json, protobuf] = row.split('|');
  const tag = (text: string | undefined): string | undefined => (text === '-' ? undefined : text);
  return { name, embedded: embedded !== '', json: tag(json), protobuf: tag(protobuf) };
}
