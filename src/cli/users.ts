import { Argument, type Command } from 'commander';
import { deletePerson } from '../accounts/delete-account.ts';
import { accountOf } from '../accounts/account-of.ts';
import {
  createUser,
  disableUser,
  enableUser,
  resetSecondFactor,
  setPassword,
  setRole,
  unlinkIdentity,
  userNamed,
} from '../accounts/manage-users.ts';
import type { UserDeps } from '../accounts/sessions.ts';
import { ROLES, type Role } from '../domain/role.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';
import { composePeople } from './compose-people.ts';
import { withStore } from './configured-store.ts';
import { confirmDeletion, YES_OPTION, type ConfirmOptions } from './confirm.ts';
import { ACCOUNT_OPTION, choiceOption, type AccountOption, type JsonOption } from './options.ts';
import { dayText, printResult, printSecret, tableText } from './print.ts';
import { generatePassword, readPassword } from './read-password.ts';
import type { User } from '../store/tables/accounts.ts';
import { listUsers } from '../store/users.ts';

interface PasswordOptions extends JsonOption {
  readonly generate?: boolean;
}

interface CreateOptions extends PasswordOptions, AccountOption {
  readonly name: string;
  readonly role: Role;
}

const NAME = ['<name>', 'the name of the user'] as const;
const GENERATE = ['--generate', 'generate and print a password instead of reading one'] as const;

export function registerUsers(program: Command): void {
  const users = program.command('users');
  users
    .command('create')
    .description('create a user; the password is read from the terminal, or from standard input')
    .requiredOption('--name <text>', 'name for signing in, such as an email address')
    .addOption(choiceOption('--role <role>', 'what the user may do', ROLES).default('member'))
    .option(...ACCOUNT_OPTION)
    .option(...GENERATE)
    .action(async (options: CreateOptions) => {
      const { name, role, account: accountId } = options;
      const password = await newPassword(options);
      await withStore((store, config) =>
        createUser(composePeople(store, config), COMMAND_LINE, { accountId, name, role, password }),
      );
      printUser(options, { name, role, accountId }, password, `${name} can sign in at /console.`);
    });
  users
    .command('list')
    .description('list the users of an account')
    .option(...ACCOUNT_OPTION)
    .action(list);
  users
    .command('set-password')
    .description('set a new password, which ends all sessions of the user')
    .argument(...NAME)
    .option(...GENERATE)
    .action(async (name: string, options: PasswordOptions) => {
      const password = await newPassword(options);
      await change(name, (people, user) => setPassword(people, COMMAND_LINE, user, password));
      printUser(options, { name }, password, `${name} has a new password.`);
    });
  users
    .command('set-role')
    .description('change the role of a user')
    .argument(...NAME)
    .addArgument(new Argument('<role>', 'what the user may do').choices(ROLES))
    .action(async (name: string, role: Role, options: JsonOption) => {
      await change(name, (people, user) => setRole(people, COMMAND_LINE, user, role));
      printResult(options, { name, role }, `${name} has the role ${role}.`);
    });
  users
    .command('disable')
    .description('disable a user: sign them out everywhere and block their sign-in')
    .argument(...NAME)
    .action(async (name: string, options: JsonOption) => {
      await change(name, (people, user) => disableUser(people, COMMAND_LINE, user));
      printResult(options, { name, isDisabled: true }, `${name} can no longer sign in.`);
    });
  users
    .command('enable')
    .description('enable a disabled user again')
    .argument(...NAME)
    .action(async (name: string, options: JsonOption) => {
      await change(name, (people, user) => enableUser(people, COMMAND_LINE, user));
      printResult(options, { name, isDisabled: false }, `${name} can sign in again.`);
    });
  users
    .command('delete')
    .description('delete a user and their data; their name becomes a pseudonym in the audit log; asks')
    .argument(...NAME)
    .option(...YES_OPTION)
    .action(async (name: string, options: ConfirmOptions) => {
      const plan = `User ${name}, with password, second factor, sessions and uploaded files. The name becomes a pseudonym in the audit log, challenges, saved valuations and reviews.`;
      await withStore(async (store, config) => {
        const people = composePeople(store, config);
        const user = await userNamed(people, name);
        const isDeleted = await confirmDeletion(options, plan, name);
        if (isDeleted) await deletePerson(people, COMMAND_LINE, user);
        if (options.json || isDeleted) printResult(options, { name, isDeleted }, `${name} is deleted.`);
      });
    });
  users
    .command('reset-second-factor')
    .description('turn off the second factor of a user who lost it, which ends all sessions of the user')
    .argument(...NAME)
    .action(async (name: string, options: JsonOption) => {
      await change(name, (people, user) => resetSecondFactor(people, COMMAND_LINE, user));
      printResult(options, { name, hasSecondFactor: false }, `${name} signs in with the password only.`);
    });
  users
    .command('unlink-identity')
    .description('unlink a user from the identity provider, which ends all sessions of the user')
    .argument(...NAME)
    .action(async (name: string, options: JsonOption) => {
      await change(name, (people, user) => unlinkIdentity(people, COMMAND_LINE, user));
      printResult(
        options,
        { name, isLinked: false },
        `${name} is no longer linked to the identity provider.`,
      );
    });
}

async function change(
  name: string,
  apply: (people: UserDeps, user: User) => Promise<unknown>,
): Promise<void> {
  await withStore(async (store, config) => {
    const people = composePeople(store, config);
    await apply(people, await userNamed(people, name));
  });
}

async function newPassword({ generate }: PasswordOptions): Promise<string> {
  return generate ? generatePassword() : readPassword();
}

/** Prints a generated password, which cannot be shown again. Never prints a typed password. */
function printUser(options: PasswordOptions, user: object, password: string, done: string): void {
  if (!options.generate) return printResult(options, user, done);
  const note = 'Save it now: only a hash is stored, so it cannot be shown again.';
  printSecret(options, { ...user, password }, password, [note]);
}

async function list(options: AccountOption): Promise<void> {
  const users = await withStore(async (store) => {
    await accountOf(store, options.account);
    return listUsers(store, options.account);
  });
  const rows = users.map((user) => {
    const { createdAt, passwordChangedAt, disabledAt, secondFactorSince, identitySince } = user;
    const dates = [createdAt, passwordChangedAt, disabledAt, secondFactorSince, identitySince];
    return [user.name, user.role, ...dates.map(dayText)];
  });
  const none = 'There are no users yet: plumbline users create --name "you@example.org" --role administrator';
  const header = ['name', 'role', 'created', 'password set', 'disabled', 'second factor', 'linked'];
  printResult(options, users, users.length === 0 ? none : tableText([header, ...rows]));
}
