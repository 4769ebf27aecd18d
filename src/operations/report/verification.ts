import { createHash, timingSafeEqual } from 'node:crypto';
import { formatDay, formatUsd } from '../../domain/display-format.ts';
import { PlumblineError } from '../../errors.ts';
import type { ReportDocument } from '../../reports/document.ts';
import { findAnyValuation } from '../../store/valuation-log.ts';
import type { ValuationRecord } from '../../store/tables/accounts.ts';
import type { OperationDeps } from '../deps.ts';
import { recordedResponse } from '../past/past-valuations.ts';

/** 128 bits in base64url. */
const CODE_LENGTH = 22;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The code that proves that a report is of a valuation: a hash of its stored response. It needs no key, and says nothing
 * to anyone who does not have the response.
 */
function codeOf({ valuationId, response }: Pick<ValuationRecord, 'valuationId' | 'response'>): string {
  return createHash('sha256')
    .update(`verify ${valuationId}\n${response}`)
    .digest('base64url')
    .slice(0, CODE_LENGTH);
}

/** The path that the QR code of a report opens. */
export function verificationPath(record: Pick<ValuationRecord, 'valuationId' | 'response'>): string {
  return `/verify/${record.valuationId}/${codeOf(record)}`;
}

/**
 * The page that says that this installation computed a valuation. It leaves out the address.
 *
 * @throws PlumblineError `not_found` for an unknown valuation or a wrong code
 */
export async function verificationPage(
  { store }: Pick<OperationDeps, 'store'>,
  valuationId: string,
  code: string,
): Promise<ReportDocument> {
  const record = UUID.test(valuationId) ? await findAnyValuation(store, valuationId) : null;
  const isRight = (right: string): boolean =>
    code.length === right.length && timingSafeEqual(Buffer.from(code), Buffer.from(right));
  if (record === null || !isRight(codeOf(record))) {
    throw new PlumblineError('not_found', 'This installation has no valuation with this id and code.');
  }
  const { valuation } = recordedResponse(record);
  const { lower, upper } = valuation.confidenceInterval_90;
  return {
    title: 'Valuation verified',
    createdAt: record.createdAt,
    masthead: { account: 'Plumbline', logo: null, kind: 'Verification' },
    blocks: [
      { kind: 'heading', level: 1, text: 'This installation computed this valuation' },
      { kind: 'paragraph', text: 'Compare these figures with those of your report. They must be the same.' },
      {
        kind: 'facts',
        isWide: true,
        facts: [
          ['Valuation ID', valuationId],
          ['As-of date', formatDay(valuation.asOfDate)],
          ['Computed on', formatDay(new Date(record.createdAt).toISOString())],
          [record.kind === 'rental' ? 'Monthly rent' : 'Value', formatUsd(valuation.pointValue)],
          ['90% range', `${formatUsd(lower)} to ${formatUsd(upper)}`],
          ['Model hash (SHA-256)', valuation.model.sha256],
        ],
      },
    ],
    footer: `Valuation ${valuationId}`,
  };
}
