import type { Static } from 'typebox';
import type { Comprehensive } from '../../operations/comprehensive.ts';
import { presentAddress } from './address.ts';
import { presentCensusData } from './census.ts';
import { presentCrimeData } from './crime.ts';
import { presentFireRiskData, presentFloodZoneData } from './hazards.ts';
import { presentMultifamilyValuation } from './multifamily.ts';
import { presentPropertyValuation } from './property.ts';
import { presentRentalValuation } from './rental.ts';
import { API_VERSION, type ComprehensiveBody } from '../../schemas/comprehensive.ts';

type Body = Static<typeof ComprehensiveBody>;

/** What only the server knows of an answer. */
export interface AnswerTimes {
  readonly requestId: string;
  readonly computeMs: number;
  readonly answeredAt: Date;
}

export function presentComprehensive(answer: Comprehensive, times: AnswerTimes): Body {
  return {
    address_info: presentAddress(answer.addressInfo),
    property_avm: answer.property && propertySection(answer.property),
    rental_avm: answer.rental && rentalSection(answer.rental),
    multifamily_avm: answer.multifamily && multifamilySection(answer.multifamily),
    census_data: answer.census && censusSection(answer.census),
    location_data: locationSection(answer),
    errors: { ...answer.errors },
    warnings: answer.warnings.map((warning) => ({ ...warning })),
    metadata: {
      api_version: API_VERSION,
      compute_ms: times.computeMs,
      request_id: times.requestId,
      response_timestamp: times.answeredAt.toISOString(),
      credits_used: answer.credits,
      credits_breakdown: { ...answer.breakdown },
    },
  };
}

function propertySection(property: NonNullable<Comprehensive['property']>): Body['property_avm'] {
  const { valuation, comparables } = presentPropertyValuation(property);
  return { valuation, comparables };
}

function rentalSection(rental: NonNullable<Comprehensive['rental']>): Body['rental_avm'] {
  const { valuation, comparables } = presentRentalValuation(rental);
  return { valuation, comparables };
}

function multifamilySection(multifamily: NonNullable<Comprehensive['multifamily']>): Body['multifamily_avm'] {
  const { valuation, comparables } = presentMultifamilyValuation(multifamily);
  return { valuation, comparables };
}

function censusSection(census: NonNullable<Comprehensive['census']>): Body['census_data'] {
  const { census_geoids, acs_data } = presentCensusData(census);
  return { census_geoids, acs_data };
}

function locationSection({ crime, fireRisk, floodZone }: Comprehensive): Body['location_data'] {
  if (!crime && !fireRisk && !floodZone) return null;
  return {
    crime: crime && crimeSection(crime),
    fire_risk: fireRisk && presentFireRiskData(fireRisk),
    flood_zone: floodZone && presentFloodZoneData(floodZone),
  };
}

function crimeSection(
  crime: NonNullable<Comprehensive['crime']>,
): NonNullable<Body['location_data']>['crime'] {
  const { query, crime_instances, summary, meta } = presentCrimeData(crime);
  return { query, crime_instances, summary, meta };
}
