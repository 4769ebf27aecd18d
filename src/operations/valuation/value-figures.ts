import { formatDay } from '../../domain/day.ts';
import type { PropertyType } from '../../domain/property.ts';
import type { StratumAccuracy } from '../../valuation/calibration/holdout-accuracy.ts';
import { percentileUsd, type Distribution } from '../../valuation/calibration/distribution.ts';
import type { BoundActiveMarket } from '../markets.ts';
import type { Interval, PropertyValue } from '../property/property-valuation.ts';

/** A point and its distribution as every valuation tells them (contract §2), whole USD. */
export type ValueFigures = Pick<
  PropertyValue,
  | 'pointValue'
  | 'estimatedValue'
  | 'estimatedValueLow'
  | 'estimatedValueHigh'
  | 'confidenceInterval90'
  | 'confidenceInterval95'
  | 'distribution'
  | 'fsd'
  | 'confidenceScore'
>;

export function valueFigures(pointUsd: number, distribution: Distribution): ValueFigures {
  const ninety: Interval = { lower: percentileUsd(distribution, 5), upper: percentileUsd(distribution, 95) };
  return {
    pointValue: pointUsd,
    estimatedValue: pointUsd,
    estimatedValueLow: ninety.lower,
    estimatedValueHigh: ninety.upper,
    confidenceInterval90: ninety,
    confidenceInterval95: {
      lower: percentileUsd(distribution, 2.5),
      upper: percentileUsd(distribution, 97.5),
    },
    distribution: distributionMembers(distribution, pointUsd),
    fsd: distribution.fsd,
    confidenceScore: Math.max(0, Math.min(100, Math.round(100 * (1 - distribution.fsd)))),
  };
}

function distributionMembers(distribution: Distribution, point: number): PropertyValue['distribution'] {
  const at = (level: Parameters<typeof percentileUsd>[1]): number => percentileUsd(distribution, level);
  return {
    mean: distribution.meanUsd,
    median: point,
    std: distribution.sdUsd,
    percentiles: {
      p5: at(5),
      p10: at(10),
      p25: at(25),
      p50: at(50),
      p75: at(75),
      p90: at(90),
      p95: at(95),
    },
  };
}

/** What the model measured of homes of this type; of the whole market where it has too few holdout sales of the type. */
export function accuracyOf(market: BoundActiveMarket, type: PropertyType): StratumAccuracy | null {
  const { accuracy } = market.bound.trained;
  const stratumOf = (name: string) => accuracy.find((candidate) => candidate.stratum === name);
  return stratumOf(type) ?? stratumOf('all') ?? null;
}

/** Which model answered, from what was known. */
export function modelPinOf(market: BoundActiveMarket, dataSnapshot: string): PropertyValue['model'] {
  return {
    id: market.model.modelId,
    version: formatDay(market.model.trainedOn),
    sha256: market.model.sha256,
    dataSnapshot,
  };
}

/** USD per square foot to the cent; null without an area, or of one so small that no number holds it. */
export function perSqft(usd: number, areaSqft: number | null): number | null {
  const cents = areaSqft ? Math.round((100 * usd) / areaSqft) : Infinity;
  return Number.isFinite(cents) ? cents / 100 : null;
}
