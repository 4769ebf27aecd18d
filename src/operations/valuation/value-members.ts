import { confidenceLevelOf, type ConfidenceLevel } from '../../domain/confidence-level.ts';
import { formatDay, type Day } from '../../domain/day.ts';
import type { PropertyType } from '../../domain/property.ts';
import { EARLIER_SALE } from '../../domain/other-details.ts';
import type { Warning } from '../../domain/warning.ts';
import { percentileUsd, type Distribution } from '../../valuation/calibration/distribution.ts';
import type { EquityBody } from '../../schemas/service.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { EquityStudy } from '../../valuation/ratio-study/equity.ts';
import { levelStratum, type StratumAccuracy } from '../../valuation/calibration/holdout-cases.ts';
import { homeOfSale, asOfEnd, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import type { TrainedMarket } from '../../valuation/trained-market.ts';
import { newestFigures } from '../../valuation/price-index/external-index.ts';
import { textAt } from '../../valuation/typed-columns.ts';
import { adjustmentTotals, type Adjustment } from '../../valuation/comparables/adjustments.ts';
import { formatAddress } from '../../locate/display-address.ts';
import type { Home } from '../../valuation/subject.ts';
import { nearestComparableMi, NEARBY_MI, type HomeValue } from '../../valuation/value-home.ts';
import type { ActiveMarket, BoundActiveMarket } from '../market-data/markets.ts';
import type {
  DescribedSubject,
  PropertyInputs,
  PropertyValue,
  SaleComparable,
  SearchParams,
} from '../valuation-types.ts';
import { trainingWarnings } from './training-warnings.ts';
import type { ModelRecord } from '../../store/tables/datasets.ts';

/** A point estimate and its distribution, in whole dollars: the same members in every kind of valuation. */
export function valueFigures(pointUsd: number, distribution: Distribution) {
  const at = (level: Percentile): number => percentileUsd(distribution, level);
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
      percentiles: percentilesOf(at),
    },
    fsd: distribution.fsd,
    confidenceScore: Math.max(0, Math.min(100, Math.round(100 * (1 - distribution.fsd)))),
    confidenceLevel: confidenceLevelOf(distribution.fsd),
    probabilityWithin_10Pct: Math.round(1000 * distribution.within10) / 1000,
  };
}

type Percentile = Parameters<typeof percentileUsd>[1];

export function percentilesOf(at: (level: Percentile) => number) {
  return { p5: at(5), p10: at(10), p25: at(25), p50: at(50), p75: at(75), p90: at(90), p95: at(95) };
}

/** The model that computed the value, and the data it used. */
export function modelMembers({ model, snapshots }: BoundActiveMarket, asOf: Day): PropertyValue['model'] {
  return {
    id: model.modelId,
    version: formatDay(model.trainedOn),
    sha256: model.sha256,
    dataSnapshot: snapshots.hashAsOf(asOf),
  };
}

/**
 * The model's accuracy for the narrowest stratum with enough holdout sales: homes of this type and level, of this
 * type, or the whole market.
 */
export function accuracyOf(
  { accuracy }: Pick<TrainedMarket, 'accuracy'>,
  type: PropertyType,
  level: ConfidenceLevel,
): PropertyValue['accuracy'] {
  const stratumOf = (name: string) => accuracy.find((candidate) => candidate.stratum === name);
  const stratum = stratumOf(levelStratum(type, level)) ?? stratumOf(type) ?? stratumOf('all');
  return stratum ? accuracyMembers(stratum) : null;
}

/** One stratum, under the member names of responses. */
export function accuracyMembers(measured: StratumAccuracy): NonNullable<PropertyValue['accuracy']> {
  const { stratum, n, mdape, ppe10, coverage90, window } = measured;
  return { stratum, n, mdape, ppe10, coverage_90: coverage90, window };
}

