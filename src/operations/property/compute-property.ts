import { formatDay } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import { fieldNameOf } from '../../schemas/field-names.ts';
import { asOfEnd } from '../../valuation/columns/sale-columns.ts';
import { missingDetails, type MissingDetails } from '../../valuation/missing-details.ts';
import { valueHome, type ListedComparable, type ValuedHome } from '../../valuation/value-home.ts';
import type { BoundActiveMarket } from '../markets.ts';
import { comparablePlaceOf, comparablesList, recordSourceOf } from '../valuation/comparable-members.ts';
import { marketOfInputs, type InputsDeps } from '../valuation/market-of-inputs.ts';
import type { SearchParams } from '../valuation/requests.ts';
import type {
  Computed,
  PropertyValuation,
  PropertyValue,
  SaleComparable,
  ValuationInput,
} from '../valuation/responses.ts';
import { staleMarketWarnings } from '../valuation/stale-market.ts';
import {
  accuracyOf,
  attributeValue,
  modelMembers,
  perSqft,
  valueFigures,
} from '../valuation/value-figures.ts';
import type { DescribedSubject } from './describe-subject.ts';

/** Everything that a property valuation was computed from. */
export interface PropertyInputs {
  readonly modelId: string;
  readonly snapshotSha256: string;
  readonly salesDatasetId: number | null;
  readonly asOf: number;
  readonly search: SearchParams;
  readonly subject: DescribedSubject;
  readonly warnings: readonly Warning[];
}

/** @throws PlumblineError `gone` if the model or the data was pruned */
export async function computeProperty(
  deps: InputsDeps,
  inputs: PropertyInputs,
  valuationId: string,
): Promise<Computed<PropertyValuation>> {
  const market = await marketOfInputs(deps, inputs, inputs.salesDatasetId);
  const { asOf, search, subject } = inputs;
  const valued = valueHome(market.bound, subject.home, subject.sources, { asOf, knownBy: asOf }, search);
  const warnings = [
    ...inputs.warnings,
    ...subject.warnings,
    ...staleMarketWarnings(market.bound.salesData, asOf),
  ];
  const { common, perSquareFoot, outcome } = propertyMembers(valuationId, market, inputs, valued);
  return {
    // In warnings of a property response, `field` is the last member.
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
  deps: InputsDeps,
  inputs: PropertyInputs,
): Promise<MissingDetails> {
  const { asOf, subject } = inputs;
  const { bound } = await marketOfInputs(deps, inputs, inputs.salesDatasetId);
  return missingDetails(bound, subject.home, subject.sources, { asOf, knownBy: asOf });
}

type PerSquareFoot = Pick<PropertyValue, 'pricePerSqft' | 'pricePerSqftLow' | 'pricePerSqftHigh'>;
type Outcome = Pick<PropertyValue, 'estimators' | 'inputs' | 'accuracy' | 'model'>;

/**
 * The members of a value in three groups, because a building value has other members between them. All money
 * is in whole dollars.
 */
export function propertyMembers(
  valuationId: string,
  market: BoundActiveMarket,
  { asOf, subject }: Pick<PropertyInputs, 'asOf' | 'subject'>,
  valued: ValuedHome,
  nameOf: (attribute: string) => string = fieldNameOf,
): {
  readonly common: Omit<PropertyValue, keyof PerSquareFoot | keyof Outcome | 'warnings'>;
  readonly perSquareFoot: PerSquareFoot;
  readonly outcome: Outcome;
} {
  const figures = valueFigures(valued.estimate.pointUsd, valued.distribution);
  const area = subject.home.attributes.livingAreaSqft;
  const { home } = valued.subject;
  const dataSnapshot = market.snapshots.hashOfFirst(asOfEnd(market.columns, asOf));
  return {
    common: {
      valuationId,
      propertyType: home.type,
      totalUnits: home.attributes.totalUnits ?? 1,
      currency: 'USD',
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
      inputs: inputsOf(subject, valued, nameOf),
      accuracy: accuracyOf(market, home.type),
      model: modelMembers(market, dataSnapshot),
    },
  };
}

function inputsOf(
  subject: DescribedSubject,
  valued: ValuedHome,
  nameOf: (attribute: string) => string,
): ValuationInput[] {
  const attributes = valued.subject.inputs.map(({ attribute, value, source, support }): ValuationInput => ({
    field: nameOf(attribute),
    value: attributeValue(attribute, value),
    source,
    support,
  }));
  const type = subject.home.type;
  return [{ field: 'property_type', value: type, source: subject.typeSource, support: null }, ...attributes];
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
    adjustments: item.adjustments.map((line) => ({ ...line, field: nameOf(line.field) })),
    adjustedPrice: item.adjustedPriceUsd,
    similarity: item.similarity,
    weight: item.weight,
    armsLength: columns.armsLength[row] === 2 ? null : columns.armsLength[row] === 1,
    source: recordSourceOf(market, row),
  };
}
