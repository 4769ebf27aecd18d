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
import { printJson, printLine, printTable } from './print.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';

interface AccountOption {
  readonly account: string;
  readonly json?: boolean;
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

const ACCOUNT = ['--account <id>', 'the account that the key is of', DEFAULT_ACCOUNT_ID] as const;
const KEY_ID = ['<id>', 'the 8 characters after plb_live_ or plb_test_'] as const;

export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('create, list, rotate and revoke API keys');
  keys
    .command('create')
    .description('make a key; it is shown once')
    .requiredOption('--name <text>', 'what it is for')
    .option('--environment <live|test>', 'live or test', 'live')
    .option('--scope <scope...>', `what it opens: ${SCOPES.join(', ')}`)
    .option('--expires <YYYY-MM-DD>', 'last day it works; never ends where left out')
    .option(...ACCOUNT)
    .option('--json', 'print JSON')
    .action((options: CreateOptions) => create(options));
  keys
    .command('list')
    .description('show every key but its secret')
    .option(...ACCOUNT)
    .option('--json', 'print JSON')
    .action((options: AccountOption) => list(options));
  keys
    .command('rotate')
    .description('make a key that takes the place of one, which runs on for a while')
    .argument(...KEY_ID)
    .option('--overlap <days>', 'days that the old key runs on, 0 to 7', '1')
    .option(...ACCOUNT)
    .option('--json', 'print JSON')
    .action((id: string, options: RotateOptions) => rotate(id, options));
  keys
    .command('revoke')
    .description('end a key for good, within 10 seconds everywhere')
    .argument(...KEY_ID)
    .option(...ACCOUNT)
    .action(async (id: string, { account }: AccountOption) => {
      await withStore((store) => revokeKey({ store, clock: systemClock }, COMMAND_LINE, id, account));
      printLine(`Key ${id} is revoked.`);
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
  show(key, options.json);
}

async function rotate(keyId: string, { overlap, account, json }: RotateOptions): Promise<void> {
  const days = readWholeOption('--overlap', overlap, 0, 7);
  const key = await withStore((store) =>
    rotateKey({ store, clock: systemClock, randomBytes }, COMMAND_LINE, keyId, days, account),
  );
  show(key, json);
}

function show(key: KeySummary & { readonly text: string }, isJson = false): void {
  if (isJson) return printJson(key);
  printLine(key.text);
  console.error('Keep it now: only its SHA-256 is stored, so it cannot be shown again.');
}

function readExpiry(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const expiresAt = parseKeyExpiry(text);
  if (expiresAt !== null) return expiresAt;
  throw new PlumblineError('usage', `--expires is "${text}". Write an existing day as YYYY-MM-DD.`);
}

async function list({ account, json }: AccountOption): Promise<void> {
  const keys = await withStore(async (store) => {
    await accountOf(store, account);
    return listKeys({ store }, account);
  });
  if (json) return printJson(keys);
  if (keys.length === 0)
    return printLine('There are no keys yet: plumbline keys create --name "my first key"');
  const day = (ms: number | null): string => (ms === null ? '-' : new Date(ms).toISOString().slice(0, 10));
  printTable([
    ['id', 'name', 'environment', 'scopes', 'created', 'expires', 'last used', 'revoked'],
    ...keys.map((key) => [
      key.keyId,
      key.name,
      key.environment,
      key.scopes.join(','),
      day(key.createdAt),
      day(key.expiresAt),
      day(key.lastUsedAt),
      day(key.revokedAt),
    ]),
  ]);
}
