// /version: which Kubernetes this server behaves like, and which Sluice it is.
import { indentJson, type JsonObject, printJson } from '@sluice/encoding';
import { notAcceptableRoute } from '@sluice/resources';
import { routerAccepts } from './accept.ts';
import type { WholeAnswer } from './api.ts';

/** Of this package. */
export const SLUICE_VERSION = '0.1.0';

/** Clients compare major and minor with their own; what follows `+` they leave aside. */
export const GIT_VERSION: string = `v1.37.2+sluice.${SLUICE_VERSION}`;

/** @throws ApiError 406 */
export function answerVersion(accept: string | undefined): WholeAnswer {
  const asked = accept?.trim() || '*/*';
  if (!routerAccepts(asked, [JSON_TYPE])) throw notAcceptableRoute([JSON_TYPE]);
  return { type: 'whole', code: 200, mediaType: JSON_TYPE, body: BODY };
}

const JSON_TYPE = 'application/json';

/** `goVersion` and `compiler` are members every client's type has; what runs is Node. */
const VERSION: JsonObject = new Map([
  ['major', '1'],
  ['minor', '37'],
  ['emulationMajor', '1'],
  ['emulationMinor', '37'],
  ['minCompatibilityMajor', '1'],
  ['minCompatibilityMinor', '36'],
  ['gitVersion', GIT_VERSION],
  ['gitCommit', ''],
  ['gitTreeState', ''],
  ['buildDate', '1970-01-01T00:00:00Z'],
  ['goVersion', `node${process.versions.node}`],
  ['compiler', 'gc'],
  ['platform', `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`],
]);

const BODY = indentJson(printJson(VERSION));
