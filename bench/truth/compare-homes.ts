import { ATTRIBUTES } from '../../src/domain/property.ts';
import type { AttributeSources } from '../../src/valuation/imputation/impute-subject.ts';
import { percentileUsd, type Distribution } from '../../src/valuation/calibration/distribution.ts';
import type { BoundMarket } from '../../src/valuation/train-market.ts';
import { valueHome } from '../../src/valuation/value-home.ts';
import { homeAsRecorded, possiblePriceUsd } from '../../test/harness/sample/as-imported.ts';
import { streamOf } from '../../src/load/sample-county/random-draws.ts';
import type { SampleCounty } from '../../src/load/sample-county/generate-sample-county.ts';
import type { SampleParcel } from '../../src/load/sample-county/homes.ts';
import { trueValueUsd } from '../../src/load/sample-county/true-value.ts';

/** One home's value, or one unit's rent, beside what it is truly worth. */
export interface TruthCheck {
  readonly parcel: SampleParcel;
  /** ln(value / true value). */
  readonly error: number;
  /** Whether the 90 % interval holds a price that the home might truly fetch. */
  readonly isCovered: boolean;
  /** Width of that interval / value. */
  readonly width: number;
}

interface TruthSummary {
  readonly n: number;
  readonly mdape: number;
  readonly within10: number;
  /** Median of value / true value − 1. */
  readonly bias: number;
  readonly coverage90: number;
  readonly medianWidth90: number;
}

export const FROM_RECORD: AttributeSources = Object.fromEntries(
  ATTRIBUTES.map((attribute) => [attribute, 'record' as const]),
);

/** Values homes from the assessor's record, as the service would today. */
export function compareWithTruth(
  county: SampleCounty,
  market: BoundMarket,
  parcels: readonly SampleParcel[],
): TruthCheck[] {
  const moment = { asOf: county.asOf, knownBy: county.asOf };
  return parcels.map((parcel) => {
    const { estimate, distribution } = valueHome(market, homeAsRecorded(county, parcel), FROM_RECORD, moment);
    return {
      parcel,
      ...checkValue(
        { pointUsd: estimate.pointUsd, distribution },
        { trueUsd: trueValueUsd(parcel, county.asOf), possibleUsd: possiblePriceUsd(county, parcel) },
      ),
    };
  });
}

/** A value beside the truth, and its interval beside what may truly be paid. */
export function checkValue(
  { pointUsd, distribution }: { readonly pointUsd: number; readonly distribution: Distribution },
  { trueUsd, possibleUsd }: { readonly trueUsd: number; readonly possibleUsd: number },
): Omit<TruthCheck, 'parcel'> {
  const low = percentileUsd(distribution, 5);
  const high = percentileUsd(distribution, 95);
  return {
    error: Math.log(pointUsd / trueUsd),
    isCovered: low <= possibleUsd && possibleUsd <= high,
    width: (high - low) / pointUsd,
  };
}

export function summarizeTruth(checks: readonly Omit<TruthCheck, 'parcel'>[]): TruthSummary {
  const absolute = checks.map(({ error }) => Math.abs(Math.expm1(error)));
  return {
    n: checks.length,
    mdape: median(absolute),
    within10: absolute.filter((error) => error <= 0.1).length / checks.length,
    bias: Math.expm1(median(checks.map(({ error }) => error))),
    coverage90: checks.filter(({ isCovered }) => isCovered).length / checks.length,
    medianWidth90: median(checks.map(({ width }) => width)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Homes drawn at random, sold or not; the same for the same county. */
export function drawHomes(county: SampleCounty, count: number): SampleParcel[] {
  const random = streamOf(county.seed, 'homes to check');
  return county.parcels
    .map((parcel) => ({ parcel, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ parcel }) => parcel);
}
