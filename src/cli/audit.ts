import type { Command } from 'commander';
import { readAudit } from '../store/audit-log.ts';
import { accountOf } from '../accounts/manage-accounts.ts';
import { instant } from '../domain/instant.ts';
import { withStore } from './compose.ts';
import { wholeArgument, type JsonOption } from './options.ts';
import { printResult, tableText } from './print.ts';

interface AuditOptions extends JsonOption {
  readonly account?: string;
  readonly find: string;
  readonly limit: number;
}

export function registerAudit(program: Command): void {
  program
    .command('audit')
    .description('print the audit log: who changed what, newest first')
    .option('--account <id>', 'only changes of this account (default: all accounts)')
    .option('--find <words>', 'only entries with all of these words in actor, action, subject or account', '')
    .option('--limit <count>', 'most entries to print', wholeArgument(1, 100_000), 50)
    .action(audit);
}

async function audit({ account, find, limit, ...options }: AuditOptions): Promise<void> {
  const { items: entries } = await withStore(async (store) => {
    if (account !== undefined) await accountOf(store, account);
    return readAudit(store, { accountId: account ?? null, find, limit, cursor: null });
  });
  const rows = entries.map(({ at, accountId, actor, action, subject, detail }) => {
    const who = actor.kind === 'user' ? actor.name : `${actor.name} (${actor.kind})`;
    return [instant(at), accountId, who, action, subject, JSON.stringify(detail)];
  });
  const none = find === '' ? 'The audit log is empty.' : 'No entry has these words.';
  printResult(
    options,
    entries.map((entry) => ({ ...entry, at: instant(entry.at) })),
    rows.length === 0 ? none : tableText([['at', 'account', 'who', 'action', 'subject', 'detail'], ...rows]),
  );
}
