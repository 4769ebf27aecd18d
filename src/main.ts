import { Command, CommanderError } from 'commander';
import { PlumblineError } from './errors.ts';
import { registerCommands } from './cli/commands.ts';
import { VERSION } from './version.ts';

const EXIT_USAGE = 1;
const EXIT_BUG = 70; // EX_SOFTWARE of sysexits.h

/** The command line. Every command composes what it needs (src/cli/compose.ts) and calls one operation. */
async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('plumbline')
    .description('Property valuation and location data from your own sales and public records')
    .version(VERSION)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(describeUsageError(text, program, argv)) });
  await registerCommands(program, argv);
  try {
    await program.parseAsync(argv, { from: 'user' });
    // A command may report what it found.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error);
  }
}

/** A wrong command line as one line, which names the help of the command that was meant. */
function describeUsageError(text: string, program: Command, argv: readonly string[]): string {
  const words = ['plumbline'];
  let command = program;
  for (const word of argv) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    words.push(word);
    command = next;
  }
  const reason = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
  return `plumbline: ${reason}. See "${words.join(' ')} --help".\n`;
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
