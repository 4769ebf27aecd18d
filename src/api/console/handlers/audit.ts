import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { readAudit } from '../../../accounts/audit.ts';
import { isOperator } from '../../../accounts/roles.ts';
import type { Session } from '../../../accounts/sessions.ts';
import { PlumblineError } from '../../../errors.ts';
import type { AuditEntry } from '../../../store/audit-log.ts';
import type { ApiDeps } from '../../route.ts';
import { readAsked } from '../../request/read-http-request.ts';
import { createRequestReader } from '../../request/read-request.ts';
import { admittedSession } from '../../request-context.ts';
import { instant } from '../instant.ts';
import { AUDIT_LIMIT, AuditRequestBody, type AuditBody } from '../schemas/audit.ts';

const auditRequest = createRequestReader({
  schema: AuditRequestBody,
  check: () => [],
  make: ({ limit, cursor, find, account }) => ({
    limit: limit ?? AUDIT_LIMIT.default,
    cursor: cursor ?? null,
    find: find ?? '',
    account: account ?? null,
  }),
});

/** Who changed what. */
export async function getAudit(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof AuditBody>> {
  const { account, ...page } = readAsked(deps, request, reply, auditRequest);
  const accountId = accountShown(admittedSession(request), account);
  const { entries, nextCursor } = await readAudit(deps.people.store, { ...page, accountId });
  return { entries: entries.map(presentEntry), next_cursor: nextCursor };
}

/** Operators see what happened to every account, which they can read in the database anyway. */
function accountShown(session: Session, asked: string | null): string | null {
  if (isOperator(session)) return asked;
  if (asked === null || asked === session.accountId) return session.accountId;
  throw new PlumblineError('role_forbidden', 'Only operators may read what happened to other accounts.');
}

function presentEntry(entry: AuditEntry): Static<typeof AuditBody>['entries'][number] {
  const { auditId, at, accountId, actor, action, subject, detail } = entry;
  return {
    id: auditId,
    at: instant(at),
    account_id: accountId,
    actor: { ...actor },
    action,
    subject,
    detail,
  };
}
