// `?includeObject=`: how much of each object a Table's rows carry.
import { badRequest, goQuote, type Include } from '@sluice/resources';
import type { Query } from '../api.ts';

/** @throws ApiError 400; asked before anything is made into a Table. */
export function readInclude(query: Query): Include {
  const text = query.first('includeObject') ?? '';
  if (text === '') return 'Metadata';
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${goQuote(text)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}
