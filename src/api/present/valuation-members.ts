import type { Static, Type } from 'typebox';
import type { ComparablePlace } from '../../operations/valuation/comparable-members.ts';
import type {
  ComparableList,
  PropertyValue,
  SaleComparable,
} from '../../operations/property/property-valuation.ts';
import type { ValueFigures } from '../../operations/valuation/value-figures.ts';
import type * as wire from '../../schemas/valuation-members.ts';

type WireOf<Members extends Parameters<typeof Type.Object>[0]> = {
  [Name in keyof Members]: Static<Members[Name]>;
};

/** What valuations of every kind tell alike, under wire names. */
export function presentFigures(figures: ValueFigures): WireOf<typeof wire.valueFigures> {
  return {
    point_value: figures.pointValue,
    estimated_value: figures.estimatedValue,
    estimated_value_low: figures.estimatedValueLow,
    estimated_value_high: figures.estimatedValueHigh,
    confidence_interval_90: figures.confidenceInterval90,
    confidence_interval_95: figures.confidenceInterval95,
    probabilistic_distribution: figures.distribution,
    fsd: figures.fsd,
    confidence_score: figures.confidenceScore,
  };
}

export function presentAccuracy(
  accuracy: NonNullable<PropertyValue['accuracy']>,
): Static<typeof wire.StratumAccuracy> {
  const { stratum, n, mdape, ppe10, coverage90, window } = accuracy;
  return { stratum, n, mdape, ppe10, coverage_90: coverage90, window };
}

export function presentModelPin(model: PropertyValue['model']): Static<typeof wire.ModelPin> {
  const { id, version, sha256, dataSnapshot } = model;
  return { id, version, sha256, data_snapshot: dataSnapshot };
}

/** Where a comparable stands, and what stands there. */
export function presentComparablePlace(place: ComparablePlace): WireOf<typeof wire.comparablePlace> {
  const { attributes } = place;
  return {
    comp_id: place.compId,
    formatted_address: place.formattedAddress,
    street_address: place.streetAddress,
    city: place.city,
    state_code: place.stateCode,
    postal_code: place.postalCode,
    latitude: place.latitude,
    longitude: place.longitude,
    distance_mi: place.distanceMi,
    property_type: place.propertyType,
    bedrooms: attributes.bedrooms,
    bathrooms: attributes.bathrooms,
    living_area: attributes.livingAreaSqft,
    lot_size: attributes.lotSizeSqft,
    year_built: attributes.yearBuilt,
    total_units: attributes.totalUnits,
    num_stories: attributes.stories,
    condition: attributes.condition,
  };
}

export function presentRecordSource(source: SaleComparable['source']): Static<typeof wire.RecordSource> {
  const { name, recordId, license, retrievedAt } = source;
  return { name, record_id: recordId, license, retrieved_at: retrievedAt };
}

export function presentSearch(search: ComparableList['search']): Static<typeof wire.ComparableSearch> {
  const { radiusMi, lookbackMonths, candidates } = search;
  return { radius_mi: radiusMi, lookback_months: lookbackMonths, candidates };
}
