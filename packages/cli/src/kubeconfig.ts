// The kubeconfig file: written for the server's administrator, read to reach any server.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { writeWhole } from './certificates.ts';
import type { Pair } from './x509.ts';

/** How to reach a server, and as whom. PEM texts. */
export type Access = {
  server: string;
  ca: string | undefined;
  cert: string | undefined;
  key: string | undefined;
  token: string | undefined;
  insecure: boolean;
};

/** Readable by its owner only: it holds an administrator's key. */
export function writeKubeconfig(file: string, server: string, ca: string, admin: Pair): void {
  const text = `apiVersion: v1
kind: Config
clusters:
- name: sluice
  cluster:
    server: ${server}
    certificate-authority-data: ${base64(ca)}
users:
- name: sluice-admin
  user:
    client-certificate-data: ${base64(admin.cert)}
    client-key-data: ${base64(admin.key)}
contexts:
- name: sluice
  context:
    cluster: sluice
    user: sluice-admin
current-context: sluice
`;
  writeWhole(file, text, 0o600);
}

/**
 * The current context's cluster and user, YAML or JSON. Paths in it are relative to the file.
 * @throws Error that names the file and what it lacks
 */
export function readKubeconfig(file: string): Access {
  try {
    return accessOf(readConfig(file), dirname(resolve(file)));
  } catch (error) {
    throw new Error(`kubeconfig ${file}: ${(error as Error).message}`, { cause: error });
  }
}

type Named<Part extends string, Content> = { name?: string } & { [part in Part]?: Content };
type Cluster = {
  server?: string;
  'certificate-authority'?: string;
  'certificate-authority-data'?: string;
  'insecure-skip-tls-verify'?: boolean;
};
type UserEntry = {
  'client-certificate'?: string;
  'client-certificate-data'?: string;
  'client-key'?: string;
  'client-key-data'?: string;
  token?: string;
  tokenFile?: string;
};
type Config = {
  'current-context'?: string;
  clusters?: Named<'cluster', Cluster>[];
  users?: Named<'user', UserEntry>[];
  contexts?: Named<'context', { cluster?: string; user?: string }>[];
};

function readConfig(file: string): Config {
  const config: unknown = parse(readFileSync(file, 'utf8'));
  if (typeof config !== 'object' || config === null) throw new Error('is not a map of settings');
  return config as Config;
}

/** Without a current context the only one there is counts. */
function accessOf(config: Config, directory: string): Access {
  const name = config['current-context'] || (config.contexts?.length === 1 ? config.contexts[0]?.name : '');
  const context = named(config.contexts, name, 'context')?.context;
  const cluster = named(config.clusters, context?.cluster, 'cluster')?.cluster;
  const user = context?.user ? named(config.users, context.user, 'user')?.user : undefined;
  const server = cluster?.server;
  if (!server) throw new Error(`cluster "${context?.cluster}" has no server`);
  const read = (data: string | undefined, path: string | undefined): string | undefined => {
    if (data) return Buffer.from(data, 'base64').toString();
    return path ? readFileSync(resolve(directory, path), 'utf8') : undefined;
  };
  return {
    server,
    ca: read(cluster['certificate-authority-data'], cluster['certificate-authority']),
    cert: read(user?.['client-certificate-data'], user?.['client-certificate']),
    key: read(user?.['client-key-data'], user?.['client-key']),
    token: user?.token ?? read(undefined, user?.tokenFile)?.trim(),
    insecure: cluster['insecure-skip-tls-verify'] === true,
  };
}

function named<Entry extends { name?: string }>(
  entries: readonly Entry[] | undefined,
  name: string | undefined,
  what: string,
): Entry | undefined {
  const entry = entries?.find((candidate) => candidate.name === name);
  if (entry === undefined) throw new Error(name ? `has no ${what} "${name}"` : `has no current ${what}`);
  return entry;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
