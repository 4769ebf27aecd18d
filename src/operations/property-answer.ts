import { formatDay, type Day } from '../domain/day.ts';
import type { PostalAddress } from '../domain/address.ts';
import type { PropertyType } from '../domain/property.ts';
import type { Warning } from '../domain/warning.ts';
import type { StratumAccuracy } from '../valuation/calibration/blind-accuracy.ts';
import { homeOfSale } from '../valuation/columns/home-of-sale.ts';
import { percentileUsd, type Distribution } from '../valuation/calibration/distribution.ts';
import type { SaleColumns } from '../valuation/columns/sale-columns.ts';
import { textAt } from '../valuation/columns/string-column.ts';
import type { ListedComparable, ValuedHome } from '../valuation/value-home.ts';
import { formatAddress } from './address-info.ts';
import type { DescribedSubject } from './describe-subject.ts';
import type { BoundActiveMarket } from './markets.ts';
import type {
  ComparableList,
  Interval,
  PropertyValue,
  SaleComparable,
  SearchParams,
  ValuationInput,
} from './property-valuation.ts';

/** Yes/no attributes go out as booleans. */
const isYesNo = (attribute: string): boolean => attribute.startsWith('has');

/** Contract §2, rounded: per-sqft figures to the cent, all other money whole. */
export function propertyValueOf(
  valuationId: string,
  market: BoundActiveMarket,
  subject: DescribedSubject,
  valued: ValuedHome,
  asOf: Day,
  dataSnapshot: string,
  warnings: readonly Warning[],
): PropertyValue {
  const { distribution, completed } = valued;
  const point = valued.estimate.pointUsd;
  const ninety: Interval = { lower: percentileUsd(distribution, 5), upper: percentileUsd(distribution, 95) };
  const area = subject.home.attributes.livingAreaSqft;
  const perSqft = (usd: number): number | null => (area ? Math.round((100 * usd) / area) / 100 : null);
  const { home } = completed;
  return {
    valuationId,
    propertyType: home.type,
    totalUnits: home.attributes.totalUnits ?? 1,
    currency: 'USD',
    asOfDate: formatDay(asOf),
    pointValue: point,
    estimatedValue: point,
    estimatedValueLow: ninety.lower,
    estimatedValueHigh: ninety.upper,
    confidenceInterval90: ninety,
    confidenceInterval95: {
      lower: percentileUsd(distribution, 2.5),
      upper: percentileUsd(distribution, 97.5),
    },
    distribution: distributionMembers(distribution, point),
    fsd: distribution.fsd,
    confidenceScore: Math.max(0, Math.min(100, Math.round(100 * (1 - distribution.fsd)))),
    pricePerSqft: perSqft(point),
    pricePerSqftLow: perSqft(ninety.lower),
    pricePerSqftHigh: perSqft(ninety.upper),
    estimators: valued.estimate.estimators.map(({ name, valueUsd, weight }) => ({
      name,
      value: valueUsd,
      weight,
    })),
    inputs: inputsOf(subject, valued),
    accuracy: accuracyOf(market, home.type),
    model: {
      id: market.model.modelId,
      version: formatDay(market.model.trainedOn),
      sha256: market.model.sha256,
      dataSnapshot,
    },
    warnings,
  };
}

/** What the model measured of homes of this type; of the whole market where it valued too few of the type blind. */
function accuracyOf(market: BoundActiveMarket, type: PropertyType): StratumAccuracy | null {
  const { accuracy } = market.bound.trained;
  const stratumOf = (name: string) => accuracy.find((candidate) => candidate.stratum === name);
  return stratumOf(type) ?? stratumOf('all') ?? null;
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

function inputsOf(subject: DescribedSubject, valued: ValuedHome): ValuationInput[] {
  const inputs = valued.completed.inputs.map(({ attribute, value, source, support }): ValuationInput => {
    const told = value !== null && isYesNo(attribute) ? value >= 0.5 : value;
    return { field: attribute, value: told, source, support };
  });
  return [
    { field: 'propertyType', value: subject.home.type, source: subject.typeSource, support: null },
    ...inputs,
  ];
}

/** The list as asked for, best first, with the grid of each. */
export function comparableListOf(
  market: BoundActiveMarket,
  search: SearchParams,
  valued: ValuedHome,
): ComparableList {
  const items = valued.comparables.items.map((item) => saleComparableOf(market, item));
  return {
    count: items.length,
    items,
    search: {
      radiusMi: search.radiusMi,
      lookbackMonths: search.lookbackMonths,
      candidates: valued.comparables.candidates,
    },
  };
}

function saleComparableOf(market: BoundActiveMarket, item: ListedComparable): SaleComparable {
  const { columns } = market;
  const { row } = item;
  const home = homeOfSale(columns, row);
  const address = addressOfSale(columns, row);
  const recordId = textAt(columns.recordId, row);
  const source = market.evidence?.source;
  const area = home.attributes.livingAreaSqft;
  return {
    compId: recordId,
    formattedAddress: formatAddress(address),
    streetAddress: address.street || null,
    city: address.city || null,
    stateCode: address.stateCode || null,
    postalCode: address.postalCode || null,
    latitude: columns.lat[row],
    longitude: columns.lon[row],
    distanceMi: Math.round(1000 * item.distanceMi) / 1000,
    propertyType: home.type,
    attributes: home.attributes,
    salePrice: item.salePriceUsd,
    saleDate: formatDay(columns.soldOn[row]),
    daysSinceSale: item.daysSinceSale,
    pricePerSqft: area ? Math.round((100 * item.salePriceUsd) / area) / 100 : null,
    timeAdjustedPrice: item.timeAdjustedPriceUsd,
    adjustments: item.adjustments,
    adjustedPrice: item.adjustedPriceUsd,
    similarity: item.similarity,
    weight: item.weight,
    armsLength: columns.armsLength[row] === 2 ? null : columns.armsLength[row] === 1,
    source: {
      name: source?.name ?? null,
      recordId,
      license: source?.license ?? null,
      retrievedAt: source?.retrievedAt ?? null,
    },
  };
}

function addressOfSale(columns: SaleColumns, row: number): PostalAddress {
  return {
    street: textAt(columns.street, row),
    city: textAt(columns.city, row),
    stateCode: textAt(columns.stateCode, row),
    postalCode: textAt(columns.postalCode, row),
  };
}
