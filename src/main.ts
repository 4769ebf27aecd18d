import { Command, CommanderError } from 'commander';
import { PlumblineError } from './errors.ts';
import { registerCommands } from './cli/commands.ts';

const EXIT_USAGE = 1;
const EXIT_BUG = 70; // EX_SOFTWARE of sysexits.h

/** The command line. Every command composes what it needs (src/cli/compose.ts) and calls one operation. */
async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('plumbline')
    .description('Property valuation and location data from your own sales and public records')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'plumbline: ')) });
  await registerCommands(program, argv[0]);
  try {
    await program.parseAsync(argv, { from: 'user' });
    // A command may report what it found.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error);
  }
}

/** Prints an expected error as one sentence. Any other error is a bug: its stack is printed for the report. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode;
  if (error instanceof PlumblineError) {
    console.error(`plumbline: ${error.message}`);
    return EXIT_USAGE;
  }
  console.error('plumbline: this is a bug; please report it with what follows.');
  console.error(error);
  return EXIT_BUG;
}

// If the reading program closes the pipe early (`plumbline openapi | head`), exit without an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await main(process.argv.slice(2));
