import { PlumblineError } from '../../errors.ts';
import type { ReportOptions } from '../../domain/report.ts';
import { findAccount } from '../../store/accounts.ts';
import { findChallenge } from '../../store/challenges.ts';
import { findLogo } from '../../store/report-shares.ts';
import type { Caller, OperationDeps } from '../deps.ts';
import { recordedValuation } from '../past/past-valuations.ts';
import { storedValuation } from './report-request.ts';
import { verificationPath } from './verification.ts';

/**
 * The report of a past valuation as a file. It is free: the valuation was charged.
 *
 * @throws PlumblineError `not_found`, or `conflict` for a valuation without a report of this version
 */
export async function valuationReport(
  deps: Pick<OperationDeps, 'store' | 'writeReport'>,
  valuationId: string,
  { accountId }: Pick<Caller, 'accountId'>,
  options: ReportOptions,
  publicUrl: string | null,
): Promise<Uint8Array> {
  const record = await recordedValuation(deps, valuationId, { accountId });
  const account = await findAccount(deps.store, accountId);
  if (account === null) throw new PlumblineError('not_found', `There is no account ${accountId}.`);
  const logo = await findLogo(deps.store, accountId);
  const challenge = await findChallenge(deps.store, accountId, valuationId);
  const verifyUrl = publicUrl && publicUrl + verificationPath(record);
  const sender = { name: account.name, logo };
  return deps.writeReport({
    valuation: storedValuation(record),
    account: sender,
    challenge,
    options,
    verifyUrl,
  });
}
