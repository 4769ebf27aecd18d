import type { Command } from 'commander';

interface KnownCommand {
  readonly description: string;
  readonly load: () => Promise<(program: Command) => void>;
  /** A command that only this program calls. */
  readonly isHidden?: true;
}

/** Every command, in the order in which a newcomer needs them. */
const COMMANDS: Readonly<Record<string, KnownCommand>> = {
  demo: {
    description:
      'generate the sample county on the first start, print a key and a sign-in, serve (npm start)',
    load: async () => (await import('./demo.ts')).registerDemo,
  },
  inspect: {
    description: 'show how a file would be read, what its checks find and which rows would be rejected',
    load: async () => (await import('./inspect.ts')).registerInspect,
  },
  import: {
    description: 'import data of a market and its places (docs/operations/import.md)',
    load: async () => (await import('./import.ts')).registerImport,
  },
  'import-upload': {
    description: 'import a file that was uploaded in the console, and train its market',
    load: async () => (await import('./import-upload.ts')).registerImportUpload,
    isHidden: true,
  },
  fetch: {
    description: 'download public data from its publisher and import it (docs/operations)',
    load: async () => (await import('./fetch.ts')).registerFetch,
  },
  train: {
    description:
      'train models on a market’s newest sales and rents, calibrate them on holdout months, activate them',
    load: async () => (await import('./train.ts')).registerTrain,
  },
  rollback: {
    description: 'take a market’s newest models out of use, so that the ones before them are active again',
    load: async () => (await import('./rollback.ts')).registerRollback,
  },
  activate: {
    description: 'put a model that was held back or rolled back in use',
    load: async () => (await import('./rollback.ts')).registerActivate,
  },
  backtest: {
    description: 'value past sales or rents with models that did not see them, and compare with the prices',
    load: async () => (await import('./backtest.ts')).registerBacktest,
  },
  accuracy: {
    description: 'measure values from any source against sale prices: a ratio study of a CSV or Parquet file',
    load: async () => (await import('./accuracy.ts')).registerAccuracy,
  },
  sweep: {
    description: 'value every parcel of a market; run it again to continue after a crash',
    load: async () => (await import('./sweep.ts')).registerSweep,
  },
  markets: {
    description: 'show what is imported and trained',
    load: async () => (await import('./markets.ts')).registerMarkets,
  },
  market: {
    description: 'delete a market, or its old models and data',
    load: async () => (await import('./market.ts')).registerMarket,
  },
  sales: {
    description: 'review which sales are used',
    load: async () => (await import('./sales.ts')).registerSales,
  },
  value: {
    description: 'value one home, building or rental, as JSON',
    load: async () => (await import('./value.ts')).registerValue,
  },
  export: {
    description: 'write a market’s data, values, valuations or usage to a file',
    load: async () => (await import('./export.ts')).registerExport,
  },
  accounts: {
    description: 'create and list accounts, set their names and plans, check their credits',
    load: async () => (await import('./accounts.ts')).registerAccounts,
  },
  keys: {
    description: 'create, list, rotate and revoke API keys',
    load: async () => (await import('./keys.ts')).registerKeys,
  },
  users: {
    description: 'users of the console',
    load: async () => (await import('./users.ts')).registerUsers,
  },
  audit: {
    description: 'print the audit log: who changed what, newest first',
    load: async () => (await import('./audit.ts')).registerAudit,
  },
  usage: {
    description: 'show the requests and credits of an account in a month',
    load: async () => (await import('./usage.ts')).registerUsage,
  },
  webhooks: {
    description: 'the secret that signs webhooks',
    load: async () => (await import('./webhooks.ts')).registerWebhooks,
  },
  compact: {
    description:
      'rewrite the embedded database without free pages; needed once for a file of an earlier version',
    load: async () => (await import('./compact.ts')).registerCompact,
  },
  serve: {
    description: 'serve the API, the console and the documentation on HOST:PORT until stopped',
    load: async () => (await import('./serve.ts')).registerServe,
  },
  work: {
    description: 'work on jobs and send webhooks until stopped, without serving: for additional machines',
    load: async () => (await import('./work.ts')).registerWork,
  },
  jobs: {
    description: 'queued imports, trainings and backtests, and batches of all accounts',
    load: async () => (await import('./jobs.ts')).registerJobs,
  },
  backup: {
    description:
      'write a backup of the database to a new folder, while the service runs (docs/operations/backup.md)',
    load: async () => (await import('./backup.ts')).registerBackup,
  },
  restore: {
    description: 'restore a backup into an empty database, and list what it makes valid again',
    load: async () => (await import('./restore.ts')).registerRestore,
  },
  doctor: {
    description: 'examine the installation and change nothing; exits with 0, 1 (warnings) or 2 (errors)',
    load: async () => (await import('./doctor.ts')).registerDoctor,
  },
  mcp: {
    description:
      'run an MCP server on standard input and output: valuation and location tools for a language model',
    load: async () => (await import('./mcp.ts')).registerMcp,
  },
  openapi: {
    description: 'print the OpenAPI 3.1 document of this version',
    load: async () => (await import('./openapi.ts')).registerOpenApi,
  },
};

/** Commands that run until stopped, or whose only output is JSON. */
const WITHOUT_JSON_OPTION = ['demo', 'serve', 'work', 'mcp', 'openapi', 'value'];

/** Registers all commands with their options, for a reader that needs them all. */
export async function registerAllCommands(program: Command): Promise<void> {
  for (const name of Object.keys(COMMANDS)) await registerCommand(program, name);
}

/**
 * Registers what the words of a command line need: one command, or only the names of all commands if they name none.
 * Loading the sources of all commands takes longer than most commands run.
 */
export async function registerCommands(program: Command, words: readonly string[]): Promise<void> {
  const name = (words[0] === 'help' ? words[1] : words[0]) ?? '';
  if (Object.hasOwn(COMMANDS, name)) return registerCommand(program, name);
  for (const [name, { description, isHidden }] of Object.entries(COMMANDS)) {
    program.command(name, { hidden: isHidden }).description(description);
  }
}

async function registerCommand(program: Command, name: string): Promise<void> {
  const { description, load } = COMMANDS[name];
  const register = await load();
  register(program);
  const command = program.commands.find((registered) => registered.name() === name);
  if (!command) throw new Error(`${name} does not register itself`);
  command.description(description);
  if (!WITHOUT_JSON_OPTION.includes(name)) addJsonOption(command);
}

function addJsonOption(command: Command): void {
  if (command.commands.length === 0) command.option('--json', 'print JSON');
  command.commands.forEach(addJsonOption);
}
