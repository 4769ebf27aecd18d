import { Type, type Static, type TProperties } from 'typebox';
import { AddressInfo, Warning } from './address-info.ts';
import { answer } from './response-object.ts';
import { CensusDataBody, CensusDataRequestBody } from './census.ts';
import { CrimeDataBody, CrimeDataRequestBody } from './crime.ts';
import { FireRiskData, FloodZoneData } from './hazards.ts';
import { Location } from './location.ts';
import { nullableInteger, nullableString } from './members.ts';
import { MultifamilyFields } from './multifamily-request.ts';
import { BuildingComparables, MultifamilyValue } from './multifamily-response.ts';
import { RentalFields } from './rental-request.ts';
import { RentalValue, RentComparables } from './rental-response.ts';
import { PropertyFields, SearchParams } from './property-request.ts';
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
    requests: Type.Optional(
      Type.Unsafe<SectionName[] | null>({
        type: ['array', 'null'],
        items: { type: 'string', enum: [...SECTIONS] },
        description: `Which sections: ${SECTIONS.map((name) => `\`${name}\``).join(', ')}.`,
        'x-when-omitted': 'every section whose inputs are there',
      }),
    ),
    location: Location,
    search_params: Type.Optional(SearchParams),
    property_fields: Type.Optional(PropertyFields),
    rental_fields: Type.Optional(RentalFields),
    multifamily_fields: Type.Optional(MultifamilyFields),
    census: Type.Optional(
      Type.Object(
        { years, geographies, census_keys, categories },
        { title: 'ComprehensiveCensus', description: 'Which census figures, as in `/v1/census-data`.' },
      ),
    ),
    crime: Type.Optional(
      Type.Object(crimeMembers, {
        title: 'ComprehensiveCrime',
        description: 'Which incidents, as in `/v1/crime-data`.',
      }),
    ),
  },
  { title: 'ComprehensiveRequest' },
);

/** A section of the answer: null where it was not asked for, or failed. */
function section<P extends TProperties>(title: string, members: P, description: string) {
  const schema = answer(title, members);
  return Type.Unsafe<Static<typeof schema> | null>({ ...schema, type: ['object', 'null'], description });
}

const { acs_data, census_geoids } = CensusDataBody.properties;
const { crime_instances, summary, meta, query } = CrimeDataBody.properties;

export const ComprehensiveBody = answer('Comprehensive', {
  address_info: AddressInfo,
  property_avm: section(
    'ComprehensiveProperty',
    { valuation: PropertyValue, comparables: Comparables },
    'The value of the home, as `/v1/avm/property` answers it.',
  ),
  rental_avm: section(
    'ComprehensiveRental',
    { valuation: RentalValue, comparables: RentComparables },
    'The rents of the units, as `/v1/avm/rental` answers them.',
  ),
  multifamily_avm: section(
    'ComprehensiveMultifamily',
    { valuation: MultifamilyValue, comparables: BuildingComparables },
    'The value of the building, as `/v1/avm/multifamily` answers it.',
  ),
  census_data: section(
    'ComprehensiveCensusData',
    { census_geoids, acs_data },
    'As `/v1/census-data` answers it.',
  ),
  location_data: section(
    'ComprehensiveLocationData',
    {
      crime: section(
        'ComprehensiveCrimeData',
        { query, crime_instances, summary, meta },
        'As `/v1/crime-data` answers it.',
      ),
      fire_risk: section('ComprehensiveFireRisk', FireRiskData.properties, 'As `/v1/fire-risk` answers it.'),
      flood_zone: section(
        'ComprehensiveFloodZone',
        FloodZoneData.properties,
        'As `/v1/flood-zone` answers it.',
      ),
    },
    'Null where none of its parts was asked for.',
  ),
  errors: Type.Record(
    Type.String(),
    answer('SectionError', {
      status: Type.Integer({ description: 'The HTTP status that the section alone would have had.' }),
      code: Type.String({ description: 'For programs.' }),
      detail: Type.String({ description: 'A sentence for people.' }),
    }),
    { description: 'Why sections that were asked for have no answer, by the names of `requests`.' },
  ),
  warnings: Type.Array(Warning, { description: 'What did not stop the answer.' }),
  metadata: answer('ComprehensiveMetadata', {
    api_version: Type.String({ description: 'Version of this contract.', default: API_VERSION }),
    compute_ms: nullableInteger({ description: 'Milliseconds from the request to the answer.' }),
    request_id: nullableString({
      description: 'Names this request in the log; quote it when you ask for help.',
    }),
    response_timestamp: nullableString({ description: 'RFC 3339, UTC.' }),
    credits_used: nullableInteger({ description: 'Sum of the breakdown.' }),
    credits_breakdown: Type.Unsafe<Record<string, number> | null>({
      type: ['object', 'null'],
      additionalProperties: { type: 'integer' },
      description: 'Credits of each section that answered.',
    }),
  }),
});
