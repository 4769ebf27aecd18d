import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { createKey, listKeys, revokeKey, SCOPES } from '../accounts/manage-keys.ts';
import { systemClock } from '../clock.ts';
import { PlumblineError } from '../errors.ts';
import { withStore } from './compose.ts';
import { printJson, printLine, printTable } from './print.ts';

interface CreateOptions {
  readonly name: string;
  readonly environment: string;
  readonly scope?: readonly string[];
  readonly expires?: string;
  readonly json?: boolean;
}

export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('create, list and revoke API keys');
  keys
    .command('create')
    .description('make a key; it is shown once')
    .requiredOption('--name <text>', 'what it is for')
    .option('--environment <live|test>', 'live or test', 'live')
    .option('--scope <scope...>', `what it opens: ${SCOPES.join(', ')}`)
    .option('--expires <YYYY-MM-DD>', 'last day it works; never ends where left out')
    .option('--json', 'print JSON')
    .action((options: CreateOptions) => create(options));
  keys
    .command('list')
    .description('show every key but its secret')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => list(options.json ?? false));
  keys
    .command('revoke')
    .description('end a key for good, within 10 seconds everywhere')
    .argument('<id>', 'the 8 characters after plb_live_ or plb_test_')
    .action(async (id: string) => {
      await withStore((store) => revokeKey({ store, clock: systemClock }, id));
      printLine(`Key ${id} is revoked.`);
    });
}

async function create(options: CreateOptions): Promise<void> {
  const { environment } = options;
  if (environment !== 'live' && environment !== 'test') {
    throw new PlumblineError('usage', `--environment is live or test, not "${environment}".`);
  }
  const key = await withStore((store) =>
    createKey(
      { store, clock: systemClock, randomBytes },
      { name: options.name, environment, scopes: options.scope, expiresAt: readExpiry(options.expires) },
    ),
  );
  if (options.json) return printJson(key);
  printLine(key.text);
  console.error('Keep it now: only its SHA-256 is stored, so it cannot be shown again.');
}

/** The end of the day named, so that the day itself still works. */
function readExpiry(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const end = new Date(`${text}T23:59:59.999Z`);
  if (!Number.isNaN(end.getTime())) return end;
  throw new PlumblineError('usage', `--expires is "${text}"; write it as YYYY-MM-DD.`);
}

async function list(isJson: boolean): Promise<void> {
  const keys = await withStore((store) => listKeys({ store }));
  if (isJson) return printJson(keys);
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
