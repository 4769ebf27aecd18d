import type { Command } from 'commander';
import { createAccount, setPlan } from '../accounts/manage-accounts.ts';
import { systemClock } from '../clock.ts';
import { PlumblineError } from '../errors.ts';
import { listAccounts } from '../store/accounts.ts';
import { proveLedger } from '../store/credit-proof.ts';
import { withStore } from './compose.ts';
import { printJson, printLine, printTable } from './print.ts';
import { readPlans } from './read-plans.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';

interface CreateOptions {
  readonly name?: string;
  readonly plan: string;
  readonly json?: boolean;
}

export function registerAccounts(program: Command): void {
  const accounts = program
    .command('accounts')
    .description('create accounts, list them, set their plans, prove their credits');
  accounts
    .command('create')
    .description('make an account; "plumbline keys create --account <id>" then makes its keys')
    .argument('<id>', 'small letters, digits and hyphens')
    .requiredOption('--plan <name>', 'free, standard, professional, unlimited, or one of PLANS')
    .option('--name <text>', 'whose it is; the id where left out')
    .option('--json', 'print JSON')
    .action((id: string, options: CreateOptions) => create(id, options));
  accounts
    .command('list')
    .description('show every account with its plan')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => list(options.json ?? false));
  accounts
    .command('set-plan')
    .description('put an account on another plan, within 10 seconds everywhere')
    .argument('<id>', 'the account')
    .argument('<plan>', 'free, standard, professional, unlimited, or one of PLANS')
    .action(async (id: string, plan: string) => {
      await withStore((store, config) =>
        setPlan({ store, clock: systemClock, plans: readPlans(config) }, COMMAND_LINE, id, plan),
      );
      printLine(`Account ${id} is on the plan ${plan}.`);
    });
  accounts
    .command('check')
    .description('add the whole credit ledger up and compare it with every balance; fails where they differ')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => check(options.json ?? false));
}

async function check(isJson: boolean): Promise<void> {
  const { lines, balances, differences } = await withStore((store) => proveLedger(store));
  if (isJson) printJson({ lines, balances, differences });
  else {
    for (const { accountId, period, operation, requests, credits } of differences) {
      const what = operation === null ? 'the balance' : `the counts of ${operation}`;
      printLine(
        `${accountId} ${period}: the ledger is ${credits} credits and ${requests} requests over ${what}`,
      );
    }
    printLine(`${lines} lines of the ledger, ${balances} balances, ${differences.length} differences`);
  }
  if (differences.length > 0) {
    throw new PlumblineError(
      'usage',
      'The ledger and what is kept of it differ. Restore from a backup, or report it.',
    );
  }
}

async function create(accountId: string, { name = accountId, plan, json }: CreateOptions): Promise<void> {
  const account = await withStore((store, config) =>
    createAccount({ store, clock: systemClock, plans: readPlans(config) }, COMMAND_LINE, {
      accountId,
      name,
      plan,
    }),
  );
  if (json) return printJson(account);
  printLine(`Account ${accountId} is on the plan ${plan}. Make it a key:`);
  printLine(`plumbline keys create --account ${accountId} --name "first key"`);
}

async function list(isJson: boolean): Promise<void> {
  const accounts = await withStore((store) => listAccounts(store));
  if (isJson) return printJson(accounts);
  printTable([
    ['id', 'name', 'plan', 'created'],
    ...accounts.map(({ accountId, name, plan, createdAt }) => [
      accountId,
      name,
      plan,
      createdAt === 0 ? '-' : new Date(createdAt).toISOString().slice(0, 10),
    ]),
  ]);
}
