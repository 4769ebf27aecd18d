import type { Command } from 'commander';
import { PlumblineError } from '../errors.ts';
import { DEFAULT_ACCOUNT_ID, findAccount } from '../store/accounts.ts';
import { rotateSecret } from '../webhooks/secrets.ts';
import { composeSecrets, withStore } from './compose.ts';
import { printJson, printLine } from './print.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';

interface RotateOptions {
  readonly account: string;
  readonly now?: boolean;
  readonly json?: boolean;
}

export function registerWebhooks(program: Command): void {
  program
    .command('webhooks')
    .description('the secret that webhooks are signed with')
    .command('rotate')
    .description('issue a new secret; it is shown once, and the one before it signs too for 24 hours')
    .option('--account <id>', 'whose', DEFAULT_ACCOUNT_ID)
    .option('--now', 'end the one before it at once: it leaked, or cannot be read')
    .option('--json', 'print JSON')
    .action((options: RotateOptions) => rotate(options));
}

async function rotate({ account, now = false, json = false }: RotateOptions): Promise<void> {
  const issued = await withStore(async (store, config) => {
    if (!(await findAccount(store, account))) {
      throw new PlumblineError('usage', `There is no account "${account}".`);
    }
    return rotateSecret(composeSecrets(store, config), COMMAND_LINE, account, now ? { overlapMs: 0 } : {});
  });
  if (json) return printJson(issued);
  printLine(issued.text);
  console.error('Keep it now: it is stored sealed and only used to sign, so it cannot be shown again.');
  if (issued.previousUntil !== null) {
    console.error(`The secret before it signs too until ${new Date(issued.previousUntil).toISOString()}.`);
  }
}
