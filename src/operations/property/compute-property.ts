import { formatDay } from '../../domain/day.ts';
import { fieldNameOf } from '../../schemas/field-names.ts';
import { missingDetails, type MissingDetails } from '../../valuation/missing-details.ts';
import { valueHome, type ListedComparable, type ValuedHome } from '../../valuation/value-home.ts';
import type { OperationDeps } from '../deps.ts';
import type { BoundActiveMarket } from '../markets.ts';
import {
  accuracyOf,
  adjustmentMembers,
  attributeValue,
  comparablePlaceOf,
  comparablesList,
  modelMembers,
  perSqft,
  recordSourceOf,
  valuationWarnings,
  valueFigures,
} from '../valuation/value-members.ts';
import { featureInputs } from '../valuation/own-features.ts';
import type { ComputedOf, PropertyInputs, SaleComparable, ValuationInput } from '../valuation-types.ts';

/** @throws PlumblineError `gone` if the model or the data was pruned */
export async function computeProperty(
  { markets }: Pick<OperationDeps, 'markets'>,
  inputs: PropertyInputs,
  valuationId: string,
): Promise<ComputedOf<'property'>> {
  const market = await markets.ofInputs(inputs, inputs.salesDatasetId);
  const { asOf, search, subject } = inputs;
  const valued = valueHome(market.bound, subject.home, subject.sources, { asOf, knownBy: asOf }, search);
  const warnings = valuationWarnings(market, inputs, subject, [valued], fieldNameOf);
  const { common, perSquareFoot, outcome } = propertyMembers(valuationId, market, inputs, valued);
  return {
    // Clients have always received the members of a property's warnings in this order.
    valuation: {
      ...common,
      ...perSquareFoot,
      ...outcome,
      warnings: warnings.map(({ code, message, field }) => ({ code, message, field })),
    },
    comparables: comparablesList(
      search,
      valued.comparables.items.map((item) => saleComparableOf(market, item, fieldNameOf)),
      valued.comparables.candidates,
    ),
  };
}

/**
 * How much each missing detail of the home would narrow the range of these inputs.
 *
 * @throws PlumblineError `gone` if the model or the data was pruned
 */
export async function computeMissingDetails(
  { markets }: Pick<OperationDeps, 'markets'>,
  inputs: PropertyInputs,
): Promise<MissingDetails> {
  const { asOf, subject } = inputs;
  const { bound } = await markets.ofInputs(inputs);
  return missingDetails(bound, subject.home, subject.sources, { asOf, knownBy: asOf });
}

/**
 * The members of a value in three groups, because a building value has other members between them. All money
 * is in whole dollars.
 */
export function propertyMembers(
  valuationId: string,
  market: BoundActiveMarket,
  { asOf, subject }: PropertyInputs,
  valued: ValuedHome,
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
    salePrice: item.salePriceUsd,
    saleDate: formatDay(columns.soldOn[row]),
    daysSinceSale: item.daysSinceSale,
    pricePerSqft: perSqft(item.salePriceUsd, place.livingArea),
    timeAdjustedPrice: item.timeAdjustedPriceUsd,
    ...adjustmentMembers(item.salePriceUsd, item.adjustments, nameOf),
    adjustedPrice: item.adjustedPriceUsd,
    similarity: item.similarity,
    weight: item.weight,
    armsLength: columns.armsLength[row] === 2 ? null : columns.armsLength[row] === 1,
    source: recordSourceOf(market, row),
  };
}
