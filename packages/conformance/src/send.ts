// Sends one step: fills in its variables, builds headers and body, waits for the answer it asks for.
import { gunzipSync } from 'node:zlib';
import { type Answer, readSome, readWhole } from './answer.ts';
import type { Connection, Question } from './connection.ts';
import type { Step } from './transcript.ts';
import { fillText, fillTree, saveVariables, type Variables } from './variables.ts';

/** No step may wait longer than this for its answer. */
export const STEP_LIMIT_MS = 30_000;
const RETRY_PAUSE_MS = 200;

export async function sendStep(connection: Connection, step: Step, variables: Variables): Promise<Answer> {
  if (step.align) await sleep(1005 - (Date.now() % 1000));
  const signal = AbortSignal.timeout(STEP_LIMIT_MS);
  const question = buildQuestion(connection, step, variables, signal);
  const answer = await askFor(connection, step, question, variables);
  if (answer.headers['content-encoding'] === 'gzip') answer.body = gunzipSync(answer.body);
  saveVariables(step, answer, variables);
  return answer;
}

function buildQuestion(
  connection: Connection,
  step: Step,
  variables: Variables,
  signal: AbortSignal,
): Question {
  const given = fillTree(step.headers ?? {}, variables) as Record<string, string | null>;
  const body = buildBody(step, variables);
  const headers: Record<string, string | null> = {
    'User-Agent': 'replay/1.0',
    Accept: 'application/json',
    ...given,
  };
  if (connection.token !== undefined && !('Authorization' in given)) {
    headers.Authorization = `Bearer ${connection.token}`;
  }
  if (body !== undefined) {
    const names = Object.keys(given).map((name) => name.toLowerCase());
    if (!names.includes('content-type')) headers['Content-Type'] = 'application/json';
    headers['Content-Length'] = String(body.length);
  }
  return {
    protocol: step.protocol ?? 'h1',
    withoutCertificate: 'Authorization' in given,
    method: fillText(step.method ?? 'GET', variables),
    path: fillText(step.path, variables),
    headers: withoutNulls(headers),
    body,
    signal,
  };
}

function withoutNulls(headers: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

function buildBody(step: Step, variables: Variables): Buffer | undefined {
  const body = unpaddedBody(step, variables);
  if (body === undefined || step.pad === undefined) return body;
  const missing = Math.max(0, step.pad - body.length + '@PAD@'.length);
  return Buffer.from(body.toString().replace('@PAD@', 'x'.repeat(missing)));
}

function unpaddedBody({ body, bodyBase64 }: Step, variables: Variables): Buffer | undefined {
  if (bodyBase64 !== undefined) {
    // latin1 keeps each byte, so a variable can be filled in between others.
    const text = Buffer.from(bodyBase64, 'base64').toString('latin1');
    return Buffer.from(fillText(text, variables), 'latin1');
  }
  if (typeof body === 'string') return Buffer.from(fillText(body, variables));
  if (body !== undefined) return Buffer.from(JSON.stringify(fillTree(body, variables)));
  return undefined;
}

async function askFor(
  connection: Connection,
  step: Step,
  question: Question,
  variables: Variables,
): Promise<Answer> {
  if (step.collect) {
    const events = readSome(await connection.ask(question), step.collect);
    for (const other of step.during ?? []) await sendStep(connection, other, variables);
    return events;
  }
  const deadline = Date.now() + (step.retry?.ms ?? 0);
  for (;;) {
    const answer = await readWhole(await connection.ask(question));
    if (!step.retry || answer.status === step.retry.until || Date.now() > deadline) return answer;
    await sleep(RETRY_PAUSE_MS);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
