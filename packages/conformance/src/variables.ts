// The variables of a run: `${name}` in a step is filled in, and answers leave new ones behind.
import { randomBytes } from 'node:crypto';
import type { Answer } from './answer.ts';
import type { Step } from './transcript.ts';

export type Variables = Record<string, string>;

/** `run` names the namespace of a run. Nine characters always: recorded length prefixes count on it. */
export function newVariables(): Variables {
  return { run: `r${randomBytes(4).toString('hex')}` };
}

/** `${name}`, and `${pad:LIMIT:name}`: as many "x" as are missing from the variable to the limit. */
export function fillText(text: string, variables: Variables): string {
  return text
    .replace(/\$\{(\w+)\}/g, (whole, name: string) => variables[name] ?? whole)
    .replace(/\$\{pad:(\d+):(\w+)\}/g, (_whole, limit: string, name: string) =>
      'x'.repeat(Math.max(0, Number(limit) - Number(variables[name]))),
    );
}

export function fillTree(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return fillText(value, variables);
  if (Array.isArray(value)) return value.map((item) => fillTree(item, variables));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fillTree(member, variables)]));
}

export function saveVariables(step: Step, answer: Answer, variables: Variables): void {
  for (const [name, path] of Object.entries(step.save ?? {})) {
    variables[name] = path === '#bytes' ? String(answer.body.length) : memberAt(answer.body, path);
  }
  for (const [name, header] of Object.entries(step.saveHeaders ?? {})) {
    variables[name] = String(answer.headers[header]);
  }
}

function memberAt(body: Buffer, path: string): string {
  let value: unknown = JSON.parse(body.toString());
  for (const key of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return String(value);
}
