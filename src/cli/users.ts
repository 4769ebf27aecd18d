import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import {
  createUser,
  disableUser,
  enableUser,
  setPassword,
  setRole,
  userNamed,
  usersOf,
} from '../accounts/manage-users.ts';
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
import type { User } from '../store/users.ts';
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
const NAME = ['<name>', 'by which they sign in'] as const;
const GENERATE = ['--generate', 'make a password and print it, instead of reading one'] as const;

export function registerUsers(program: Command): void {
  const users = program.command('users').description('who may sign in to the console');
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
  users
    .command('set-password')
    .description('give somebody a new password; wherever they are signed in, they have to sign in again')
    .argument(...NAME)
    .option(...GENERATE)
    .action((name: string, options: { generate?: boolean }) => changePassword(name, options));
  users
    .command('set-role')
    .description('give somebody another role')
    .argument(...NAME)
    .argument('<role>', ROLES.join(' or '))
    .action(async (name: string, role: string) => {
      const wanted = readRole(role);
      await change(name, (people, user) => setRole(people, COMMAND_LINE, user, wanted));
      printLine(`${name} has the role ${wanted}.`);
    });
  users
    .command('disable')
    .description('shut somebody out, at once and everywhere')
    .argument(...NAME)
    .action(async (name: string) => {
      await change(name, (people, user) => disableUser(people, COMMAND_LINE, user));
      printLine(`${name} cannot sign in any more.`);
    });
  users
    .command('enable')
    .description('let somebody in again')
    .argument(...NAME)
    .action(async (name: string) => {
      await change(name, (people, user) => enableUser(people, COMMAND_LINE, user));
      printLine(`${name} can sign in again.`);
    });
}

async function change(
  name: string,
  make: (people: PeopleDeps, user: User) => Promise<unknown>,
): Promise<void> {
  await withStore(async (store, config) => {
    const people = composePeople(store, config);
    await make(people, await userNamed(people, name));
  });
}

async function changePassword(name: string, { generate }: { readonly generate?: boolean }): Promise<void> {
  const password = generate ? generatePassword() : await readPassword();
  await change(name, (people, user) => setPassword(people, COMMAND_LINE, user, password));
  if (generate) showPassword(password);
  else printLine(`${name} has a new password.`);
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
