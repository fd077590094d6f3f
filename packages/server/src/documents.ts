// The paths that name no resource: discovery, OpenAPI, health, version, metrics, and the index of them all.
import type { Kinds } from '@sluice/resources';
import type { ApiRequest, WholeAnswer } from './api.ts';
import { answerIndex, openDiscovery } from './discovery.ts';
import type { Gates } from './gates.ts';
import { answerHealth, type HealthSources, healthPaths } from './health.ts';
import type { Metrics } from './metrics.ts';
import { producible, type Wishes } from './negotiation.ts';
import { openOpenApi } from './openapi.ts';
import type { Route } from './request.ts';
import type { RequestInfo } from './request-info.ts';
import { answerVersion } from './version.ts';

export type DocumentRoute = Exclude<Route, { to: 'resource' | 'error' }>;

export interface Documents {
  answer(route: DocumentRoute, info: RequestInfo, request: ApiRequest, wishes: Wishes): Promise<WholeAnswer>;
}

export type DocumentSources = {
  kinds: Kinds;
  gates: Gates;
  metrics: Metrics;
  health: HealthSources;
  /** `host:port`, once it listens. */
  address: () => string;
};

export function openDocuments({ kinds, gates, metrics, health, address }: DocumentSources): Documents {
  const discovery = openDiscovery(kinds, address);
  const openApi = openOpenApi(kinds);
  const offered = producible(gates);
  const index = (): string[] => [
    ...discovery.paths(),
    ...healthPaths(health),
    '/metrics',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/',
    '/version',
  ];
  return {
    async answer(route, info, request, wishes) {
      const ifNoneMatch = request.headers['if-none-match'];
      switch (route.to) {
        case 'discovery':
          return discovery.answer(route.document, { wishes, ifNoneMatch }, offered);
        case 'root':
          return answerIndex(index());
        case 'health':
          return answerHealth(info.path, request.query, health) ?? NOWHERE;
        case 'version':
          return answerVersion(wishes.accept);
        case 'metrics':
          return metrics.answer();
        case 'openapi':
          return openApi.answer({
            path: info.path,
            query: request.query,
            accept: wishes.accept,
            ifNoneMatch,
          });
        case 'nowhere':
          return NOWHERE;
      }
    },
  };
}

/** Go's own words for a path nobody serves. */
const NOWHERE: WholeAnswer = {
  type: 'whole',
  code: 404,
  mediaType: 'text/plain; charset=utf-8',
  body: Buffer.from('404 page not found\n'),
  headers: { 'X-Content-Type-Options': 'nosniff' },
};
