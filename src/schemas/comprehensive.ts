import { Type, type TProperties } from 'typebox';
import { AddressInfo, Location, Warnings } from './location.ts';
import { integer, nullable, optional, responseObject, string } from './members.ts';
import { CensusDataBody, CensusDataRequestBody } from './census.ts';
import { CrimeDataBody, CrimeDataRequestBody } from './crime.ts';
import { FireRiskData, FloodZoneData } from './hazards.ts';
import { MultifamilyFields, RentalFields, PropertyFields, SearchParams } from './valuation-requests.ts';
import { BuildingComparables, MultifamilyValue } from './multifamily-response.ts';
import { RentalValue, RentComparables } from './rental-response.ts';
import { Comparables, PropertyValue } from './property-response.ts';

/** What can be requested about one place at once, in the order of the response. */
export const SECTIONS = [
  'property-avm',
  'rental-avm',
  'multifamily-avm',
  'census-data',
  'crime-data',
  'fire-risk',
  'flood-zone',
] as const;
export type SectionName = (typeof SECTIONS)[number];

export const API_VERSION = 'v1.0.0';

const { geographies, years, census_keys, categories } = CensusDataRequestBody.properties;
const { location: _location, cursor: _cursor, ...crimeMembers } = CrimeDataRequestBody.properties;

export const ComprehensiveRequestBody = Type.Object(
  {
    requests: optional.list<SectionName>(
      { type: 'string', enum: [...SECTIONS] },
      `The sections: ${SECTIONS.map((name) => `\`${name}\``).join(', ')}.`,
      { 'x-when-omitted': 'every section whose inputs are given' },
    ),
    location: Location,
    search_params: Type.Optional(SearchParams),
    property_fields: Type.Optional(PropertyFields),
    rental_fields: Type.Optional(RentalFields),
    multifamily_fields: Type.Optional(MultifamilyFields),
    census: Type.Optional(
      Type.Object(
        { years, geographies, census_keys, categories },
        { title: 'ComprehensiveCensus', description: 'The census figures, as in `/v1/census-data`.' },
      ),
    ),
    crime: Type.Optional(
      Type.Object(crimeMembers, {
        title: 'ComprehensiveCrime',
        description: 'The incidents, as in `/v1/crime-data`.',
      }),
    ),
  },
  { title: 'ComprehensiveRequest' },
);

/** A section of the response: null if it was not requested, or failed. It has the members of its own operation. */
function section<P extends TProperties>(title: string, members: P, operation: string) {
  return nullable.object(responseObject(title, members), `As in the response of \`${operation}\`.`);
}

const { acs_data, census_geoids } = CensusDataBody.properties;
const { crime_instances, summary, meta, query } = CrimeDataBody.properties;

export const ComprehensiveBody = responseObject('Comprehensive', {
  address_info: AddressInfo,
  property_avm: section(
    'ComprehensiveProperty',
    { valuation: PropertyValue, comparables: Comparables },
    '/v1/avm/property',
  ),
  rental_avm: section(
    'ComprehensiveRental',
    { valuation: RentalValue, comparables: RentComparables },
    '/v1/avm/rental',
  ),
  multifamily_avm: section(
    'ComprehensiveMultifamily',
    { valuation: MultifamilyValue, comparables: BuildingComparables },
    '/v1/avm/multifamily',
  ),
  census_data: section('ComprehensiveCensusData', { census_geoids, acs_data }, '/v1/census-data'),
  location_data: nullable.object(
    responseObject('ComprehensiveLocationData', {
      crime: section('ComprehensiveCrimeData', { query, crime_instances, summary, meta }, '/v1/crime-data'),
      fire_risk: section('ComprehensiveFireRisk', FireRiskData.properties, '/v1/fire-risk'),
      flood_zone: section('ComprehensiveFloodZone', FloodZoneData.properties, '/v1/flood-zone'),
    }),
    'Null if none of its parts was requested.',
  ),
  errors: Type.Record(
    Type.String(),
    responseObject('SectionError', {
      status: integer('The HTTP status that the section alone would have had.'),
      code: string('For programs.'),
      detail: string('A sentence for people.'),
    }),
    { description: 'Why requested sections failed, by the names in `requests`.' },
  ),
  warnings: Warnings,
  metadata: responseObject('ComprehensiveMetadata', {
    api_version: string('Version of the API.', { default: API_VERSION }),
    compute_ms: nullable.integer('Milliseconds from the request to the response.'),
    request_id: nullable.string('Id of this request in the log; quote it when you ask for help.'),
    response_timestamp: nullable.string('RFC 3339, UTC.'),
    credits_used: nullable.integer('Sum of the breakdown.'),
    credits_breakdown: Type.Unsafe<Record<string, number> | null>({
      type: ['object', 'null'],
      additionalProperties: { type: 'integer' },
      description: 'Credits of each section in the response.',
    }),
  }),
});
