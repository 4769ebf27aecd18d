import type { Command } from 'commander';

type Register = (program: Command) => void;

/** Every command, in the order in which a newcomer needs them. */
const COMMANDS: Readonly<Record<string, () => Promise<Register>>> = {
  demo: async () => (await import('./demo.ts')).registerDemo,
  inspect: async () => (await import('./inspect.ts')).registerInspect,
  import: async () => (await import('./import.ts')).registerImport,
  'import-upload': async () => (await import('./import-upload.ts')).registerImportUpload,
  fetch: async () => (await import('./fetch.ts')).registerFetch,
  train: async () => (await import('./train.ts')).registerTrain,
  rollback: async () => (await import('./rollback.ts')).registerRollback,
  activate: async () => (await import('./rollback.ts')).registerActivate,
  backtest: async () => (await import('./backtest.ts')).registerBacktest,
  accuracy: async () => (await import('./accuracy.ts')).registerAccuracy,
  markets: async () => (await import('./markets.ts')).registerMarkets,
  sales: async () => (await import('./sales.ts')).registerSales,
  sweep: async () => (await import('./sweep.ts')).registerSweep,
  value: async () => (await import('./value.ts')).registerValue,
  accounts: async () => (await import('./accounts.ts')).registerAccounts,
  keys: async () => (await import('./keys.ts')).registerKeys,
  users: async () => (await import('./users.ts')).registerUsers,
  audit: async () => (await import('./audit.ts')).registerAudit,
  usage: async () => (await import('./usage.ts')).registerUsage,
  webhooks: async () => (await import('./webhooks.ts')).registerWebhooks,
  serve: async () => (await import('./serve.ts')).registerServe,
  work: async () => (await import('./work.ts')).registerWork,
  jobs: async () => (await import('./jobs.ts')).registerJobs,
  mcp: async () => (await import('./mcp.ts')).registerMcp,
  openapi: async () => (await import('./openapi.ts')).registerOpenApi,
};

/** Commands that run until stopped, or whose only output is JSON. */
const WITHOUT_JSON_OPTION = ['demo', 'serve', 'work', 'mcp', 'openapi', 'value'];

/**
 * Registers one command by name, or all commands if the name is unknown. Loading the sources of all commands
 * takes longer than most commands run (0.6 s of processor time for "keys list").
 */
export async function registerCommands(program: Command, name = ''): Promise<void> {
  const chosen = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]] : Object.values(COMMANDS);
  for (const register of await Promise.all(chosen.map((load) => load()))) register(program);
  for (const command of program.commands) {
    if (!WITHOUT_JSON_OPTION.includes(command.name())) addJsonOption(command);
  }
}

function addJsonOption(command: Command): void {
  if (command.commands.length === 0) command.option('--json', 'print JSON');
  command.commands.forEach(addJsonOption);
}
