import type { Command } from 'commander';
import { createAccount, setPlan } from '../accounts/manage-accounts.ts';
import { systemClock } from '../clock.ts';
import { PlumblineError } from '../errors.ts';
import { listAccounts } from '../store/accounts.ts';
import { proveLedger } from '../store/credit-proof.ts';
import { withStore } from './compose.ts';
import { dayText, JSON_OPTION, printLine, printResult, printTable, type JsonOption } from './print.ts';
import { readPlans } from './read-plans.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';

interface CreateOptions extends JsonOption {
  readonly name?: string;
  readonly plan: string;
}

export function registerAccounts(program: Command): void {
  const accounts = program
    .command('accounts')
    .description('create and list accounts, set their plans, check their credits');
  accounts
    .command('create')
    .description('create an account; then create its keys with "plumbline keys create --account <id>"')
    .argument('<id>', 'lowercase letters, digits and hyphens')
    .requiredOption('--plan <name>', 'free, standard, professional, unlimited, or one of PLANS')
    .option('--name <text>', 'name of the owner (default: the id)')
    .option(...JSON_OPTION)
    .action((id: string, options: CreateOptions) => create(id, options));
  accounts
    .command('list')
    .description('list all accounts with their plans')
    .option(...JSON_OPTION)
    .action((options: JsonOption) => list(options));
  accounts
    .command('set-plan')
    .description('change the plan of an account, within 10 seconds everywhere')
    .argument('<id>', 'the account')
    .argument('<plan>', 'free, standard, professional, unlimited, or one of PLANS')
    .option(...JSON_OPTION)
    .action(async (accountId: string, plan: string, options: JsonOption) => {
      await withStore((store, config) =>
        setPlan({ store, clock: systemClock, plans: readPlans(config) }, COMMAND_LINE, accountId, plan),
      );
      printResult(options, { accountId, plan }, () =>
        printLine(`Account ${accountId} is on the plan ${plan}.`),
      );
    });
  accounts
    .command('check')
    .description('add up the credit ledger and compare it with all balances; fails if they differ')
    .option(...JSON_OPTION)
    .action((options: JsonOption) => check(options));
}

async function check(options: JsonOption): Promise<void> {
  const proof = await withStore((store) => proveLedger(store));
  const { lines, balances, differences } = proof;
  printResult(options, proof, () => {
    for (const { accountId, period, operation, requests, credits } of differences) {
      const what = operation === null ? 'the balance' : `the counts of ${operation}`;
      printLine(
        `${accountId} ${period}: the ledger exceeds ${what} by ${credits} credits, ${requests} requests`,
      );
    }
    printLine(`${lines} lines of the ledger, ${balances} balances, ${differences.length} differences`);
  });
  if (differences.length > 0) {
    throw new PlumblineError(
      'usage',
      'The ledger and the balances differ. Restore from a backup, or report it.',
    );
  }
}

async function create(accountId: string, options: CreateOptions): Promise<void> {
  const { name = accountId, plan } = options;
  const account = await withStore((store, config) =>
    createAccount({ store, clock: systemClock, plans: readPlans(config) }, COMMAND_LINE, {
      accountId,
      name,
      plan,
    }),
  );
  printResult(options, account, () => {
    printLine(`Account ${accountId} is on the plan ${plan}. Create a key for it:`);
    printLine(`plumbline keys create --account ${accountId} --name "first key"`);
  });
}

async function list(options: JsonOption): Promise<void> {
  const accounts = await withStore((store) => listAccounts(store));
  printResult(options, accounts, () =>
    printTable([
      ['id', 'name', 'plan', 'created'],
      ...accounts.map(({ accountId, name, plan, createdAt }) => [
        accountId,
        name,
        plan,
        dayText(createdAt === 0 ? null : createdAt),
      ]),
    ]),
  );
}
