import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { createUser, usersOf } from '../accounts/manage-users.ts';
import { accountOf } from '../accounts/manage-accounts.ts';
import { createPasswords } from '../accounts/passwords.ts';
import type { PeopleDeps } from '../accounts/people.ts';
import { isRole } from '../accounts/roles.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { ROLES, type Role } from '../domain/role.ts';
import { PlumblineError } from '../errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';
import type { Store } from '../store/store.ts';
import { withStore } from './compose.ts';
import { printJson, printLine, printTable } from './print.ts';
import { readPlans } from './read-plans.ts';
import { generatePassword, readPassword } from './read-password.ts';

interface CreateOptions {
  readonly name: string;
  readonly role: string;
  readonly account: string;
  readonly generate?: boolean;
}

interface ListOptions {
  readonly account: string;
  readonly json?: boolean;
}

const ACCOUNT = ['--account <id>', 'the account that they belong to', DEFAULT_ACCOUNT_ID] as const;
const GENERATE = ['--generate', 'make a password and print it, instead of reading one'] as const;

export function registerUsers(program: Command): void {
  const users = program.command('users').description('who may sign in to the console: create and list them');
  users
    .command('create')
    .description('make somebody who can sign in; the password is read from the terminal, or from the input')
    .requiredOption('--name <text>', 'by which they sign in, such as an e-mail address')
    .option('--role <role>', ROLES.join(' or '), 'member')
    .option(...ACCOUNT)
    .option(...GENERATE)
    .action((options: CreateOptions) => create(options));
  users
    .command('list')
    .description('show everybody of an account')
    .option(...ACCOUNT)
    .option('--json', 'print JSON')
    .action((options: ListOptions) => list(options));
}

/** What the rules of people need, at the command line. */
export function composePeople(store: Store, config: Config): PeopleDeps {
  return {
    store,
    clock: systemClock,
    randomBytes,
    plans: readPlans(config),
    passwords: createPasswords(randomBytes),
  };
}

async function create({ name, role, account, generate }: CreateOptions): Promise<void> {
  const wanted = readRole(role);
  const password = generate ? generatePassword() : await readPassword();
  await withStore((store, config) =>
    createUser(composePeople(store, config), COMMAND_LINE, {
      accountId: account,
      name,
      role: wanted,
      password,
    }),
  );
  if (generate) showPassword(password);
  else printLine(`${name} can sign in at /console.`);
}

function showPassword(password: string): void {
  printLine(password);
  console.error('Keep it now: only a hash is stored, so it cannot be shown again.');
}

function readRole(text: string): Role {
  if (isRole(text)) return text;
  throw new PlumblineError('usage', `--role is ${ROLES.join(' or ')}, not "${text}".`);
}

async function list({ account, json }: ListOptions): Promise<void> {
  const users = await withStore(async (store) => {
    await accountOf(store, account);
    return usersOf({ store }, account);
  });
  if (json) return printJson(users);
  if (users.length === 0) {
    return printLine(
      'There is nobody yet: plumbline users create --name "you@example.org" --role administrator',
    );
  }
  const day = (ms: number | null): string => (ms === null ? '-' : new Date(ms).toISOString().slice(0, 10));
  printTable([
    ['name', 'role', 'created', 'password set', 'disabled'],
    ...users.map((user) => [
      user.name,
      user.role,
      day(user.createdAt),
      day(user.passwordChangedAt),
      day(user.disabledAt),
    ]),
  ]);
}
