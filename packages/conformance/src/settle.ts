// Turns an answer into what two servers must agree on: status, some headers, and the body the way the step compares it.
import { createHash } from 'node:crypto';
import type { Answer } from './answer.ts';
import { cborSequence, cborTree } from './cbor-tree.ts';
import { dropJsonMember, dropYamlMember } from './drop-member.ts';
import { splitFrames } from './frames.ts';
import { rankRevisions, type Settling, settleText } from './settle-text.ts';
import { blankCells, pickParts, settleTree, sortKeys } from './settle-tree.ts';
import type { SettledAnswer, Step } from './transcript.ts';
import type { Variables } from './variables.ts';
import { protobufTree, settleWire } from './wire-tree.ts';

const COMPARED_HEADERS = [
  'content-type',
  'content-encoding',
  'vary',
  'cache-control',
  'retry-after',
  'warning',
];
/** A longer text is kept as its hash. */
const BODY_LIMIT_CHARS = 20_000;

/** What a body is read with. */
type Reading = Settling & { step: Step; ignore: readonly string[]; mask: (text: string) => string };

export function settle(step: Step, answer: Answer, variables: Variables): SettledAnswer {
  const reading: Reading = {
    step,
    variables,
    ranks: step.rvs === 'rank' ? rankRevisions(answer.body.toString('latin1')) : undefined,
    ignore: step.ignore ?? ['managedFields'],
    mask: maskWith(step.mask ?? []),
  };
  const settled: SettledAnswer = { status: answer.status, headers: settleHeaders(answer, reading) };
  if (!answer.complete) settled.complete = false;
  if (step.collect?.end) settled.ended = answer.ended;
  return Object.assign(settled, readBody(answer, reading));
}

function settleHeaders(answer: Answer, reading: Reading): Record<string, string> {
  const names = [...COMPARED_HEADERS, ...(reading.step.headersToo ?? [])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = answer.headers[name];
      return value === undefined ? [] : [[name, reading.mask(settleText(String(value), reading))]];
    }),
  );
}

function readBody(answer: Answer, reading: Reading): Record<string, unknown> {
  try {
    return bodyAs(reading.step.compare ?? 'bytes', answer, reading);
  } catch (error) {
    const start = answer.body.subarray(0, 200).toString('base64');
    return { unreadable: `${(error as Error).message}: ${start}` };
  }
}

function bodyAs(mode: string, answer: Answer, reading: Reading): Record<string, unknown> {
  const { body } = answer;
  if (mode === 'status') return {};
  if (mode === 'protobuf') return { protobuf: protobufText(body, reading) };
  if (mode === 'frames') {
    const { frames, rest } = splitFrames(body);
    return { frames: frames.map((frame) => protobufText(frame, reading)), ...(rest > 0 ? { rest } : {}) };
  }
  if (mode === 'cbor') return { cbor: sortKeys(settleTree(cborTree(body), reading, reading.ignore)) };
  if (mode === 'cbor-seq') return { cbor: sortKeys(settleTree(cborSequence(body), reading, reading.ignore)) };
  if (mode === 'json') return { json: jsonTree(body, reading) };
  if (mode.startsWith('prefix:')) {
    return { prefix: reading.mask(body.toString().slice(0, Number(mode.slice('prefix:'.length)))) };
  }
  return { body: bodyText(answer, reading) };
}

function protobufText(bytes: Buffer, reading: Reading): string {
  return JSON.stringify(settleTree(settleWire(protobufTree(bytes), reading.ignore), reading, []));
}

function jsonTree(body: Buffer, reading: Reading): unknown {
  const { step, ignore, mask } = reading;
  const tree: unknown = JSON.parse(body.toString());
  if (step.ignoreCells) blankCells(tree, step.ignoreCells);
  const part = step.pick ? pickParts(tree, step.pick) : tree;
  return JSON.parse(mask(JSON.stringify(sortKeys(settleTree(part, reading, ignore)))));
}

function bodyText(answer: Answer, reading: Reading): string {
  const { step, ignore, mask } = reading;
  const isYaml = String(answer.headers['content-type']).startsWith('application/yaml');
  let text = answer.body.toString();
  for (const name of ignore) text = isYaml ? dropYamlMember(text, name) : dropJsonMember(text, name);
  if (step.ignoreCells) text = text.replace(/([" ])(?:\d+[smhdy]){1,2}(?=["\n])/g, '$1<age>');
  const settled = mask(settleText(text, reading));
  if (settled.length <= BODY_LIMIT_CHARS) return settled;
  return `sha256:${createHash('sha256').update(settled).digest('hex')} ${settled.length} chars`;
}

function maskWith(patterns: readonly string[]): (text: string) => string {
  const expressions = patterns.map((pattern) => new RegExp(pattern, 'g'));
  return (text) => expressions.reduce((masked, expression) => masked.replace(expression, '<masked>'), text);
}
