import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { MS_PER_DAY } from '../domain/day.ts';
import type { Preparation, ReportVersion } from '../domain/report.ts';
import { PlumblineError } from '../errors.ts';
import { appendAudit, type ActingFor } from '../store/audit-log.ts';
import {
  countShareOpening,
  findShareBySecret,
  insertShare,
  listShares,
  revokeShare,
  type PreparedShare,
} from '../store/report-shares.ts';
import type { Store } from '../store/store.ts';
import type { ReportShare } from '../store/tables/accounts.ts';
import { inTransaction } from '../store/transaction.ts';
import { uuidV7 } from '../store/uuid-v7.ts';
import type { RandomBytes } from './api-key.ts';

interface ShareDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}

/** Active links of one valuation. */
const MOST_ACTIVE = 100;
/** 256 random bits in base64url. */
const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * Creates a link to the report of a valuation. `secret` is the last part of the link: show it once, it cannot be read
 * again.
 *
 * @throws PlumblineError `conflict` if the valuation has too many active links
 */
export async function createShare(
  { store, clock, randomBytes }: ShareDeps,
  by: ActingFor,
  valuationId: string,
  terms: { readonly version: ReportVersion; readonly days: number; readonly preparation: Preparation },
): Promise<{ readonly share: ReportShare; readonly secret: string }> {
  const { accountId } = by;
  const { version, days, preparation } = terms;
  const at = clock().getTime();
  const secret = Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url');
  const share: ReportShare = {
    shareId: uuidV7(at, randomBytes(10)),
    accountId,
    valuationId,
    version,
    createdAt: at,
    expiresAt: at + days * MS_PER_DAY,
    revokedAt: null,
    opened: 0,
    lastOpenedAt: null,
  };
  await inTransaction(store, async (transaction) => {
    const earlier = await listShares({ db: transaction }, accountId, valuationId);
    const active = earlier.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > at);
    if (active.length >= MOST_ACTIVE) {
      throw new PlumblineError(
        'conflict',
        `The valuation has ${active.length} active share links, the maximum. Revoke one that is no longer used.`,
      );
    }
    await insertShare(transaction, share, hashSecret(secret), preparation);
    const detail = { share_id: share.shareId, version, expires_at: new Date(share.expiresAt).toISOString() };
    await appendAudit(transaction, { ...by, at }, 'share.created', valuationId, detail);
  });
  return { share, secret };
}

/** Revokes a link at once and permanently. @throws PlumblineError `not_found` */
export async function endShare(
  { store, clock }: Omit<ShareDeps, 'randomBytes'>,
  by: ActingFor,
  { valuationId, shareId }: Pick<ReportShare, 'valuationId' | 'shareId'>,
): Promise<ReportShare> {
  const at = clock().getTime();
  return inTransaction(store, async (transaction) => {
    const share = await revokeShare(transaction, { accountId: by.accountId, valuationId, shareId }, at);
    if (share === null) {
      throw new PlumblineError('not_found', `The valuation has no active share link ${shareId}.`);
    }
    const detail = { share_id: shareId, opened: share.opened };
    await appendAudit(transaction, { ...by, at }, 'share.revoked', valuationId, detail);
    return share;
  });
}

/**
 * The link that a secret belongs to.
 *
 * @throws PlumblineError `not_found` for an unknown secret, `gone` if the link has expired or was revoked
 */
export async function findActiveShare(
  { store, clock }: Omit<ShareDeps, 'randomBytes'>,
  secret: string,
): Promise<PreparedShare> {
  const share = SECRET.test(secret) ? await findShareBySecret(store, hashSecret(secret)) : null;
  if (share === null) throw new PlumblineError('not_found', 'There is no report at this link.');
  if (share.revokedAt !== null) {
    throw new PlumblineError('gone', 'This link was revoked. Ask the sender for another one.');
  }
  if (share.expiresAt <= clock().getTime()) {
    throw new PlumblineError('gone', 'This link has expired. Ask the sender for another one.');
  }
  return share;
}

export async function recordOpening(
  { store, clock }: Omit<ShareDeps, 'randomBytes'>,
  { shareId }: ReportShare,
): Promise<void> {
  await countShareOpening(store, shareId, clock().getTime());
}
