// Lists asked for with as long a path and query as the headers may hold.
import type { Hostile } from './hostile-bodies.fixture.ts';

/** `bytes` of each query. */
export function hostileQueries(bytes: number): Hostile[] {
  const again = (part: string): string => part.repeat(Math.floor(bytes / part.length));
  const counted = (part: (number: string) => string): string => {
    const parts: string[] = [];
    for (let length = 0; length < bytes; length += parts.at(-1)!.length) {
      parts.push(part(parts.length.toString(36)));
    }
    return parts.join('');
  };
  const queries: readonly (readonly [string, string, number])[] = [
    ['a label again and again', `labelSelector=${again('a,')}a`, 200],
    ['a value again and again', `labelSelector=${again('a=b,')}a`, 200],
    ['labels', `labelSelector=${counted((n) => `!${n},`)}a`, 200],
    ['values', `labelSelector=${counted((n) => `a!=${n},`)}a`, 200],
    ['a set of values', `labelSelector=a%20in%20(${counted((n) => `${n},`)}a)`, 200],
    ['escaped values', `labelSelector=a%20in%20(${again('%62,')}b)`, 200],
    ['bad values', `labelSelector=a%20in%20(${counted((n) => `-${n},`)}a)`, 400],
    ['a long bad value', `labelSelector=a=${again('-')}`, 400],
    ['opening parentheses', `labelSelector=${again('(')}`, 400],
    ['a field again and again', `fieldSelector=${again('metadata.name!=a,')}metadata.name!=b`, 200],
    ['fields', `fieldSelector=${counted((n) => `metadata.name!=${n},`)}metadata.name!=-`, 200],
    ['unknown fields', `fieldSelector=${counted((n) => `${n}=a,`)}b=c`, 400],
    ['an escaped name', `fieldSelector=metadata.name=${again('\\,')}`, 200],
    ['a continue token', `continue=${again('A')}`, 400],
    ['a limit', `limit=${again('9')}`, 400],
    ['parameters', again('a=b&'), 200],
  ];
  const path = '/api/v1/namespaces/default/configmaps';
  const get = { method: 'GET', accept: 'application/json' };
  return [
    ...queries.map(([what, query, code]) => ({ ...get, what, path: `${path}?${query}`, code })),
    { ...get, what: 'segments', path: `/${again('a/')}`, code: 404 },
  ];
}
