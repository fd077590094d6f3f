// Why a cell has no figures: what a server answered in place of what was asked for.

export class CellProblem extends Error {
  override readonly name = 'CellProblem';
  /** `refused`: the server has no such thing; `failed`: it has, and did not get there. */
  readonly outcome: 'refused' | 'failed';

  constructor(outcome: 'refused' | 'failed', reason: string) {
    super(reason);
    this.outcome = outcome;
  }
}

/** Codes that say: not now. Others below 500 say: never. */
const PASSING_CODES = new Set([408, 409, 410, 429]);
const REASON_MAX_CHARACTERS = 200;

export function refusalOf(code: number, text = ''): CellProblem {
  const isRefused = code >= 400 && code < 500 && !PASSING_CODES.has(code);
  const reason = `${code} ${printable(messageOf(text))}`.trim().slice(0, REASON_MAX_CHARACTERS);
  return new CellProblem(isRefused ? 'refused' : 'failed', reason);
}

/** Of a Status in JSON or YAML; else all of it. */
function messageOf(text: string): string {
  const inJson = /"message":\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  if (inJson !== undefined) return JSON.parse(inJson) as string;
  return /^message: (.*(?:\n {2}.*)*)/m.exec(text)?.[1] ?? text;
}

/** A refusal may come in an encoding that is no text. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').trim();
}
