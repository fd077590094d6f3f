// `sluice bench`: finds what is to be measured, and measures it.

type Part = { load(): Promise<{ run(args: string[]): Promise<number> }> };

/** Without a word it is the whole benchmark. */
const PARTS: ReadonlyMap<string, Part> = new Map([
  ['list', { load: () => import('./bench/list.ts') }],
  ['gradient', { load: () => import('./bench/gradient.ts') }],
  ['readers', { load: () => import('./bench/readers.ts') }],
  ['start', { load: () => import('./bench/start.ts') }],
  ['page', { load: () => import('./bench/page.ts') }],
  ['compare', { load: () => import('./bench/compare.ts') }],
]);

export async function run(args: string[]): Promise<number> {
  const [word = '', ...rest] = args;
  const part = PARTS.get(word);
  if (part !== undefined) return (await part.load()).run(rest);
  return (await import('./bench/matrix.ts')).run(args);
}
