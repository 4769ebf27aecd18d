import type { Command } from 'commander';
import { accountOf } from '../accounts/account-of.ts';
import { instant } from '../domain/instant.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';
import { rotateSecret } from '../webhooks/secrets.ts';
import { composeSecrets } from './compose-people.ts';
import { withStore } from './configured-store.ts';
import { ACCOUNT_OPTION, type AccountOption } from './options.ts';
import { printSecret } from './print.ts';

export function registerWebhooks(program: Command): void {
  program
    .command('webhooks')
    .command('rotate')
    .description('issue a new secret; it is shown once, and the old secret also signs for 24 hours')
    .option(...ACCOUNT_OPTION)
    .option('--now', 'end the old secret at once, because it leaked or cannot be read')
    .action(rotate);
}

async function rotate({ account, now, ...options }: AccountOption & { now?: boolean }): Promise<void> {
  const issued = await withStore(async (store, config) => {
    await accountOf(store, account);
    return rotateSecret(composeSecrets(store, config), COMMAND_LINE, account, now ? { overlapMs: 0 } : {});
  });
  const { text, previousUntil } = issued;
  printSecret(options, issued, text, [
    'Save it now: it is stored encrypted and only used to sign, so it cannot be shown again.',
    ...(previousUntil === null ? [] : [`The old secret also signs until ${instant(previousUntil)}.`]),
  ]);
}
