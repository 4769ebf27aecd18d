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
import { dayText, JSON_OPTION, printLine, printResult, printTable, type JsonOption } from './print.ts';
import { readPlans } from './read-plans.ts';
import { generatePassword, readPassword } from './read-password.ts';

interface PasswordOptions extends JsonOption {
  readonly generate?: boolean;
}

interface CreateOptions extends PasswordOptions {
  readonly name: string;
  readonly role: string;
  readonly account: string;
}

interface ListOptions extends JsonOption {
  readonly account: string;
}

const ACCOUNT = ['--account <id>', 'the account of the user', DEFAULT_ACCOUNT_ID] as const;
const NAME = ['<name>', 'the name of the user'] as const;
const GENERATE = ['--generate', 'generate and print a password instead of reading one'] as const;

export function registerUsers(program: Command): void {
  const users = program.command('users').description('users of the console');
  users
    .command('create')
    .description('create a user; the password is read from the terminal, or from standard input')
    .requiredOption('--name <text>', 'name for signing in, such as an email address')
    .option('--role <role>', ROLES.join(' or '), 'member')
    .option(...ACCOUNT)
    .option(...GENERATE)
    .option(...JSON_OPTION)
    .action((options: CreateOptions) => create(options));
  users
    .command('list')
    .description('list the users of an account')
    .option(...ACCOUNT)
    .option(...JSON_OPTION)
    .action((options: ListOptions) => list(options));
  users
    .command('set-password')
    .description('set a new password, which ends all sessions of the user')
    .argument(...NAME)
    .option(...GENERATE)
    .option(...JSON_OPTION)
    .action((name: string, options: PasswordOptions) => changePassword(name, options));
  users
    .command('set-role')
    .description('change the role of a user')
    .argument(...NAME)
    .argument('<role>', ROLES.join(' or '))
    .option(...JSON_OPTION)
    .action(async (name: string, text: string, options: JsonOption) => {
      const role = readRole(text);
      await change(name, (people, user) => setRole(people, COMMAND_LINE, user, role));
      printResult(options, { name, role }, () => printLine(`${name} has the role ${role}.`));
    });
  users
    .command('disable')
    .description('disable a user: sign them out everywhere and block their sign-in')
    .argument(...NAME)
    .option(...JSON_OPTION)
    .action(async (name: string, options: JsonOption) => {
      await change(name, (people, user) => disableUser(people, COMMAND_LINE, user));
      printResult(options, { name, isDisabled: true }, () => printLine(`${name} can no longer sign in.`));
    });
  users
    .command('enable')
    .description('enable a disabled user again')
    .argument(...NAME)
    .option(...JSON_OPTION)
    .action(async (name: string, options: JsonOption) => {
      await change(name, (people, user) => enableUser(people, COMMAND_LINE, user));
      printResult(options, { name, isDisabled: false }, () => printLine(`${name} can sign in again.`));
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

async function changePassword(name: string, options: PasswordOptions): Promise<void> {
  const password = options.generate ? generatePassword() : await readPassword();
  await change(name, (people, user) => setPassword(people, COMMAND_LINE, user, password));
  printUser({ name }, password, options, `${name} has a new password.`);
}

/** Prints a generated password, which cannot be shown again. Never prints a typed password. */
function printUser(
  user: Readonly<Record<string, string>>,
  password: string,
  options: PasswordOptions,
  done: string,
): void {
  if (!options.generate) return printResult(options, user, () => printLine(done));
  printResult(options, { ...user, password }, () => {
    printLine(password);
    console.error('Save it now: only a hash is stored, so it cannot be shown again.');
  });
}

/** The dependencies of user management, for the command line. */
export function composePeople(store: Store, config: Config): PeopleDeps {
  return {
    store,
    clock: systemClock,
    randomBytes,
    plans: readPlans(config),
    passwords: createPasswords(randomBytes),
  };
}

async function create(options: CreateOptions): Promise<void> {
  const { name, account: accountId } = options;
  const role = readRole(options.role);
  const password = options.generate ? generatePassword() : await readPassword();
  await withStore((store, config) =>
    createUser(composePeople(store, config), COMMAND_LINE, { accountId, name, role, password }),
  );
  printUser({ name, role, accountId }, password, options, `${name} can sign in at /console.`);
}

function readRole(text: string): Role {
  if (isRole(text)) return text;
  throw new PlumblineError('usage', `--role is ${ROLES.join(' or ')}, not "${text}".`);
}

async function list(options: ListOptions): Promise<void> {
  const users = await withStore(async (store) => {
    await accountOf(store, options.account);
    return usersOf({ store }, options.account);
  });
  printResult(options, users, () => {
    if (users.length === 0) {
      return printLine(
        'There are no users yet: plumbline users create --name "you@example.org" --role administrator',
      );
    }
    printTable([
      ['name', 'role', 'created', 'password set', 'disabled'],
      ...users.map((user) => [
        user.name,
        user.role,
        dayText(user.createdAt),
        dayText(user.passwordChangedAt),
        dayText(user.disabledAt),
      ]),
    ]);
  });
}
