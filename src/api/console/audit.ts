import { Type } from 'typebox';
import { readAudit } from '../../store/audit-log.ts';
import { isOperator } from '../../accounts/roles.ts';
import type { Session } from '../../accounts/sessions.ts';
import { PlumblineError } from '../../errors.ts';
import { pageMembers } from '../../schemas/batch.ts';
import { nullable, oneOf, optional, responseObject, string } from '../../schemas/members.ts';
import { instant } from '../../domain/instant.ts';
import { type ConsoleRoute, get } from './console-route.ts';

const AUDIT_LIMIT = { default: 50, max: 200 } as const;

const AuditRequestBody = Type.Object({
  ...pageMembers('entries', AUDIT_LIMIT),
  find: optional.string(
    'Words in upper or lower case. Lists only entries with all of them in actor, action or subject; for operators who see all accounts, also in the account.',
    { maxLength: 100 },
  ),
  account: optional.string('Only entries of this account. Operators see all accounts by default.', {
    maxLength: 63,
  }),
});

const AuditEntryBody = responseObject('AuditEntry', {
  id: string(),
  at: string(),
  account_id: string('The account that was changed; the actor may belong to another.'),
  actor: responseObject('AuditActor', {
    kind: oneOf(['user', 'command_line', 'key']),
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

/** Who changed what. */
export const AUDIT_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/audit', 'readAudit', 'administrator', {
    input: AuditRequestBody,
    response: AuditBody,
    handle: async ({ store, session, read }) => {
      const { limit, cursor = null, find, account = null } = read();
      const { items, nextCursor } = await readAudit(store, {
        accountId: accountShown(session, account),
        limit: limit ?? AUDIT_LIMIT.default,
        cursor,
        find: find ?? '',
      });
      return {
        entries: items.map(({ auditId, at, accountId, actor, action, subject, detail }) => {
          return { id: auditId, at: instant(at), accountId, actor, action, subject, detail };
        }),
        nextCursor,
      };
    },
  }),
];
