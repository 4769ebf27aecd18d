import { Type } from 'typebox';
import { answer } from '../../../schemas/response-object.ts';
import { nullableInteger, nullableString, oneOf } from '../../../schemas/members.ts';

export const AUDIT_LIMIT = { default: 50, most: 200 } as const;

export const AuditRequestBody = Type.Object(
  {
    limit: Type.Optional(
      nullableInteger({
        description: 'Lines to list at most.',
        minimum: 1,
        maximum: AUDIT_LIMIT.most,
        default: AUDIT_LIMIT.default,
      }),
    ),
    cursor: Type.Optional(
      nullableString({ description: '`next_cursor` of the page before.', maxLength: 200 }),
    ),
    find: Type.Optional(
      nullableString({
        description:
          'Words, in any spelling: only lines that have each of them in who, action or subject; for operators who see all accounts, also in the account.',
        maxLength: 100,
      }),
    ),
    account: Type.Optional(
      nullableString({
        description: 'Only lines of this account: for operators, who otherwise see those of all.',
        maxLength: 63,
      }),
    ),
  },
  { title: 'AuditRequest' },
);

const AuditEntryBody = answer('AuditEntry', {
  id: Type.String(),
  at: Type.String(),
  account_id: Type.String({ description: 'Whose matter it is; the actor may be of another one.' }),
  actor: answer('AuditActor', {
    kind: oneOf(['user', 'command_line', 'key']),
    id: nullableString(),
    name: Type.String(),
  }),
  action: Type.String({ description: 'Such as key.revoked.' }),
  subject: Type.String({ description: 'What was changed: an id, or of people the name.' }),
  detail: Type.Unknown({ description: 'What was changed of it, by action.' }),
});

export const AuditBody = answer('Audit', {
  entries: Type.Array(AuditEntryBody, { description: 'Newest first.' }),
  next_cursor: nullableString({ description: 'Of the next page; null on the last.' }),
});
