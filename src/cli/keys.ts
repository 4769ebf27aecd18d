import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { accountOf } from '../accounts/manage-accounts.ts';
import { parseKeyExpiry } from '../accounts/key-expiry.ts';
import { createKey, listKeys, revokeKey, rotateKey, type KeySummary } from '../accounts/manage-keys.ts';
import { SCOPES } from '../accounts/scopes.ts';
import { systemClock } from '../clock.ts';
import { PlumblineError } from '../errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { withStore } from './compose.ts';
import { readWholeOption } from './read-options.ts';
import { dayText, JSON_OPTION, printLine, printResult, printTable, type JsonOption } from './print.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';

interface AccountOption extends JsonOption {
  readonly account: string;
}

interface CreateOptions extends AccountOption {
  readonly name: string;
  readonly environment: string;
  readonly scope?: readonly string[];
  readonly expires?: string;
}

interface RotateOptions extends AccountOption {
  readonly overlap: string;
}

const ACCOUNT = ['--account <id>', 'the account of the key', DEFAULT_ACCOUNT_ID] as const;
const KEY_ID = ['<id>', 'the 8 characters after plb_live_ or plb_test_'] as const;

export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('create, list, rotate and revoke API keys');
  keys
    .command('create')
    .description('create a key; it is shown once')
    .requiredOption('--name <text>', 'what the key is for')
    .option('--environment <live|test>', 'live or test', 'live')
    .option('--scope <scope...>', `permissions: ${SCOPES.join(', ')}`)
    .option('--expires <YYYY-MM-DD>', 'last day it works; never ends where left out')
    .option(...ACCOUNT)
    .option(...JSON_OPTION)
    .action((options: CreateOptions) => create(options));
  keys
    .command('list')
    .description('list all keys, without their secrets')
    .option(...ACCOUNT)
    .option(...JSON_OPTION)
    .action((options: AccountOption) => list(options));
  keys
    .command('rotate')
    .description('create a key that replaces another one, which stays valid for a while')
    .argument(...KEY_ID)
    .option('--overlap <days>', 'days that the old key stays valid, 0 to 7', '1')
    .option(...ACCOUNT)
    .option(...JSON_OPTION)
    .action((id: string, options: RotateOptions) => rotate(id, options));
  keys
    .command('revoke')
    .description('revoke a key permanently, within 10 seconds everywhere')
    .argument(...KEY_ID)
    .option(...ACCOUNT)
    .option(...JSON_OPTION)
    .action(async (keyId: string, options: AccountOption) => {
      const { account } = options;
      await withStore((store) => revokeKey({ store, clock: systemClock }, COMMAND_LINE, keyId, account));
      printResult(options, { keyId, isRevoked: true }, () => printLine(`Key ${keyId} is revoked.`));
    });
}

async function create(options: CreateOptions): Promise<void> {
  const { environment } = options;
  if (environment !== 'live' && environment !== 'test') {
    throw new PlumblineError('usage', `--environment is live or test, not "${environment}".`);
  }
  const key = await withStore((store) =>
    createKey({ store, clock: systemClock, randomBytes }, COMMAND_LINE, {
      name: options.name,
      environment,
      scopes: options.scope,
      expiresAt: readExpiry(options.expires),
      accountId: options.account,
    }),
  );
  show(key, options);
}

async function rotate(keyId: string, options: RotateOptions): Promise<void> {
  const days = readWholeOption('--overlap', options.overlap, 0, 7);
  const key = await withStore((store) =>
    rotateKey({ store, clock: systemClock, randomBytes }, COMMAND_LINE, keyId, days, options.account),
  );
  show(key, options);
}

function show(key: KeySummary & { readonly text: string }, options: JsonOption): void {
  printResult(options, key, () => {
    printLine(key.text);
    console.error('Save it now: only its SHA-256 is stored, so it cannot be shown again.');
  });
}

function readExpiry(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const expiresAt = parseKeyExpiry(text);
  if (expiresAt !== null) return expiresAt;
  throw new PlumblineError('usage', `--expires is "${text}". Write an existing day as YYYY-MM-DD.`);
}

async function list(options: AccountOption): Promise<void> {
  const keys = await withStore(async (store) => {
    await accountOf(store, options.account);
    return listKeys({ store }, options.account);
  });
  printResult(options, keys, () => {
    if (keys.length === 0) {
      return printLine('There are no keys yet: plumbline keys create --name "my first key"');
    }
    printTable([
      ['id', 'name', 'environment', 'scopes', 'created', 'expires', 'last used', 'revoked'],
      ...keys.map((key) => [
        key.keyId,
        key.name,
        key.environment,
        key.scopes.join(','),
        dayText(key.createdAt),
        dayText(key.expiresAt),
        dayText(key.lastUsedAt),
        dayText(key.revokedAt),
      ]),
    ]);
  });
}
