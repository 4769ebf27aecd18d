import type { Static } from 'typebox';
import type { Warning } from '../../domain/warning.ts';
import type {
  ComparableList,
  PropertyValuation,
  PropertyValue,
  SaleComparable,
  ValuationInput,
} from '../../operations/property/property-valuation.ts';
import { fieldNameOf } from '../../schemas/field-names.ts';
import type * as wire from '../../schemas/property-response.ts';
import { presentAddress } from './address.ts';
import {
  presentAccuracy,
  presentComparablePlace,
  presentFigures,
  presentModelPin,
  presentRecordSource,
  presentSearch,
} from './valuation-members.ts';

/** A typed answer under its wire names. Nothing is computed or rounded here. */
export function presentPropertyValuation(
  answer: PropertyValuation,
): Static<typeof wire.PropertyValuationBody> {
  return {
    address_info: presentAddress(answer.addressInfo),
    valuation: presentValue(answer.valuation),
    comparables: presentComparables(answer.comparables),
  };
}

function presentValue(value: PropertyValue): Static<typeof wire.PropertyValue> {
  return {
    valuation_id: value.valuationId,
    property_type: value.propertyType,
    total_units: value.totalUnits,
    currency: value.currency,
    as_of_date: value.asOfDate,
    ...presentFigures(value),
    price_per_sqft: value.pricePerSqft,
    price_per_sqft_low: value.pricePerSqftLow,
    price_per_sqft_high: value.pricePerSqftHigh,
    estimators: [...value.estimators],
    inputs: value.inputs.map(presentInput),
    accuracy: value.accuracy && presentAccuracy(value.accuracy),
    model: presentModelPin(value.model),
    warnings: value.warnings.map(presentWarning),
  };
}

/** A warning of an attribute names it as requests do. */
function presentWarning({ field, ...warning }: Warning): Warning {
  return { ...warning, field: field === null ? null : fieldNameOf(field) };
}

export function presentInput(input: ValuationInput): Static<typeof wire.ValuationInput> {
  return { ...input, field: fieldNameOf(input.field) };
}

function presentComparables(list: ComparableList): Static<typeof wire.Comparables> {
  return {
    count: list.count,
    items: list.items.map((sale) => presentSale(sale)),
    search: presentSearch(list.search),
  };
}

/** @param nameOf the wire name of an adjusted attribute: a building's rooms are told in total */
export function presentSale(
  sale: SaleComparable,
  nameOf: (term: string) => string = fieldNameOf,
): Static<typeof wire.SaleComparable> {
  return {
    ...presentComparablePlace(sale),
    sale_price: sale.salePrice,
    sale_date: sale.saleDate,
    days_since_sale: sale.daysSinceSale,
    price_per_sqft: sale.pricePerSqft,
    time_adjusted_price: sale.timeAdjustedPrice,
    adjustments: sale.adjustments.map((line) => ({ ...line, field: nameOf(line.field) })),
    adjusted_price: sale.adjustedPrice,
    similarity: sale.similarity,
    weight: sale.weight,
    arms_length: sale.armsLength,
    source: presentRecordSource(sale.source),
  };
}
