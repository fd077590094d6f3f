// Why a value can't be shown as YAML. The JSON is read as YAML first, and YAML refuses some of what JSON allows.

/** `message` is the reference's. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}

/** A key is looked for within so many characters from its opening quote on. */
export const KEY_LIMIT_CHARACTERS = 1024;

/** Brackets within brackets, those around a list's items counted. */
export const YAML_DEPTH_LIMIT = 10_000;

/** `lines`: breaks read so far. JSON is one line, but U+0085 breaks lines. */
export function scannerError(problem: string, lines: number): YamlError {
  return new YamlError(lines === 0 ? `yaml: ${problem}` : `yaml: line ${lines + 1}: ${problem}`);
}

export function parserError(problem: string, lines: number): YamlError {
  return new YamlError(lines === 0 ? `yaml: ${problem}` : `yaml: line ${lines}: ${problem}`);
}

export function controlError(): YamlError {
  return new YamlError('yaml: control characters are not allowed');
}
