import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { Logo, ReportOptions, ReportVersion } from '../../domain/report.ts';
import { PlumblineError } from '../../errors.ts';
import type { ChallengeRecord, ValuationRecord } from '../../store/tables/accounts.ts';
import type { InputsOf, ValuationOf } from '../valuation-types.ts';

/** A valuation as it is stored. Nothing in a report is valued again. */
export type StoredValuation = { [Kind in ValuationKind]: StoredValuationOf<Kind> }[ValuationKind];

interface StoredValuationOf<Kind extends ValuationKind> {
  readonly kind: Kind;
  readonly valuationId: string;
  /** ms since 1970. */
  readonly createdAt: number;
  readonly inputs: InputsOf<Kind>;
  readonly response: ValuationOf<Kind>;
}

export function storedValuation({
  kind,
  valuationId,
  createdAt,
  inputs,
  response,
}: ValuationRecord): StoredValuation {
  return { kind, valuationId, createdAt, inputs: JSON.parse(inputs), response: JSON.parse(response) };
}

/** @throws PlumblineError `conflict` for a valuation without a report of this version */
export function requireVersion(valuation: StoredValuation, version: ReportVersion): void {
  if (version !== 'appeal' || (valuation.kind === 'property' && valuation.response.changes)) return;
  throw new PlumblineError(
    'conflict',
    'The valuation has no changes to appeal with. Challenge it and request the appeal of the challenge, or the version owner or appraiser.',
  );
}

/** Everything that a report is written from, besides the model and the data that the inputs name. */
export interface ReportInputs {
  readonly valuation: StoredValuation;
  readonly account: { readonly name: string; readonly logo: Logo | null };
  /** The challenge that the valuation is; null for a valuation that changes no other. */
  readonly challenge: ChallengeRecord | null;
  readonly options: ReportOptions;
  /** What the QR code opens; null if the public address of the server is not known. */
  readonly verifyUrl: string | null;
}

/** Writes a report, in this thread or another. The same inputs, model and data give the same bytes. */
export type WriteReport = (inputs: ReportInputs) => Promise<Uint8Array>;
