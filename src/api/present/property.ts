import type { Static } from 'typebox';
import type {
  ComparableList,
  PropertyValuation,
  PropertyValue,
  SaleComparable,
} from '../../operations/property-valuation.ts';
import { presentAddress } from './address.ts';
import { fieldNameOf } from '../schemas/field-names.ts';
import type * as wire from '../schemas/valuation-response.ts';

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
    point_value: value.pointValue,
    estimated_value: value.estimatedValue,
    estimated_value_low: value.estimatedValueLow,
    estimated_value_high: value.estimatedValueHigh,
    confidence_interval_90: value.confidenceInterval90,
    confidence_interval_95: value.confidenceInterval95,
    probabilistic_distribution: value.distribution,
    fsd: value.fsd,
    confidence_score: value.confidenceScore,
    price_per_sqft: value.pricePerSqft,
    price_per_sqft_low: value.pricePerSqftLow,
    price_per_sqft_high: value.pricePerSqftHigh,
    estimators: [...value.estimators],
    inputs: value.inputs.map((input) => ({ ...input, field: fieldNameOf(input.field) })),
    accuracy: value.accuracy && presentAccuracy(value.accuracy),
    model: {
      id: value.model.id,
      version: value.model.version,
      sha256: value.model.sha256,
      data_snapshot: value.model.dataSnapshot,
    },
    warnings: [...value.warnings],
  };
}

export function presentAccuracy(
  accuracy: NonNullable<PropertyValue['accuracy']>,
): Static<typeof wire.StratumAccuracy> {
  const { stratum, n, mdape, ppe10, coverage90, window } = accuracy;
  return { stratum, n, mdape, ppe10, coverage_90: coverage90, window };
}

function presentComparables(list: ComparableList): Static<typeof wire.Comparables> {
  return {
    count: list.count,
    items: list.items.map(presentSale),
    search: {
      radius_mi: list.search.radiusMi,
      lookback_months: list.search.lookbackMonths,
      candidates: list.search.candidates,
    },
  };
}

function presentSale(sale: SaleComparable): Static<typeof wire.SaleComparable> {
  const { attributes } = sale;
  return {
    comp_id: sale.compId,
    formatted_address: sale.formattedAddress,
    street_address: sale.streetAddress,
    city: sale.city,
    state_code: sale.stateCode,
    postal_code: sale.postalCode,
    latitude: sale.latitude,
    longitude: sale.longitude,
    distance_mi: sale.distanceMi,
    property_type: sale.propertyType,
    bedrooms: attributes.bedrooms,
    bathrooms: attributes.bathrooms,
    living_area: attributes.livingAreaSqft,
    lot_size: attributes.lotSizeSqft,
    year_built: attributes.yearBuilt,
    total_units: attributes.totalUnits,
    num_stories: attributes.stories,
    condition: attributes.condition,
    sale_price: sale.salePrice,
    sale_date: sale.saleDate,
    days_since_sale: sale.daysSinceSale,
    price_per_sqft: sale.pricePerSqft,
    time_adjusted_price: sale.timeAdjustedPrice,
    adjustments: sale.adjustments.map((line) => ({ ...line, field: fieldNameOf(line.field) })),
    adjusted_price: sale.adjustedPrice,
    similarity: sale.similarity,
    weight: sale.weight,
    arms_length: sale.armsLength,
    source: {
      name: sale.source.name,
      record_id: sale.source.recordId,
      license: sale.source.license,
      retrieved_at: sale.source.retrievedAt,
    },
  };
}
