// `sluice seed`: fills any API server with ConfigMaps, Pods or custom resources, through its API.
import { parseArgs } from 'node:util';
import { readCommandLine } from './command-line.ts';
import { type Access, readKubeconfig } from './kubeconfig.ts';
import { type Client, openClient } from './seed/client.ts';
import { type Filled, fill } from './seed/fill.ts';
import { openProgress } from './seed/progress.ts';
import { WORKLOADS } from './seed/workload.ts';
import { readWholeNumber } from './whole-number.ts';

const USAGE = `usage: sluice seed --kubeconfig FILE --kind configmaps|pods|customresources --count N
                   [--bytes B] [--namespace NS] [--workers N] [--start-at N]

  --kind       configmaps: random text; pods: about 15 KB each, as a Deployment makes them, with their status;
               customresources: Widgets of example.test with spec and status of such a Pod
  --bytes      characters of random text in each: the data of a ConfigMap (1000), an annotation of the others (0)
  --namespace  is created when it is missing (default)
  --workers    objects on their way at the same time (16)
  --start-at   the number in the first name: cm-000000, pod-000000, w-000000 (0)

Exit code 1 when an object could not be written.
`;

export type Seeding = {
  kind: string;
  count: number;
  bytes: number;
  namespace: string;
  workers: number;
  startAt: number;
};
type Settings = Seeding & { kubeconfig: string };

export async function run(args: string[]): Promise<number> {
  const line = readCommandLine(args, USAGE, readSettings);
  if (line.exit !== undefined) return line.exit;
  const { settings } = line;
  const filled = await seed(readKubeconfig(settings.kubeconfig), settings);
  process.stdout.write(`${describe(settings, filled)}\n`);
  return filled.failed > 0 ? 1 : 0;
}

export async function seed(access: Access, seeding: Seeding): Promise<Filled> {
  const { kind, count, startAt, workers, namespace } = seeding;
  const client = openClient(access, workers);
  try {
    const workload = WORKLOADS[kind]!(seeding);
    await createNamespace(client, namespace);
    await workload.prepare(client);
    const progress = openProgress(process.stderr, kind, count);
    const onFailure = (text: string) => process.stderr.write(`${text}\n`);
    return await fill(client, workload, { count, startAt, workers, progress, onFailure });
  } finally {
    client.close();
  }
}

async function createNamespace(client: Client, name: string): Promise<void> {
  const body = { kind: 'Namespace', apiVersion: 'v1', metadata: { name } };
  const { code, text } = await client.send('POST', '/api/v1/namespaces', body);
  if (code !== 201 && code !== 409) throw new Error(`namespace ${name} was refused: ${code} ${text}`);
}

function readSettings(args: string[]): Settings {
  const { values } = parseArgs({
    args,
    options: {
      kubeconfig: { type: 'string' },
      kind: { type: 'string' },
      count: { type: 'string' },
      bytes: { type: 'string' },
      namespace: { type: 'string', default: 'default' },
      workers: { type: 'string', default: '16' },
      'start-at': { type: 'string', default: '0' },
    },
  });
  const { kubeconfig, kind, namespace } = values;
  if (kubeconfig === undefined) throw new Error('--kubeconfig is missing');
  if (kind === undefined || !Object.hasOwn(WORKLOADS, kind)) {
    throw new Error(`--kind must be one of ${Object.keys(WORKLOADS).join(', ')}`);
  }
  return {
    kubeconfig,
    kind,
    namespace,
    count: readWholeNumber('count', values.count, 1),
    bytes: readWholeNumber('bytes', values.bytes ?? (kind === 'configmaps' ? '1000' : '0'), 0),
    workers: readWholeNumber('workers', values.workers, 1),
    startAt: readWholeNumber('start-at', values['start-at'], 0),
  };
}

function describe({ kind, count }: Settings, { seconds, failed, alreadyThere }: Filled): string {
  const rate = (count / seconds).toFixed(0);
  const there = alreadyThere > 0 ? `, ${alreadyThere} were there` : '';
  return `${count} ${kind} in ${seconds.toFixed(1)} s = ${rate}/s, failed ${failed}${there}`;
}
