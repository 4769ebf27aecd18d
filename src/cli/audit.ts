import type { Command } from 'commander';
import { readAudit } from '../accounts/audit.ts';
import { accountOf } from '../accounts/manage-accounts.ts';
import { withStore } from './compose.ts';
import { printJson, printLine, printTable } from './print.ts';
import { readWholeOption } from './read-options.ts';

interface AuditOptions {
  readonly account?: string;
  readonly find?: string;
  readonly limit: string;
  readonly json?: boolean;
}

const LIMIT_MAX = 100_000;

export function registerAudit(program: Command): void {
  program
    .command('audit')
    .description('who changed what, newest first')
    .option('--account <id>', 'only what is of this account')
    .option('--find <words>', 'only what has these words in who, action, subject or account')
    .option('--limit <count>', 'lines at most', '50')
    .option('--json', 'print JSON')
    .action((options: AuditOptions) => audit(options));
}

async function audit({ account, find = '', limit, json }: AuditOptions): Promise<void> {
  const most = readWholeOption('--limit', limit, 1, LIMIT_MAX);
  const { entries } = await withStore(async (store) => {
    if (account !== undefined) await accountOf(store, account);
    return readAudit(store, { accountId: account ?? null, find, limit: most, cursor: null });
  });
  if (json) return printJson(entries.map((entry) => ({ ...entry, at: timestamp(entry.at) })));
  if (entries.length === 0)
    return printLine(find === '' ? 'Nothing was changed yet.' : 'No entry has these words.');
  printTable([
    ['at', 'account', 'who', 'action', 'subject', 'detail'],
    ...entries.map(({ at, accountId, actor, action, subject, detail }) => [
      timestamp(at),
      accountId,
      actor.kind === 'user' ? actor.name : `${actor.name} (${actor.kind})`,
      action,
      subject,
      JSON.stringify(detail),
    ]),
  ]);
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
