// `sluice verify-list-types`: KEP-5116's static analysis over every list type of Kubernetes.
import { parseArgs } from 'node:util';
import {
  isKnownViolation,
  KNOWN_EXCEPTION,
  type ListType,
  type ListViolation,
  listTypes,
  listViolations,
  violationLine,
} from '@sluice/resources';
import { readCommandLine } from './command-line.ts';

const USAGE = `usage: sluice verify-list-types [--json]

Checks order and tags of every list type's fields: only lists that keep the rules can be streamed item by item.
Violations are printed as Kubernetes' API linter prints them, what is known of them on standard error.

  --json  prints types and violations as JSON

Exit code 1 when a rule is broken by more than the one known exception.
`;

export async function run(args: string[]): Promise<number> {
  const line = readCommandLine(args, USAGE, readSettings);
  if (line.exit !== undefined) return line.exit;
  const { settings } = line;
  const { out, summary, code } = verify(await listTypes(), settings.json);
  process.stdout.write(out);
  process.stderr.write(summary);
  return code;
}

function readSettings(args: string[]): { json: boolean } {
  return parseArgs({ args, options: { json: { type: 'boolean', default: false } } }).values;
}

/** `out` is for standard output, `summary` for standard error. */
export function verify(
  types: readonly ListType[],
  json: boolean,
): { out: string; summary: string; code: number } {
  const violations = types.flatMap(listViolations);
  const unknown = violations.filter((violation) => !isKnownViolation(violation));
  const code = unknown.length > 0 ? 1 : 0;
  if (json) return { out: `${jsonText(types, violations)}\n`, summary: '', code };
  const out = violations.map((violation) => `${violationLine(violation)}\n`).join('');
  const known = violations.length - unknown.length;
  const numbers = `${types.length} list types, ${violations.length} violations`;
  const exception = known > 0 ? `, ${known} of them known: ${KNOWN_EXCEPTION}` : '';
  return { out, summary: `${numbers}${exception}\n`, code };
}

function jsonText(types: readonly ListType[], violations: readonly ListViolation[]): string {
  return JSON.stringify(
    {
      types: types.map(({ package: path, type, fields }) => ({ package: path, type, fields })),
      violations: violations.map((violation) => ({ ...violation, known: isKnownViolation(violation) })),
    },
    null,
    2,
  );
}
