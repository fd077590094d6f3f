// What is looked at, as the page's address tells it: everything after # makes the same view again.

/** What cells differ in, in the order of their names, and the subject. */
export const FACETS = [
  'job',
  'kind',
  'representation',
  'encoding',
  'http',
  'readers',
  'gate',
  'subject',
] as const;
export type Facet = (typeof FACETS)[number];

const SHOWS = ['compare', 'history', 'memory', 'gradient'] as const;
const STATISTICS = ['median', 'min', 'p90', 'p99', 'max'] as const;
const SCALES = ['linear', 'log'] as const;
const FORMS = ['picture', 'table'] as const;
const THEMES = ['auto', 'light', 'dark'] as const;
export type Show = (typeof SHOWS)[number];
export type Statistic = (typeof STATISTICS)[number];
export type ScaleKind = (typeof SCALES)[number];

export type View = {
  show: Show;
  /** A run's id; `every`: all of them; empty: the newest that has something to show, side by side if there is one. */
  run: string;
  /** A facet's value; empty: all. */
  facets: Record<Facet, string>;
  /** Words that names must contain. */
  words: string;
  measure: string;
  statistic: Statistic;
  scale: ScaleKind;
  form: (typeof FORMS)[number];
  /** The subject that others are compared with; empty: the run's last. */
  base: string;
  theme: (typeof THEMES)[number];
};

/** Every run at once. */
export const EVERY_RUN = 'every';

/** Anything may stand behind the #: what can't be understood is as if it weren't there. */
export function viewOf(hash: string): View {
  const asked = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (key: string) => asked.get(key) ?? '';
  return {
    show: oneOf(SHOWS, text('show')),
    run: text('run'),
    facets: facetsOf(text),
    words: text('words'),
    measure: text('measure'),
    statistic: oneOf(STATISTICS, text('statistic')),
    scale: oneOf(SCALES, text('scale')),
    form: oneOf(FORMS, text('form')),
    base: text('base'),
    theme: oneOf(THEMES, text('theme')),
  };
}

export function hashOf({ facets, ...rest }: View): string {
  const told = Object.entries({ ...rest, ...facets }).filter(([, value]) => value !== '');
  return `#${new URLSearchParams(told)}`;
}

export function facetsOf(facetOf: (facet: Facet) => string): Record<Facet, string> {
  return Object.fromEntries(FACETS.map((facet) => [facet, facetOf(facet)])) as Record<Facet, string>;
}

function oneOf<Value extends string>(values: readonly [Value, ...Value[]], text: string): Value {
  return values.find((value) => value === text) ?? values[0];
}
