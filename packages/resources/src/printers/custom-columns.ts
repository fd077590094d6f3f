// Tables of custom resources: the name, then what additionalPrinterColumns of the definition say.
import { decodeText, JsonNumber, JsonReader, type JsonValue, printText, readTree } from '@sluice/encoding';
import type { PrinterColumn } from '../kind.ts';
import { canonicalTime } from '../schema/time.ts';
import { members, text } from '../tree.ts';
import { age } from './age.ts';
import { UNKNOWN } from './cell-text.ts';
import { AGE_COLUMN, type Column, NAME_COLUMN } from './columns.ts';
import { type Float, JsonPathError, parseJsonPath, type Step, type Whole } from './json-path.ts';
import { type Found, findValues, numberOf } from './json-path-values.ts';
import type { Cell, RowPrinter } from './row-printer.ts';

export type CustomTable = { columns: readonly Column[]; row: RowPrinter };

export function customTable(given: readonly PrinterColumn[]): CustomTable {
  const columns: Column[] = [NAME_COLUMN];
  const paths: { type: string; steps: readonly Step[] }[] = [];
  for (const column of given.length > 0 ? given : [AGE]) {
    const steps = stepsOf(column.jsonPath);
    // The reference goes on with the columns before one it can't read.
    if (steps === undefined) break;
    const description =
      column.description || `Custom resource definition column (in JSONPath format): ${column.jsonPath}`;
    columns.push({
      name: column.name,
      type: column.type,
      format: column.format ?? '',
      description,
      priority: column.priority ?? 0,
    });
    paths.push({ type: column.type, steps });
  }
  return {
    columns,
    row: (item) => {
      const object = readTree(new JsonReader(decodeText(item)));
      const name = text(members(members(object).get('metadata')).get('name'));
      return {
        cells: [name, ...paths.map(({ type, steps }) => cellOf(object, type, steps))],
        conditions: '',
        metadata: undefined,
      };
    },
  };
}

const AGE: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: AGE_COLUMN.description,
};

function stepsOf(path: string): readonly Step[] | undefined {
  try {
    return parseJsonPath(path);
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** A path may lead to several values: the first one is shown. */
function cellOf(object: JsonValue, type: string, steps: readonly Step[]): Cell {
  const first = findValues(steps, object)?.[0];
  if (first === undefined) return null;
  if (type === 'string') return textOf(first);
  switch (type) {
    case 'integer':
      return numericCell(first, (value) => new JsonNumber(String(wholeOf(value))));
    case 'number':
      return numericCell(first, (value) => ('whole' in value ? Number(value.whole) : value.float));
    case 'boolean':
      return typeof first === 'boolean' ? first : null;
    default:
      return typeof first === 'string' ? dateCell(first) : null;
  }
}

/** A whole number written in the path itself is of another Go type, which the reference doesn't show. */
function numericCell(found: Found, cell: (value: Whole | Float) => Cell): Cell {
  if (found instanceof JsonNumber) return cell(numberOf(found));
  return typeof found === 'object' && found !== null && 'float' in found ? cell(found) : null;
}

const LEAST_INT64 = -(2n ** 63n);

/** What Go's conversion gives on amd64: towards zero, and the least int64 for what has no place in one. */
function wholeOf(value: Whole | Float): bigint {
  if ('whole' in value) return value.whole;
  if (!Number.isFinite(value.float)) return LEAST_INT64;
  const whole = BigInt(Math.trunc(value.float));
  return BigInt.asIntN(64, whole) === whole ? whole : LEAST_INT64;
}

function dateCell(value: string): Cell {
  if (value === '' || value === 'null') return UNKNOWN;
  const canonical = canonicalTime(value);
  return 'error' in canonical ? '<invalid>' : age(canonical.text ?? undefined);
}

/** As Go's fmt prints it; objects and lists as compact JSON. */
function textOf(found: Found): string {
  if (found === null) return '<no value>';
  if (typeof found === 'string') return found;
  if (found instanceof Map || Array.isArray(found)) return printText(found);
  const value = found instanceof JsonNumber ? numberOf(found) : found;
  if (typeof value === 'boolean') return String(value);
  return 'whole' in value ? String(value.whole) : floatText(value.float);
}

/** Go's %v: shortest digits, with an exponent below 1e-4 and from 1e6 on. */
function floatText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
