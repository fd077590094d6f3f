// The `sluice` command: finds the subcommand and runs it. Each is loaded when it is asked for, so that none waits for another.

type Command = { help: string; load(): Promise<{ run(args: string[]): Promise<number> }> };

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['serve', { help: 'serves the Kubernetes API', load: () => import('./serve.ts') }],
  ['seed', { help: 'fills a server with objects', load: () => import('./seed.ts') }],
  ['bench', { help: 'measures servers', load: () => import('./bench.ts') }],
  [
    'conformance',
    { help: "holds a server's answers against kube-apiserver's", load: () => import('./conformance.ts') },
  ],
  [
    'convert',
    { help: 'shows an object or a list in another representation', load: () => import('./convert.ts') },
  ],
  [
    'verify-list-types',
    { help: 'checks that every list type can be streamed', load: () => import('./verify-list-types.ts') },
  ],
]);

const NAME_WIDTH = 18;

const [name = 'help', ...rest] = process.argv.slice(2);
process.exitCode = await runCommand(name, rest);

async function runCommand(command: string, args: string[]): Promise<number> {
  switch (command) {
    case 'help':
    case '--help':
    case '-h':
      process.stdout.write(usage());
      return 0;
    case 'version':
    case '--version': {
      const { GIT_VERSION, SLUICE_VERSION } = await import('@sluice/server');
      process.stdout.write(`sluice ${SLUICE_VERSION}, serves Kubernetes ${GIT_VERSION}\n`);
      return 0;
    }
  }
  const found = COMMANDS.get(command);
  if (found === undefined) {
    process.stderr.write(`sluice: no command ${command}\n${usage()}`);
    return 1;
  }
  try {
    const { run } = await found.load();
    return await run(args);
  } catch (error) {
    process.stderr.write(`sluice ${command}: ${explained(error)}\n`);
    return 1;
  }
}

/** What a person can do something about is one line; a mistake of this program shows where it happened. */
function explained(error: unknown): string {
  const isOurs = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  if (!(error instanceof Error) || isOurs) return String((error as Error)?.stack ?? error);
  return error.message;
}

function usage(): string {
  const lines = [...COMMANDS].map(([name, { help }]) => `  ${name.padEnd(NAME_WIDTH)} ${help}`);
  return `usage: sluice COMMAND [FLAGS]\n\n${lines.join('\n')}\n  ${'version'.padEnd(NAME_WIDTH)} tells which this is\n\nsluice COMMAND --help tells its flags.\n`;
}
