// The rules names, labels and the like must follow, each giving what is wrong in the reference's words.

const LABEL_VALUE_MAX_BYTES = 63;
const LABEL_NAME_MAX_BYTES = 63;
const DNS_LABEL_MAX_BYTES = 63;
const DNS_SUBDOMAIN_MAX_BYTES = 253;

const DNS_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DNS_1035_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?';
const DNS_SUBDOMAIN = `${DNS_LABEL}(\\.${DNS_LABEL})*`;
const LABEL_KEY_NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${LABEL_KEY_NAME})?`;
const CONFIG_KEY = '[-._a-zA-Z0-9]+';

const ALPHANUMERIC_ENDS =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const KEY_NAME_PROBLEM = mismatch(ALPHANUMERIC_ENDS, LABEL_KEY_NAME, ['MyName', 'my.name', '123-abc']);
const DNS_SUBDOMAIN_PROBLEM = mismatch(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  DNS_SUBDOMAIN,
  ['example.com'],
);
const DNS_LABEL_PROBLEM = mismatch(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  DNS_LABEL,
  ['my-name', '123-abc'],
);
const DNS_1035_LABEL_PROBLEM = mismatch(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  DNS_1035_LABEL,
  ['my-name', 'abc-123'],
);
const LABEL_VALUE_PROBLEM = mismatch(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  LABEL_VALUE,
  ['MyValue', 'my_value', '12345'],
);
const CONFIG_KEY_PROBLEM = mismatch(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  CONFIG_KEY,
  ['key.name', 'KEY_NAME', 'key-name'],
);

/** Names of most kinds. */
export function dnsSubdomainProblems(name: string): string[] {
  return [
    ...tooManyCharacters(name, DNS_SUBDOMAIN_MAX_BYTES),
    ...unlessMatches(name, DNS_SUBDOMAIN, DNS_SUBDOMAIN_PROBLEM),
  ];
}

/** Names of namespaces, services, stateful sets. */
export function dnsLabelProblems(name: string): string[] {
  const problem = matches(name, DNS_SUBDOMAIN) ? 'must not contain dots' : DNS_LABEL_PROBLEM;
  return [...tooManyCharacters(name, DNS_LABEL_MAX_BYTES), ...unlessMatches(name, DNS_LABEL, problem)];
}

/** Names of a custom kind's parts: plural, singular, short names, versions. */
export function dns1035LabelProblems(name: string): string[] {
  return [
    ...tooManyCharacters(name, DNS_LABEL_MAX_BYTES),
    ...unlessMatches(name, DNS_1035_LABEL, DNS_1035_LABEL_PROBLEM),
  ];
}

/** What every name must obey to stand in a path. The start of a generated name may be `.`. */
export function pathSegmentProblems(name: string, isPrefix = false): string[] {
  if (!isPrefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

/** Keys of labels and annotations, names of finalizers and condition types: `[prefix/]name`. */
export function labelKeyProblems(key: string): string[] {
  if (key.length <= LABEL_NAME_MAX_BYTES && matches(key, LABEL_KEY_NAME)) return [];
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${KEY_NAME_PROBLEM} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const problems = [...keyPrefixProblems(prefix), ...keyNameProblems(parts.at(-1) ?? '')];
  return problems;
}

function keyPrefixProblems(prefix: string | undefined): string[] {
  if (prefix === undefined) return [];
  if (prefix === '') return ['prefix part must be non-empty'];
  return [
    ...tooManyBytes(prefix, DNS_SUBDOMAIN_MAX_BYTES),
    ...unlessMatches(prefix, DNS_SUBDOMAIN, DNS_SUBDOMAIN_PROBLEM),
  ].map((problem) => `prefix part ${problem}`);
}

function keyNameProblems(name: string): string[] {
  const length = name === '' ? ['must be non-empty'] : tooManyBytes(name, LABEL_NAME_MAX_BYTES);
  return [...length, ...unlessMatches(name, LABEL_KEY_NAME, KEY_NAME_PROBLEM)].map(
    (problem) => `name part ${problem}`,
  );
}

export function labelValueProblems(value: string): string[] {
  if (value.length <= LABEL_VALUE_MAX_BYTES && matches(value, LABEL_VALUE)) return [];
  return [
    ...tooManyBytes(value, LABEL_VALUE_MAX_BYTES),
    ...unlessMatches(value, LABEL_VALUE, LABEL_VALUE_PROBLEM),
  ];
}

/** Keys of ConfigMaps' and Secrets' data. */
export function configKeyProblems(key: string): string[] {
  const dots = key === '.' ? ["must not be '.'"] : key === '..' ? ["must not be '..'"] : [];
  const start = dots.length === 0 && key.startsWith('..') ? ["must not start with '..'"] : [];
  return [
    ...tooManyCharacters(key, DNS_SUBDOMAIN_MAX_BYTES),
    ...unlessMatches(key, CONFIG_KEY, CONFIG_KEY_PROBLEM),
    ...dots,
    ...start,
  ];
}

/** The reference counts bytes in both, and names them differently. */
function tooManyCharacters(text: string, max: number): string[] {
  return Buffer.byteLength(text) > max ? [`must be no more than ${max} characters`] : [];
}

function tooManyBytes(text: string, max: number): string[] {
  return Buffer.byteLength(text) > max ? [`must be no more than ${max} bytes`] : [];
}

function unlessMatches(text: string, pattern: string, problem: string): string[] {
  return matches(text, pattern) ? [] : [problem];
}

const compiled = new Map<string, RegExp>();

function matches(text: string, pattern: string): boolean {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    expression = new RegExp(`^(?:${pattern})$`);
    compiled.set(pattern, expression);
  }
  return expression.test(text);
}

function mismatch(rule: string, pattern: string, examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${shown}regex used for validation is '${pattern}')`;
}
