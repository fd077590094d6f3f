// The flags of `sluice serve`, named as kube-apiserver names its own where it has the same.
import { join } from 'node:path';
import {
  COMPACTION_INTERVAL_MS,
  DEFAULT_GATES,
  DEFAULT_LIMITS,
  GATES,
  type Gates,
  type Limits,
} from '@sluice/server';
import { encodedCacheBudget } from './encoded-cache-budget.ts';
import {
  bytesFlag,
  countFlag,
  describeFlags,
  durationFlag,
  type FlagValues,
  gatesFlag,
  portFlag,
  readFlags,
  switchFlag,
  textFlag,
} from './flags.ts';

const FLAGS = {
  'secure-port': portFlag(6443, 'where to listen, HTTPS; 0 for any free port (6443)'),
  'bind-address': textFlag('127.0.0.1', 'ADDRESS', 'on which address; 0.0.0.0 for all of them (127.0.0.1)'),
  'data-dir': textFlag('./sluice-data', 'DIR', 'where objects and certificates are kept (./sluice-data)'),
  'in-memory': switchFlag('keep nothing: objects and certificates are gone when it stops'),
  'cert-dir': textFlag(undefined, 'DIR', 'where certificates are kept (DATA-DIR/pki)'),
  'kubeconfig-out': textFlag(
    undefined,
    'FILE',
    "where the administrator's kubeconfig is written (DATA-DIR/kubeconfig)",
  ),
  'token-auth-file': textFlag(
    undefined,
    'FILE',
    'users by bearer token: lines of token,user,uid,"group1,group2"',
  ),
  'pid-file': textFlag(undefined, 'FILE', 'where the process id is written'),
  'encoded-cache-bytes': bytesFlag(
    encodedCacheBudget(),
    'memory for encoded and compressed parts of lists, such as 64Mi (a sixteenth of the memory)',
  ),
  'etcd-compaction-interval': durationFlag(
    COMPACTION_INTERVAL_MS,
    'how often the store forgets old revisions, such as 1m30s; 0 keeps all of them (5m0s)',
  ),
  'max-requests-inflight': countFlag(
    DEFAULT_LIMITS.requestsInFlight,
    'reading requests answered at a time, watches not counted; who comes above is told 429; 0 for any number (400)',
  ),
  'max-mutating-requests-inflight': countFlag(
    DEFAULT_LIMITS.mutatingRequestsInFlight,
    'the same of requests that change something (200)',
  ),
  'request-timeout': durationFlag(
    DEFAULT_LIMITS.requestTimeoutMs,
    'how long a request may take to the first byte of its answer, and a reader between two writes (1m0s)',
  ),
  'min-request-timeout': countFlag(
    DEFAULT_LIMITS.minRequestTimeoutMs / 1000,
    'seconds after which a watch that names no time may end; twice that at most (1800)',
  ),
  'feature-gates': gatesFlag(DEFAULT_GATES, 'what to switch on or off; the gates are listed below'),
  version: switchFlag('tell the version and stop'),
  help: switchFlag('tell this and stop'),
};

export type ServeFlags = {
  host: string;
  port: number;
  /** Undefined: nothing is kept. */
  storeDirectory: string | undefined;
  certificateDirectory: string | undefined;
  /** Undefined: a file of its own in the system's directory for such. */
  kubeconfig: string | undefined;
  tokenFile: string | undefined;
  pidFile: string | undefined;
  encodedCacheBytes: number;
  /** 0: the store forgets nothing. */
  compactionIntervalMs: number;
  limits: Limits;
  gates: Gates;
};

/** @throws FlagError */
export function readServeFlags(args: readonly string[]): ServeFlags | 'help' | 'version' {
  const values: FlagValues<typeof FLAGS> = readFlags(args, FLAGS);
  if (values.help) return 'help';
  if (values.version) return 'version';
  const dataDirectory = values['in-memory'] ? undefined : values['data-dir'];
  const inData = (name: string): string | undefined => dataDirectory && join(dataDirectory, name);
  return {
    host: values['bind-address'],
    port: values['secure-port'],
    storeDirectory: inData('store'),
    certificateDirectory: values['cert-dir'] ?? inData('pki'),
    kubeconfig: values['kubeconfig-out'] ?? inData('kubeconfig'),
    tokenFile: values['token-auth-file'],
    pidFile: values['pid-file'],
    encodedCacheBytes: values['encoded-cache-bytes'],
    compactionIntervalMs: values['etcd-compaction-interval'],
    limits: {
      requestsInFlight: values['max-requests-inflight'],
      mutatingRequestsInFlight: values['max-mutating-requests-inflight'],
      requestTimeoutMs: values['request-timeout'],
      minRequestTimeoutMs: values['min-request-timeout'] * 1000,
    },
    gates: values['feature-gates'],
  };
}

export function serveUsage(): string {
  return `usage: sluice serve [FLAGS]\n\nServes the Kubernetes API until SIGTERM or SIGINT.\n\n${describeFlags(FLAGS)}\nfeature gates:\n${describeGates()}`;
}

function describeGates(): string {
  return Object.entries(GATES)
    .map(([name, { initial, help }]) => `  ${name}=${initial}\n      ${help}\n`)
    .join('');
}
