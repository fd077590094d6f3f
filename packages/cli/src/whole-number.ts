// Reads a flag's value as a whole number.

export function readWholeNumber(flag: string, text: string | undefined, least: number): number {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new Error(`--${flag} must be a whole number from ${least}`);
}
