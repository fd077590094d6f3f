// /healthz, /livez, /readyz: `ok`, or check by check, each also at a path of its own.
import type { Query, WholeAnswer } from './api.ts';

/** What the server knows of itself; a text says what is wrong, null that nothing is. */
export type HealthSources = {
  store(): string | null;
  cache(): string | null;
  servingCertificate(): string | null;
  isStopping(): boolean;
};

/** Undefined: there is no such page or check. */
export function answerHealth(path: string, query: Query, sources: HealthSources): WholeAnswer | undefined {
  const [, page = '', ...rest] = path.split('/');
  const checks = pageChecks(page, sources);
  if (checks === undefined) return undefined;
  if (rest.length === 0) return answerPage(page, checks, query);
  const check = checks.find(({ name }) => name === rest.join('/'));
  if (check === undefined) return undefined;
  const problem = check.problem();
  return problem === null ? text(200, 'ok') : text(500, `internal server error: ${problem}\n`);
}

/** The paths of all pages and checks, for the index at `/`. */
export function healthPaths(sources: HealthSources): string[] {
  return PAGES.flatMap((page) => [
    `/${page}`,
    ...(pageChecks(page, sources) ?? []).map(({ name }) => `/${page}/${name}`),
  ]);
}

type Check = { name: string; problem(): string | null };

const PAGES = ['healthz', 'livez', 'readyz'] as const;

/** Named as the reference names them, where probes ask for one by name: `etcd` is the store, `informer-sync` the watch cache. */
function pageChecks(page: string, sources: HealthSources): Check[] | undefined {
  const alive: Check[] = [
    { name: 'ping', problem: () => null },
    { name: 'log', problem: () => null },
  ];
  const store: Check = { name: 'etcd', problem: sources.store };
  switch (page) {
    case 'healthz':
    case 'livez':
      return [...alive, { name: 'loopback-serving-certificate', problem: sources.servingCertificate }, store];
    case 'readyz':
      return [
        ...alive,
        store,
        { name: 'etcd-readiness', problem: sources.store },
        { name: 'informer-sync', problem: sources.cache },
        { name: 'shutdown', problem: () => (sources.isStopping() ? 'process is shutting down' : null) },
      ];
    default:
      return undefined;
  }
}

/** The page is public: what is wrong is told at the check's own path only. */
function answerPage(page: string, checks: readonly Check[], query: Query): WholeAnswer {
  const excluded = new Set(query.all('exclude'));
  let hasFailed = false;
  let lines = '';
  for (const { name, problem } of checks) {
    if (excluded.delete(name)) {
      lines += `[+]${name} excluded: ok\n`;
    } else if (problem() === null) {
      lines += `[+]${name} ok\n`;
    } else {
      lines += `[-]${name} failed: reason withheld\n`;
      hasFailed = true;
    }
  }
  if (excluded.size > 0) {
    const names = [...excluded].map((name) => `"${name}"`).join(', ');
    lines += `warn: some health checks cannot be excluded: no matches for ${names}\n`;
  }
  if (hasFailed) return text(500, `${lines}${page} check failed\n`);
  return text(200, query.has('verbose') ? `${lines}${page} check passed\n` : 'ok');
}

function text(code: number, body: string): WholeAnswer {
  const headers = { 'X-Content-Type-Options': 'nosniff' };
  return { type: 'whole', code, mediaType: 'text/plain; charset=utf-8', body: Buffer.from(body), headers };
}
