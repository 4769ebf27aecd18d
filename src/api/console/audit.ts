import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { readAudit } from '../../accounts/audit.ts';
import { isOperator } from '../../accounts/roles.ts';
import type { Session } from '../../accounts/sessions.ts';
import { PlumblineError } from '../../errors.ts';
import { nullable, oneOf, optional, responseObject, string } from '../../schemas/members.ts';
import type { AuditEntry } from '../../store/audit-log.ts';
import { admittedSession } from '../request-context.ts';
import { readRequest } from '../request/read-http-request.ts';
import { createRequestReader } from '../request/read-request.ts';
import type { ApiDeps } from '../route.ts';
import type { ConsoleRoute } from './console-route.ts';
import { instant } from './instant.ts';

const AUDIT_LIMIT = { default: 50, most: 200 } as const;

const AuditRequestBody = Type.Object(
  {
    limit: optional.integer('Lines to list at most.', {
      minimum: 1,
      maximum: AUDIT_LIMIT.most,
      default: AUDIT_LIMIT.default,
    }),
    cursor: optional.string('`next_cursor` of the page before.', { maxLength: 200 }),
    find: optional.string(
      'Words, in any spelling: only lines that have each of them in who, action or subject; for operators who see all accounts, also in the account.',
      { maxLength: 100 },
    ),
    account: optional.string('Only lines of this account: for operators, who otherwise see those of all.', {
      maxLength: 63,
    }),
  },
  { title: 'AuditRequest' },
);

const AuditEntryBody = responseObject('AuditEntry', {
  id: string(),
  at: string(),
  account_id: string('Whose matter it is; the actor may be of another one.'),
  actor: responseObject('AuditActor', {
    kind: oneOf(['user', 'command_line', 'key']),
    id: nullable.string(),
    name: string(),
  }),
  action: string('Such as key.revoked.'),
  subject: string('What was changed: an id, or of people the name.'),
  detail: Type.Unknown({ description: 'What was changed of it, by action.' }),
});

export const AuditBody = responseObject('Audit', {
  entries: Type.Array(AuditEntryBody, { description: 'Newest first.' }),
  next_cursor: nullable.string('Of the next page; null on the last.'),
});

const auditRequest = createRequestReader({
  schema: AuditRequestBody,
  check: () => [],
  build: ({ limit, cursor, find, account }) => ({
    limit: limit ?? AUDIT_LIMIT.default,
    cursor: cursor ?? null,
    find: find ?? '',
    account: account ?? null,
  }),
});

/** Who changed what. */
async function getAudit(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof AuditBody>> {
  const { account, ...page } = readRequest(deps, request, reply, auditRequest);
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

/** Who changed what. */
export const AUDIT_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/audit',
    operationId: 'readAudit',
    access: 'administrator',
    query: AuditRequestBody,
    response: AuditBody,
    handle: getAudit,
  },
];
