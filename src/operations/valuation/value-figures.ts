import { formatDay } from '../../domain/day.ts';
import type { PropertyType } from '../../domain/property.ts';
import type { StratumAccuracy } from '../../valuation/calibration/holdout-accuracy.ts';
import { percentileUsd, type Distribution } from '../../valuation/calibration/distribution.ts';
import type { BoundActiveMarket } from '../markets.ts';
import type { PropertyValue } from './responses.ts';

/** A point estimate and its distribution, in whole dollars: the same members in every kind of valuation. */
export type ValueFigures = Pick<
  PropertyValue,
  | 'pointValue'
  | 'estimatedValue'
  | 'estimatedValueLow'
  | 'estimatedValueHigh'
  | 'confidenceInterval_90'
  | 'confidenceInterval_95'
  | 'probabilisticDistribution'
  | 'fsd'
  | 'confidenceScore'
>;

export function valueFigures(pointUsd: number, distribution: Distribution): ValueFigures {
  const at = (level: Parameters<typeof percentileUsd>[1]): number => percentileUsd(distribution, level);
  return {
    pointValue: pointUsd,
    estimatedValue: pointUsd,
    estimatedValueLow: at(5),
    estimatedValueHigh: at(95),
    confidenceInterval_90: { lower: at(5), upper: at(95) },
    confidenceInterval_95: { lower: at(2.5), upper: at(97.5) },
    probabilisticDistribution: {
      mean: distribution.meanUsd,
      median: pointUsd,
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
    },
    fsd: distribution.fsd,
    confidenceScore: Math.max(0, Math.min(100, Math.round(100 * (1 - distribution.fsd)))),
  };
}

/**
 * The model's accuracy for homes of this type, or for the whole market if the type has too few holdout sales.
 */
export function accuracyOf(market: BoundActiveMarket, type: PropertyType): PropertyValue['accuracy'] {
  const { accuracy } = market.bound.trained;
  const stratumOf = (name: string) => accuracy.find((candidate) => candidate.stratum === name);
  const stratum = stratumOf(type) ?? stratumOf('all');
  return stratum ? accuracyMembers(stratum) : null;
}

/** One stratum, under the member names of responses. */
export function accuracyMembers(measured: StratumAccuracy): NonNullable<PropertyValue['accuracy']> {
  const { stratum, n, mdape, ppe10, coverage90, window } = measured;
  return { stratum, n, mdape, ppe10, coverage_90: coverage90, window };
}

/** The model that computed the value, and the data it used. */
export function modelMembers({ model }: BoundActiveMarket, dataSnapshot: string): PropertyValue['model'] {
  return { id: model.modelId, version: formatDay(model.trainedOn), sha256: model.sha256, dataSnapshot };
}

/**
 * Dollars per square foot, to the cent; null without an area, or with an area so small that the number
 * overflows.
 */
export function perSqft(usd: number, areaSqft: number | null): number | null {
  const cents = areaSqft ? Math.round((100 * usd) / areaSqft) : Infinity;
  return Number.isFinite(cents) ? cents / 100 : null;
}

/** Yes/no attributes are sent as booleans. */
export function attributeValue(attribute: string, value: number | null): number | boolean | null {
  return value !== null && attribute.startsWith('has') ? value >= 0.5 : value;
}