/** Four decimals: a tenth of a percent of the ranges. */
export function equityMembers({ stratum, n, isSmall, measures }: EquityStudy): ResponseOf<typeof EquityBody> {
  const rounded = (figure: number): number => Number(figure.toFixed(4));
  return {
    stratum,
    n,
    isSmall,
    measures: measures.map(({ measure, figure, ci95, range, verdict }) => ({
      measure,
      figure: figure === null ? null : rounded(figure),
      ci95: ci95 && [rounded(ci95[0]), rounded(ci95[1])],
      range,
      verdict,
    })),
  };
}

/** Measured accuracy of a stored model: the whole market first, then types and levels. Training stored values of this type. */
export function accuracyOfModel(model: Pick<ModelRecord, 'accuracy'>): readonly StratumAccuracy[] {
  const accuracy: readonly StratumAccuracy[] = JSON.parse(JSON.stringify(model.accuracy));
  return accuracy;
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

/**
 * The adjustment grid of a comparable and what it comes to, in percent of the sale price or rent.
 *
 * @param nameOf the wire name of an attribute; for a building, room counts are totals of all units
 */
export function adjustmentMembers(
  salePriceUsd: number,
  adjustments: readonly Adjustment[],
  nameOf: (attribute: string) => string,
) {
  return {
    adjustments: adjustments.map(({ field, subject, comp, amount, details }) => {
      const textOf = (side: 'subject' | 'comp') =>
        details.map((detail) => `${nameOf(detail.field)} ${wordOf(detail.field, detail[side])}`).join(', ');
      if (details.length === 0) return { field, subject, comp, amount };
      return { field, subject: textOf('subject'), comp: textOf('comp'), amount };
    }),
    ...adjustmentTotals(salePriceUsd, adjustments),
  };
}

/** A value of an attribute or feature within a text. Amenities of listings are 1 or 0 as text. */
function wordOf(field: string, value: number | string | null): string {
  if (value === null) return field === EARLIER_SALE ? 'none' : 'unknown';
  if (!/^(has|is)[A-Z]/.test(field)) return String(value);
  return Number(value) >= 0.5 ? 'yes' : 'no';
}

/** Warnings of every kind of valuation: about the request, about old data or an old model, and about the figures used. */
export function valuationWarnings(
  market: BoundActiveMarket,
  { warnings, asOf }: Pick<PropertyInputs, 'warnings' | 'asOf'>,
  subject: Pick<DescribedSubject, 'home' | 'typeSource' | 'warnings'>,
  values: readonly HomeValue[],
  nameOf: (attribute: string) => string,
): Warning[] {
  const subjects = values.map((value) => value.subject);
  return [
    ...warnings,
    ...subject.warnings,
    ...staleWarnings(market, asOf),
    ...trainingWarnings(market, subject, subjects, nameOf),
    ...implausibleWarnings(values, nameOf),
    ...nearbyWarnings(values[0]),
  ];
}

/** One warning for each figure of the request that is probably wrong, the same for identical units. */
function implausibleWarnings(
  values: readonly Pick<HomeValue, 'implausible'>[],
  nameOf: (attribute: string) => string,
): Warning[] {
  const warnings = values.flatMap(({ implausible }) =>
    implausible.map(({ attribute, reason }): Warning => ({
      code: 'implausible_input',
      field: nameOf(attribute),
      message: `${reason(nameOf)}. Check it; the range is wider because of this.`,
    })),
  );
  return [...new Map(warnings.map((warning) => [warning.message, warning])).values()];
}

/** Warns where the nearest comparable is more than a mile away. */
function nearbyWarnings({ estimate }: Pick<HomeValue, 'estimate'>): Warning[] {
  const miles = nearestComparableMi(estimate.raw);
  if (miles <= NEARBY_MI) return [];
  const where = Number.isFinite(miles) ? `the nearest is ${miles.toFixed(1)} miles away` : 'there is none';
  const message = `No comparable is within a mile (${where}). The range is wider because of this.`;
  return [{ code: 'no_comparable_nearby', field: 'location', message }];
}

/** Days without a sale or listing, or without training on newer ones, after which the response has a warning. */
export const STALE_AFTER_DAYS = 90;

const NEWEST = { sales: 'sale known here closed', rents: 'listing known here was listed' } as const;

/**
 * A warning if the newest known sale or listing is long before the as-of date, with what the price index carries the
 * value on by, and another if the model has learned only from much older ones. Both widen the interval
 * (`indexVariance` of an estimate).
 */
export function staleWarnings({ bound }: Pick<BoundActiveMarket, 'bound'>, asOf: Day): Warning[] {
  const { columns, newestSoldOn, predictor } = bound.salesData;
  const end = asOfEnd(columns, asOf);
  if (end === 0) return [];
  const newest = newestSoldOn[end - 1];
  const warnings: Warning[] = [];
  const warn = (code: string, message: string) =>
    warnings.push({ code, field: 'date', message: `${message} The interval is wider because of this.` });
  if (asOf - newest > STALE_AFTER_DAYS) {
    const days = `${asOf - newest} days before the as-of date`;
    const carried = `Its price index carries the value on by ${indexSources(columns, asOf)}.`;
    warn('stale_market', `The newest ${NEWEST[columns.kind]} on ${formatDay(newest)}, ${days}. ${carried}`);
  }
  const unlearnedDays = newest - predictor.coveredUntil;
  if (unlearnedDays > STALE_AFTER_DAYS) {
    const rows = columns.kind === 'sales' ? 'sales' : 'listings';
    const until = `${formatDay(predictor.coveredUntil)}, ${unlearnedDays} days before the newest one known here`;
    const remedy = `Training again with at least ten newer ${rows} brings it up to date.`;
    warn('stale_model', `The model learned from ${rows} up to ${until}. ${remedy}`);
  }
  return warnings;
}

/** What a price index moves on by beyond the newest sale: its own trend, and published indexes with their newest figure. */
function indexSources({ indexes }: SaleColumns, knownBy: Day): string {
  const names = newestFigures(indexes, knownBy).map(
    ({ name, day }) => `${name} up to ${formatDay(day).slice(0, 7)}`,
  );
  return ["the market's own trend and season", ...names].join(' and ');
}

/** The location and attributes of every comparable, whether it is a sale or a listing. */
export function comparablePlaceOf(columns: SaleColumns, row: number, distanceMi: number) {
  const address = {
    street: textAt(columns.street, row),
    city: textAt(columns.city, row),
    stateCode: textAt(columns.stateCode, row),
    postalCode: textAt(columns.postalCode, row),
  };
  return {
    compId: textAt(columns.recordId, row),
    formattedAddress: formatAddress(address) || null,
    streetAddress: address.street || null,
    city: address.city || null,
    stateCode: address.stateCode || null,
    postalCode: address.postalCode || null,
    ...comparableHomeMembers(homeOfSale(columns, row), distanceMi),
  };
}

export function comparableHomeMembers({ lat, lon, type, attributes }: Home, distanceMi: number) {
  return {
    latitude: lat,
    longitude: lon,
    distanceMi: Math.round(1000 * distanceMi) / 1000,
    propertyType: type,
    bedrooms: attributes.bedrooms,
    bathrooms: attributes.bathrooms,
    livingArea: attributes.livingAreaSqft,
    lotSize: attributes.lotSizeSqft,
    yearBuilt: attributes.yearBuilt,
    totalUnits: attributes.totalUnits,
    numStories: attributes.stories,
    condition: attributes.condition,
  };
}

/** Publisher of the record. */
export function recordSourceOf(
  { columns, dataset }: Pick<ActiveMarket, 'columns' | 'dataset'>,
  row: number,
): SaleComparable['source'] {
  return {
    name: dataset?.source.name ?? null,
    recordId: textAt(columns.recordId, row),
    license: dataset?.source.license ?? null,
    retrievedAt: dataset?.source.retrievedAt ?? null,
  };
}

/** A list of comparables, with the search settings and the number found. */
export function comparablesList<Item>(
  { radiusMi, lookbackMonths }: SearchParams,
  items: readonly Item[],
  candidates: number,
) {
  return { count: items.length, items, search: { radiusMi, lookbackMonths, candidates } };
}
