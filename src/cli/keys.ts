import { randomBytes } from 'node:crypto';
import { InvalidArgumentError, type Command } from 'commander';
import { accountOf } from '../accounts/account-of.ts';
import {
  createKey,
  type KeySummary,
  listKeys,
  parseKeyExpiry,
  revokeKey,
  rotateKey,
} from '../accounts/manage-keys.ts';
import { SCOPES } from '../accounts/scopes.ts';
import { systemClock } from '../clock.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';
import type { Store } from '../store/store.ts';
import { withStore } from './configured-store.ts';
import { ACCOUNT_OPTION, choiceOption, wholeArgument, type AccountOption } from './options.ts';
import { dayText, printResult, printSecret, tableText } from './print.ts';

interface CreateOptions extends AccountOption {
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly scope?: readonly string[];
  readonly expires?: Date;
}

const KEY_ID = ['<id>', 'the 8 characters after plb_live_ or plb_test_'] as const;

export function registerKeys(program: Command): void {
  const keys = program.command('keys');
  keys
    .command('create')
    .description('create a key; it is shown once')
    .requiredOption('--name <text>', 'what the key is for')
    .addOption(choiceOption('--environment <live|test>', 'live or test', ['live', 'test']).default('live'))
    .option('--scope <scope...>', `permissions: ${SCOPES.join(', ')}`)
    .option('--expires <YYYY-MM-DD>', 'last day on which it works (default: never expires)', expiryArgument)
    .option(...ACCOUNT_OPTION)
    .action(async (options: CreateOptions) => {
      const { name, environment, scope: scopes, expires: expiresAt = null, account: accountId } = options;
      const wanted = { name, environment, scopes, expiresAt, accountId };
      show(options, await withStore((store) => createKey(keyDeps(store), COMMAND_LINE, wanted)));
    });
  keys
    .command('list')
    .description('list all keys, without their secrets')
    .option(...ACCOUNT_OPTION)
    .action(list);
  keys
    .command('rotate')
    .description('create a key that replaces another one, which stays valid for a while')
    .argument(...KEY_ID)
    .option('--overlap <days>', 'days that the old key stays valid, 0 to 7', wholeArgument(0, 7), 1)
    .option(...ACCOUNT_OPTION)
    .action(async (keyId: string, options: AccountOption & { overlap: number }) => {
      const { overlap, account } = options;
      show(
        options,
        await withStore((store) => rotateKey(keyDeps(store), COMMAND_LINE, keyId, overlap, account)),
      );
    });
  keys
    .command('revoke')
    .description('revoke a key permanently, within 10 seconds everywhere')
    .argument(...KEY_ID)
    .option(...ACCOUNT_OPTION)
    .action(async (keyId: string, options: AccountOption) => {
      await withStore((store) => revokeKey(keyDeps(store), COMMAND_LINE, keyId, options.account));
      printResult(options, { keyId, isRevoked: true }, `Key ${keyId} is revoked.`);
    });
}

function keyDeps(store: Store) {
  return { store, clock: systemClock, randomBytes };
}

function expiryArgument(text: string): Date {
  const expiresAt = parseKeyExpiry(text);
  if (expiresAt !== null) return expiresAt;
  throw new InvalidArgumentError('Write an existing date as YYYY-MM-DD.');
}

function show(options: AccountOption, key: KeySummary & { readonly text: string }): void {
  const note = 'Save it now: only its SHA-256 is stored, so it cannot be shown again.';
  printSecret(options, key, key.text, [note]);
}

async function list(options: AccountOption): Promise<void> {
  const keys = await withStore(async (store) => {
    await accountOf(store, options.account);
    return listKeys({ store }, options.account);
  });
  const rows = keys.map((key) => [
    key.keyId,
    key.name,
    key.environment,
    key.scopes.join(','),
    dayText(key.createdAt),
    dayText(key.expiresAt),
    dayText(key.lastUsedAt),
    dayText(key.revokedAt),
  ]);
  const header = ['id', 'name', 'environment', 'scopes', 'created', 'expires', 'last used', 'revoked'];
  const none = 'There are no keys yet: plumbline keys create --name "my first key"';
  printResult(options, keys, keys.length === 0 ? none : tableText([header, ...rows]));
}
