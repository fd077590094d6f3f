// For tests: the kind that a definition with these columns brings.

import { parseJson } from '@sluice/encoding';
import { customKinds } from '../custom-resources/custom-kinds.ts';
import type { ApiObject, Kind, PrinterColumn } from '../kind.ts';

export function customKind(
  group: string,
  plural: string,
  kind: string,
  additionalPrinterColumns: readonly PrinterColumn[],
): Kind {
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
  const definition = {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names,
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          additionalPrinterColumns,
        },
      ],
    },
    status: { acceptedNames: names, conditions: [{ type: 'Established', status: 'True' }] },
  };
  return customKinds(parseJson(Buffer.from(JSON.stringify(definition))) as ApiObject)[0]!;
}
