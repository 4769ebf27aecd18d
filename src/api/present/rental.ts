import type { Static } from 'typebox';
import type {
  RentalValuation,
  RentalValue,
  RentComparable,
  UnitRent,
} from '../../operations/rental/rental-valuation.ts';
import { rentalFieldNameOf } from '../../schemas/field-names.ts';
import type * as wire from '../../schemas/rental-response.ts';
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
export function presentRentalValuation({
  addressInfo,
  valuation,
  comparables,
}: RentalValuation): Static<typeof wire.RentalValuationBody> {
  return {
    address_info: presentAddress(addressInfo),
    valuation: presentValue(valuation),
    comparables: {
      count: comparables.count,
      items: comparables.items.map(presentListing),
      search: presentSearch(comparables.search),
    },
  };
}

function presentValue(value: RentalValue): Static<typeof wire.RentalValue> {
  const { figures } = value;
  return {
    valuation_id: value.valuationId,
    property_type: value.propertyType,
    total_units: value.totalUnits,
    currency: value.currency,
    period: value.period,
    as_of_date: value.asOfDate,
    units_valued: value.unitsValued,
    ...presentFigures(figures),
    estimated_rent: figures.estimatedValue,
    estimated_rent_low: figures.estimatedValueLow,
    estimated_rent_high: figures.estimatedValueHigh,
    annual_rent: value.annualRent,
    total_method: value.totalMethod,
    units: value.units.map(presentUnit),
    estimators: [...value.estimators],
    inputs: value.inputs.map(({ field, value: used, source, support, unitIndexes }) => ({
      field: rentalFieldNameOf(field),
      value: used,
      source,
      support,
      unit_index: unitIndexes && [...unitIndexes],
    })),
    accuracy: value.accuracy && presentAccuracy(value.accuracy),
    model: presentModelPin(value.model),
    warnings: [...value.warnings],
  };
}

function presentUnit(unit: UnitRent): Static<typeof wire.UnitRent> {
  const { figures } = unit;
  return {
    unit_index: unit.unitIndex,
    bedrooms: unit.bedrooms,
    bathrooms: unit.bathrooms,
    size: unit.sizeSqft,
    is_furnished: unit.isFurnished,
    point_value: figures.pointValue,
    estimated_rent: figures.estimatedValue,
    estimated_rent_low: figures.estimatedValueLow,
    estimated_rent_high: figures.estimatedValueHigh,
    rent_per_sqft: unit.rentPerSqft,
    confidence_interval_90: figures.confidenceInterval90,
    confidence_interval_95: figures.confidenceInterval95,
    probabilistic_distribution: figures.distribution,
    fsd: figures.fsd,
    confidence_score: figures.confidenceScore,
  };
}

function presentListing(listing: RentComparable): Static<typeof wire.RentComparable> {
  return {
    ...presentComparablePlace(listing),
    rent: listing.rent,
    listed_date: listing.listedDate,
    last_seen_date: listing.lastSeenDate,
    days_on_market: listing.daysOnMarket,
    rent_per_sqft: listing.rentPerSqft,
    time_adjusted_rent: listing.timeAdjustedRent,
    adjustments: listing.adjustments.map((line) => ({ ...line, field: rentalFieldNameOf(line.field) })),
    adjusted_rent: listing.adjustedRent,
    similarity: listing.similarity,
    weight: listing.weight,
    is_furnished: listing.isFurnished,
    unit_index: [...listing.unitIndexes],
    arms_length: null,
    source: presentRecordSource(listing.source),
  };
}
