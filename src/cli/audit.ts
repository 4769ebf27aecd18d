import type { Command } from 'commander';
import { readAudit } from '../store/audit-log.ts';
import { anyAccountOf } from '../accounts/account-of.ts';
import { MS_PER_DAY, type Day } from '../domain/day.ts';
import { instant } from '../domain/instant.ts';
import { withStore } from './configured-store.ts';
import { dayArgument, wholeArgument, type JsonOption } from './options.ts';
import { printResult, tableText } from './print.ts';

interface AuditOptions extends JsonOption {
  readonly account?: string;
  readonly find: string;
  readonly from?: Day;
  readonly to?: Day;
  readonly limit: number;
}

export function registerAudit(program: Command): void {
  program
    .command('audit')
    .option('--account <id>', 'only changes of this account (default: all accounts)')
    .option(
      '--find <words>',
      'only entries with all of these words in actor, action, subject, detail or account',
      '',
    )
    .option('--from <date>', 'only entries of this day (UTC) or later', dayArgument)
    .option('--to <date>', 'only entries of this day (UTC) or earlier', dayArgument)
    .option('--limit <count>', 'most entries to print', wholeArgument(1, 100_000), 50)
    .action(audit);
}

async function audit({ account, find, from, to, limit, ...options }: AuditOptions): Promise<void> {
  const { items: entries } = await withStore(async (store) => {
    if (account !== undefined) await anyAccountOf(store, account);
    return readAudit(store, {
      accountId: account ?? null,
      find,
      fromMs: from === undefined ? null : from * MS_PER_DAY,
      beforeMs: to === undefined ? null : (to + 1) * MS_PER_DAY,
      limit,
      cursor: null,
    });
  });
  const rows = entries.map(({ at, accountId, actor, action, subject, detail }) => {
    const who = actor.kind === 'user' ? actor.name : `${actor.name} (${actor.kind})`;
    return [instant(at), accountId, who, action, subject, JSON.stringify(detail)];
  });
  const isFiltered = find !== '' || from !== undefined || to !== undefined;
  const none = isFiltered ? 'No entry matches.' : 'The audit log is empty.';
  printResult(
    options,
    entries.map((entry) => ({ ...entry, at: instant(entry.at) })),
    rows.length === 0 ? none : tableText([['at', 'account', 'who', 'action', 'subject', 'detail'], ...rows]),
  );
}
