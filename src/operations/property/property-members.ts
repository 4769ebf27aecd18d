import { type Day, formatDay } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import { fieldNameOf } from '../../schemas/field-names.ts';
import type { HomeValue, ListedComparable } from '../../valuation/value-home.ts';
import type { BoundActiveMarket } from '../market-data/markets.ts';
import {
  accuracyOf,
  adjustmentMembers,
  attributeValue,
  comparablePlaceOf,
  modelMembers,
  perSqft,
  recordSourceOf,
  valueFigures,
} from '../valuation/value-members.ts';
import { featureInputs } from '../valuation/own-features.ts';
import type { PropertyInputs, PropertyValue, SaleComparable, ValuationInput } from '../valuation-types.ts';

/**
 * The members of a value in three groups, because a building value has other members between them. All money
 * is in whole dollars.
 */
export function propertyMembers(
  valuationId: string,
  market: BoundActiveMarket,
  { asOf, subject }: PropertyInputs,
  valued: HomeValue,
  nameOf: (attribute: string) => string = fieldNameOf,
) {
  const figures = valueFigures(valued.estimate.pointUsd, valued.distribution);
  const area = subject.home.attributes.livingAreaSqft;
  const { home, inputs, imputedFeatures } = valued.subject;
  return {
    common: {
      valuationId,
      propertyType: home.type,
      totalUnits: home.attributes.totalUnits ?? 1,
      currency: 'USD' as const,
      asOfDate: formatDay(asOf),
      ...figures,
    },
    perSquareFoot: {
      pricePerSqft: perSqft(figures.pointValue, area),
      pricePerSqftLow: perSqft(figures.estimatedValueLow, area),
      pricePerSqftHigh: perSqft(figures.estimatedValueHigh, area),
    },
    outcome: {
      estimators: valued.estimate.estimators.map(({ name, valueUsd, weight }) => ({
        name,
        value: valueUsd,
        weight,
      })),
      inputs: [
        { field: 'property_type', value: subject.home.type, source: subject.typeSource, support: null },
        ...inputs.map(({ attribute, value, source, support }): ValuationInput => ({
          field: nameOf(attribute),
          value: attributeValue(attribute, value),
          source,
          support,
        })),
        ...featureInputs(market, subject, imputedFeatures),
      ],
      accuracy: accuracyOf(market.bound.trained, home.type, figures.confidenceLevel),
      model: modelMembers(market, asOf),
    },
  };
}

/** A home's value in one object. Clients have always received the members of its warnings in this order. */
export function propertyValuation(
  { common, perSquareFoot, outcome }: ReturnType<typeof propertyMembers>,
  warnings: readonly Warning[],
): PropertyValue {
  return {
    ...common,
    ...perSquareFoot,
    ...outcome,
    warnings: warnings.map(({ code, message, field }) => ({ code, message, field })),
  };
}

/**
 * @param nameOf the wire name of an adjusted attribute; for a building, room counts are totals of all units
 */
export function saleComparableOf(
  market: BoundActiveMarket,
  item: ListedComparable,
  nameOf: (attribute: string) => string,
): SaleComparable {
  const { columns } = market;
  const { row } = item;
  const place = comparablePlaceOf(columns, row, item.distanceMi);
  return {
    ...place,
    ...saleMembers(item, columns.soldOn[row], place.livingArea, nameOf),
    armsLength: columns.armsLength[row] === 2 ? null : columns.armsLength[row] === 1,
    source: recordSourceOf(market, row),
  };
}

/** The sale of a comparable with its adjustment grid. */
export function saleMembers(
  item: ListedComparable,
  soldOn: Day,
  livingAreaSqft: number | null,
  nameOf: (attribute: string) => string,
) {
  return {
    salePrice: item.salePriceUsd,
    saleDate: formatDay(soldOn),
    daysSinceSale: item.daysSinceSale,
    pricePerSqft: perSqft(item.salePriceUsd, livingAreaSqft),
    timeAdjustedPrice: item.timeAdjustedPriceUsd,
    ...adjustmentMembers(item.salePriceUsd, item.adjustments, nameOf),
    adjustedPrice: item.adjustedPriceUsd,
    similarity: item.similarity,
    weight: item.weight,
  };
}
