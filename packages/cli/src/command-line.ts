// What every subcommand does with its arguments first: tells its usage when asked, or when they can't be read.

/** What was asked for, or the code to exit with at once. */
export type CommandLine<Settings> = { settings: Settings; exit?: undefined } | { exit: number };

const MISUSE = 2;

/**
 * Settings out of a subcommand's arguments. `--help` prints the usage on standard output and exits 0; arguments that
 * `read` throws at print its message and the usage on standard error and exit 2.
 */
export function readCommandLine<Settings>(
  args: string[],
  usage: string,
  read: (args: string[]) => Settings,
): CommandLine<Settings> {
  if (args.includes('--help')) {
    process.stdout.write(usage);
    return { exit: 0 };
  }
  try {
    return { settings: read(args) };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}`);
    return { exit: MISUSE };
  }
}
