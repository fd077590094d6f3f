// What @sluice/server gives to other packages.
export type { User } from './api.ts';
export type { Tokens } from './authentication.ts';
export { COMPACTION_INTERVAL_MS } from './compaction.ts';
export { parseDuration } from './durations.ts';
export { DEFAULT_GATES, GATES, type GateName, type Gates, parseGates } from './gates.ts';
export { DEFAULT_LIMITS, type Limits } from './limits.ts';
export type { YamlDocument } from './objects/yaml.ts';
export { readYaml } from './objects/yaml.ts';
export type { RunningServer, ServerOptions } from './server.ts';
export { startServer } from './server.ts';
export { parseTokenFile } from './token-file.ts';
export { GIT_VERSION, SLUICE_VERSION } from './version.ts';
