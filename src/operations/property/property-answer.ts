import { formatDay, type Day } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import type { ListedComparable, ValuedHome } from '../../valuation/value-home.ts';
import { comparablePlaceOf, recordSourceOf } from '../valuation/comparable-members.ts';
import type { DescribedSubject } from './describe-subject.ts';
import type { BoundActiveMarket } from '../markets.ts';
import type {
  ComparableList,
  PropertyValue,
  SaleComparable,
  SearchParams,
  ValuationInput,
} from './property-valuation.ts';
import { accuracyOf, modelPinOf, perSqft, valueFigures } from '../valuation/value-figures.ts';

/** Yes/no attributes go out as booleans. */
export function toldValue(attribute: string, value: number | null): number | boolean | null {
  return value !== null && attribute.startsWith('has') ? value >= 0.5 : value;
}

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
  const figures = valueFigures(valued.estimate.pointUsd, valued.distribution);
  const area = subject.home.attributes.livingAreaSqft;
  const { home } = valued.subject;
  return {
    valuationId,
    propertyType: home.type,
    totalUnits: home.attributes.totalUnits ?? 1,
    currency: 'USD',
    asOfDate: formatDay(asOf),
    ...figures,
    pricePerSqft: perSqft(figures.pointValue, area),
    pricePerSqftLow: perSqft(figures.estimatedValueLow, area),
    pricePerSqftHigh: perSqft(figures.estimatedValueHigh, area),
    estimators: valued.estimate.estimators.map(({ name, valueUsd, weight }) => ({
      name,
      value: valueUsd,
      weight,
    })),
    inputs: inputsOf(subject, valued),
    accuracy: accuracyOf(market, home.type),
    model: modelPinOf(market, dataSnapshot),
    warnings,
  };
}

function inputsOf(subject: DescribedSubject, valued: ValuedHome): ValuationInput[] {
  const inputs = valued.subject.inputs.map(({ attribute, value, source, support }): ValuationInput => ({
    field: attribute,
    value: toldValue(attribute, value),
    source,
    support,
  }));
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
  const place = comparablePlaceOf(columns, row, item.distanceMi);
  return {
    ...place,
    salePrice: item.salePriceUsd,
    saleDate: formatDay(columns.soldOn[row]),
    daysSinceSale: item.daysSinceSale,
    pricePerSqft: perSqft(item.salePriceUsd, place.attributes.livingAreaSqft),
    timeAdjustedPrice: item.timeAdjustedPriceUsd,
    adjustments: item.adjustments,
    adjustedPrice: item.adjustedPriceUsd,
    similarity: item.similarity,
    weight: item.weight,
    armsLength: columns.armsLength[row] === 2 ? null : columns.armsLength[row] === 1,
    source: recordSourceOf(market, row),
  };
}
