// Numbers as Go's JSON encoder prints them.

/** Shortest digits, exponent form below 1e-6 and from 1e21. JavaScript's own rule is the same, but for -0. */
export function printFloat(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`json: unsupported value: ${value}`);
  return Object.is(value, -0) ? '-0' : String(value);
}
