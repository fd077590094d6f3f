// What @sluice/server gives to other packages.
export type { User } from './api.ts';
export type { Tokens } from './authentication.ts';
export type { RunningServer, ServerOptions } from './server.ts';
export { startServer } from './server.ts';
export { parseTokenFile } from './token-file.ts';
export { GIT_VERSION, SLUICE_VERSION } from './version.ts';
