import type { Command } from 'commander';
import { deleteAccount, readAccountContents } from '../accounts/delete-account.ts';
import { createAccount, setLogo, setName, setPlan } from '../accounts/manage-accounts.ts';
import { formatMany } from '../domain/display-format.ts';
import { PlumblineError } from '../errors.ts';
import { listAccounts } from '../store/accounts.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';
import { checkLedger } from '../store/credit-ledger.ts';
import { composePeople } from './compose-people.ts';
import { withStore } from './configured-store.ts';
import { confirmDeletion, YES_OPTION, type ConfirmOptions } from './confirm.ts';
import type { JsonOption } from './options.ts';
import { readGivenFile } from './read-files.ts';
import { dayText, printResult, tableText } from './print.ts';

const PLAN = 'free, standard, professional, unlimited, or one of PLANS';

export function registerAccounts(program: Command): void {
  const accounts = program.command('accounts');
  accounts
    .command('create')
    .description('create an account; then create its keys with "plumbline keys create --account <id>"')
    .argument('<id>', 'lowercase letters, digits and hyphens')
    .requiredOption('--plan <name>', PLAN)
    .option('--name <text>', 'name of the owner (default: the id)')
    .action(async (accountId: string, options: JsonOption & { name?: string; plan: string }) => {
      const { name = accountId, plan } = options;
      const account = await withStore((store, config) =>
        createAccount(composePeople(store, config), COMMAND_LINE, { accountId, name, plan }),
      );
      printResult(
        options,
        account,
        `Account ${accountId} is on the plan ${plan}. Create a key for it:\n` +
          `plumbline keys create --account ${accountId} --name "first key"`,
      );
    });
  accounts
    .command('list')
    .description('list all accounts with their plans')
    .action(async (options: JsonOption) => {
      // The account of the installation is as old as the database, which does not know its age.
      const found = (await withStore(listAccounts)).map((account) => ({
        ...account,
        createdAt: account.createdAt === 0 ? null : account.createdAt,
      }));
      const rows = found.map(({ accountId, name, plan, createdAt }) => {
        return [accountId, name, plan, dayText(createdAt)];
      });
      printResult(options, found, tableText([['id', 'name', 'plan', 'created'], ...rows]));
    });
  accounts
    .command('set-name')
    .description('change the name of an account, which is at the head of its reports')
    .argument('<id>', 'the account')
    .argument('<name>', 'name of the owner')
    .action(async (accountId: string, name: string, options: JsonOption) => {
      await withStore((store, config) =>
        setName(composePeople(store, config), COMMAND_LINE, accountId, name),
      );
      printResult(options, { accountId, name }, `Account ${accountId} is named “${name}”.`);
    });
  accounts
    .command('set-plan')
    .description('change the plan of an account, within 10 seconds everywhere')
    .argument('<id>', 'the account')
    .argument('<plan>', PLAN)
    .action(async (accountId: string, plan: string, options: JsonOption) => {
      await withStore((store, config) =>
        setPlan(composePeople(store, config), COMMAND_LINE, accountId, plan),
      );
      printResult(options, { accountId, plan }, `Account ${accountId} is on the plan ${plan}.`);
    });
  accounts
    .command('set-logo')
    .description(
      'set the logo at the head of an account’s reports: a PNG or JPEG file; without one, remove it',
    )
    .argument('<id>', 'the account')
    .argument('[file]', 'at most 256 KB')
    .action(async (accountId: string, path: string | undefined, options: JsonOption) => {
      const file = path === undefined ? null : readGivenFile(path);
      await withStore((store, config) =>
        setLogo(composePeople(store, config), COMMAND_LINE, accountId, file),
      );
      const done = file === null ? `Account ${accountId} has no logo.` : `The logo of ${accountId} is set.`;
      printResult(options, { accountId, hasLogo: file !== null }, done);
    });
  accounts
    .command('delete')
    .description('delete an account with its users, keys, valuations and batches; shows what goes, and asks')
    .argument('<id>', 'the account')
    .option(...YES_OPTION)
    .action(remove);
  accounts
    .command('check')
    .description('compare the credit ledger with all balances; fails if they differ')
    .action(check);
}

async function remove(accountId: string, options: ConfirmOptions): Promise<void> {
  await withStore(async (store) => {
    const contents = await readAccountContents(store, accountId);
    const { users, keys, valuations, jobs } = contents;
    const plan = `Account ${accountId} has ${formatMany(users, 'user')}, ${formatMany(keys, 'key')}, ${formatMany(valuations, 'valuation')} and ${formatMany(jobs, 'job')}. Its ledger and usage stay.`;
    const isDeleted = await confirmDeletion(options, plan, accountId);
    if (isDeleted) await deleteAccount(store, COMMAND_LINE, accountId);
    if (options.json || isDeleted)
      printResult(options, { accountId, ...contents, isDeleted }, `Account ${accountId} is deleted.`);
  });
}

async function check(options: JsonOption): Promise<void> {
  const proof = await withStore(checkLedger);
  const { lines, balances, differences } = proof;
  const described = differences.map(({ accountId, period, operation, requests, credits }) => {
    const what = operation === null ? 'the balance' : `the counts of ${operation}`;
    return `${accountId} ${period}: the ledger exceeds ${what} by ${credits} credits, ${requests} requests`;
  });
  const total = `${lines} lines of the ledger, ${balances} balances, ${differences.length} differences`;
  printResult(options, proof, [...described, total].join('\n'));
  if (differences.length > 0) {
    throw new PlumblineError(
      'usage',
      'The ledger and the balances differ. Restore from a backup, or report it.',
    );
  }
}
