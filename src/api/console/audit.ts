import { Type, type Static } from 'typebox';
import { readAudit, type AuditSearch } from '../../store/audit-log.ts';
import type { Store } from '../../store/store.ts';
import { MS_PER_DAY, parseDay } from '../../domain/day.ts';
import { BYTE_ORDER_MARK, writeRecord } from '../../tables/write-csv.ts';
import { isOperator } from '../../accounts/roles.ts';
import type { Session } from '../../accounts/sessions.ts';
import { PlumblineError } from '../../errors.ts';
import { pageMembers } from '../../schemas/batch.ts';
import { nullable, oneOf, optional, responseObject, string } from '../../schemas/members.ts';
import { instant } from '../../domain/instant.ts';
import { type ConsoleRoute, get, getFile } from './console-route.ts';
import { sendCsv } from './send-file.ts';
import { STREAM_MS } from '../send-text.ts';

const AUDIT_LIMIT = { default: 50, max: 200 } as const;

const auditFilter = {
  find: optional.string(
    'Words in upper or lower case. Lists only entries with all of them in actor, action, subject or detail; for operators who see all accounts, also in the account.',
    { maxLength: 100 },
  ),
  account: optional.string('Only entries of this account. Operators see all accounts by default.', {
    maxLength: 63,
  }),
  from: optional.string('First day, in UTC.', { format: 'date' }),
  to: optional.string('Last day, inclusive, in UTC.', { format: 'date' }),
};
const AuditFilter = Type.Object(auditFilter);
const AuditRequestBody = Type.Object({ ...pageMembers('entries', AUDIT_LIMIT), ...auditFilter });

const AuditEntryBody = responseObject('AuditEntry', {
  id: string(),
  at: string(),
  account_id: string('The account that was changed; the actor may belong to another.'),
  actor: responseObject('AuditActor', {
    kind: oneOf(['user', 'command_line', 'key', 'service']),
    id: nullable.string(),
    name: string(),
  }),
  action: string('Such as key.revoked.'),
  subject: string('What was changed: an id, or the name of a user.'),
  detail: Type.Unknown({ description: 'Details; they depend on the action.' }),
});

export const AuditBody = responseObject('Audit', {
  entries: Type.Array(AuditEntryBody, { description: 'Newest first.' }),
  next_cursor: nullable.string('Null on the last page.'),
});

/** Operators see all accounts: they can read the database anyway. */
function accountShown(session: Session, wanted: string | null): string | null {
  if (isOperator(session)) return wanted;
  if (wanted === null || wanted === session.accountId) return session.accountId;
  throw new PlumblineError('role_forbidden', 'Only operators may read the audit log of other accounts.');
}

/** What a request selects. */
function searchOf(
  session: Session,
  { account = null, find, from, to }: Static<typeof AuditFilter>,
): Omit<AuditSearch, 'limit' | 'cursor'> {
  const startOf = (date: string | null | undefined): number | null => {
    const day = date ? parseDay(date) : null;
    return day === null ? null : day * MS_PER_DAY;
  };
  const last = startOf(to);
  return {
    accountId: accountShown(session, account),
    find: find ?? '',
    fromMs: startOf(from),
    beforeMs: last === null ? null : last + MS_PER_DAY,
  };
}

const CSV_COLUMNS = [
  'at',
  'account_id',
  'actor_kind',
  'actor_id',
  'actor_name',
  'action',
  'subject',
  'detail',
];

/** All selected entries, newest first, page by page: an export may have more than fit in memory. */
async function* auditCsv(
  store: Store,
  search: Omit<AuditSearch, 'limit' | 'cursor'>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + writeRecord(CSV_COLUMNS);
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readAudit>> = await readAudit(store, {
      ...search,
      limit: AUDIT_LIMIT.max,
      cursor,
    });
    const records = page.items.map(({ at, accountId, actor, action, subject, detail }) =>
      writeRecord([
        instant(at),
        accountId,
        actor.kind,
        actor.id,
        actor.name,
        action,
        subject,
        JSON.stringify(detail),
      ]),
    );
    if (records.length > 0) yield records.join('');
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** Who changed what. */
export const AUDIT_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/audit', 'readAudit', 'administrator', {
    input: AuditRequestBody,
    response: AuditBody,
    handle: async ({ store, session, read }) => {
      const { limit, cursor = null, ...filter } = read();
      const { items, nextCursor } = await readAudit(store, {
        ...searchOf(session, filter),
        limit: limit ?? AUDIT_LIMIT.default,
        cursor,
      });
      return {
        entries: items.map(({ auditId, at, accountId, actor, action, subject, detail }) => {
          return { id: auditId, at: instant(at), accountId, actor, action, subject, detail };
        }),
        nextCursor,
      };
    },
  }),
  getFile('/console/api/audit.csv', 'downloadAudit', 'administrator', {
    input: AuditFilter,
    responseType: 'text/csv',
    responseTimeoutMs: STREAM_MS,
    handle: async ({ store, session, reply, read }) =>
      sendCsv(reply, 'audit.csv', auditCsv(store, searchOf(session, read()))),
  }),
];
