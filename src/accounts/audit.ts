import { PlumblineError } from '../errors.ts';
import type { AuditEntry } from '../store/audit-log.ts';
import { listAudit } from '../store/audit-log.ts';
import type { Store } from '../store/store.ts';

export interface AuditSearch {
  /** null = all accounts. */
  readonly accountId: string | null;
  /** Words to find in actor, action or object; all lines if empty. */
  readonly find: string;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly nextCursor: string | null;
}

/** Newest first. */
export async function readAudit(
  store: Pick<Store, 'db'>,
  { accountId, find, limit, cursor }: AuditSearch,
): Promise<AuditPage> {
  const beforeId = cursor === null ? null : idOfCursor(cursor);
  const found = await listAudit(store, { accountId, find, beforeId, limit: limit + 1 });
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  const nextCursor = found.length > limit && last ? Buffer.from(last.auditId).toString('base64url') : null;
  return { entries, nextCursor };
}

const AUDIT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function idOfCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (AUDIT_ID.test(id)) return id;
  throw new PlumblineError(
    'invalid_cursor',
    'This cursor is not valid: send `next_cursor` exactly as it was returned.',
  );
}
