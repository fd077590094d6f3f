// `sluice bench list`: lists from each subject in turn, again and again, and prints what it took.
import { parseArgs } from 'node:util';
import {
  failedLists,
  type ListOptions,
  type Measured,
  measureLists,
  printTable,
  type Subject,
} from '@sluice/bench';
import { readCommandLine } from '../command-line.ts';
import { readWholeNumber } from '../whole-number.ts';
import { readSubject } from './subjects.ts';

const USAGE = `usage: sluice bench list --subject NAME=KUBECONFIG[,pid=N] [--subject ...] [--uri PATH] [--accept TYPE]
                        [--encoding gzip] [--http 1.1|2] [--readers N] [--reps N]

  --subject   a server; with its process id, its CPU and memory are read from /proc
  --uri       what is listed (/api/v1/pods?resourceVersion=0)
  --accept    the representation (application/json)
  --encoding  the Accept-Encoding that is sent (identity)
  --readers   lists at the same time (1), each on a connection of its own
  --reps      lists of each reader, one after the other (5)

Reads with curl and throws away what it reads. Exit code 1 when a list failed.
`;

export async function run(args: string[]): Promise<number> {
  const line = readCommandLine(args, USAGE, readPlan);
  if (line.exit !== undefined) return line.exit;
  const { settings: plan } = line;
  const measured: Measured[] = [];
  for (const subject of plan.subjects) measured.push(await measureLists(subject, plan.options));
  process.stdout.write(printTable(measured));
  return measured.some((one) => failedLists(one) > 0) ? 1 : 0;
}

function readPlan(args: string[]): { subjects: Subject[]; options: ListOptions } {
  const { values } = parseArgs({
    args,
    options: {
      subject: { type: 'string', multiple: true, default: [] },
      uri: { type: 'string', default: '/api/v1/pods?resourceVersion=0' },
      accept: { type: 'string', default: 'application/json' },
      encoding: { type: 'string', default: 'identity' },
      http: { type: 'string', default: '2' },
      readers: { type: 'string', default: '1' },
      reps: { type: 'string', default: '5' },
    },
  });
  if (values.subject.length === 0) throw new Error('--subject is missing');
  const { uri, accept, encoding, http } = values;
  if (http !== '1.1' && http !== '2') throw new Error('--http must be 1.1 or 2');
  const readers = readWholeNumber('readers', values.readers, 1);
  const reps = readWholeNumber('reps', values.reps, 1);
  return {
    subjects: values.subject.map((text) => readSubject(text).subject),
    options: { uri, accept, encoding, http, readers, reps },
  };
}
