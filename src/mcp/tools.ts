import { Type, type Static, type TSchema } from 'typebox';
import { ComprehensiveRequestBody, type ComprehensiveBody } from '../schemas/comprehensive.ts';
import {
  MultifamilyValuationRequestBody,
  RentalValuationRequestBody,
  PropertyValuationRequestBody,
} from '../schemas/valuation-requests.ts';
import type { MultifamilyValuationBody } from '../schemas/multifamily-response.ts';
import type { RentalValuationBody } from '../schemas/rental-response.ts';
import type { CoverageBody } from '../schemas/service.ts';
import type { PropertyValuationBody } from '../schemas/property-response.ts';
import { sayBuilding, sayComparables, sayCoverage, sayHome, sayPlace, sayRents } from './say-answers.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** One tool: an API operation with what a model must know to use it well. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: TSchema;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The request body; the arguments unchanged, unless a tool adds to them. */
  readonly bodyOf: (given: Arguments) => Arguments;
  /** The part of the response that is returned, and the same in a few sentences. */
  readonly read: (text: string) => Told;
}

export interface Told {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly sentences: string;
}

/** JSON written by the API itself, of the type it publishes. */
function reading<Body extends object>(say: (body: Body) => string, pick?: (body: Body) => object) {
  return (text: string): Told => {
    const body: Body = JSON.parse(text);
    return { structured: { ...(pick?.(body) ?? body) }, sentences: say(body) };
  };
}

const asGiven = (given: Arguments): Arguments => given;

const WHERE =
  'Give `location.address` (street and city) or `location.latitude` with `location.longitude`. If the address is not known, the error lists candidates: ask the user which is meant, or call again with one of them.';
const UNITS = 'Money is whole US dollars, areas are square feet, distances miles, dates YYYY-MM-DD.';
const UNKNOWN =
  'Leave out what you do not know rather than guess: it is taken from records or from similar properties, named under `inputs`, and widens the range.';
const WITH_RANGE =
  'Always give the user the 90 % range with the value, and any warnings. `search_params.date` values as of a past day.';

const PLACE_SECTIONS = ['census-data', 'crime-data', 'fire-risk', 'flood-zone'] as const;
const { location, census, crime } = ComprehensiveRequestBody.properties;

const PlaceInput = Type.Object({
  location,
  requests: Type.Optional(
    Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...PLACE_SECTIONS] }), {
      description: 'Which of them; all four when omitted. Each is charged.',
    }),
  ),
  census,
  crime,
});

const COMPARABLES_WHEN_OMITTED = 10;

export const TOOLS: readonly Tool[] = [
  {
    name: 'value_home',
    title: 'Value a home',
    description: `What one home (house, townhome, condo, mobile home, or small building) is worth on a date, with its whole distribution. Needs bedrooms and bathrooms. ${WHERE} ${UNKNOWN} ${WITH_RANGE} For a building of 2 units or more use value_building. ${UNITS}`,
    input: PropertyValuationRequestBody,
    method: 'POST',
    path: '/v1/avm/property',
    bodyOf: asGiven,
    read: reading<Static<typeof PropertyValuationBody>>(sayHome),
  },
  {
    name: 'value_rent',
    title: 'Value rents',
    description: `What one or more units would let for, in USD a month as asked by landlords, unit by unit and together. Needs bedrooms and bathrooms of each unit in \`property_fields.units\`. ${WHERE} ${UNKNOWN} ${WITH_RANGE} ${UNITS}`,
    input: RentalValuationRequestBody,
    method: 'POST',
    path: '/v1/avm/rental',
    bodyOf: asGiven,
    read: reading<Static<typeof RentalValuationBody>>(sayRents),
  },
  {
    name: 'value_building',
    title: 'Value a residential building',
    description: `What a building of 2 to 1,000 units is worth, by sales comparison, gross rent multiplier and income, with the weight and assumptions of each. Bedrooms and bathrooms are those of the whole building. ${WHERE} ${UNKNOWN} ${WITH_RANGE} ${UNITS}`,
    input: MultifamilyValuationRequestBody,
    method: 'POST',
    path: '/v1/avm/multifamily',
    bodyOf: asGiven,
    read: reading<Static<typeof MultifamilyValuationBody>>(sayBuilding),
  },
  {
    name: 'find_comparables',
    title: 'Find comparable sales',
    description: `Past sales most like a home, most similar first, each with the dollar adjustments that make its price speak for the home (they add up exactly). Takes and costs what value_home does; \`search_params.num_comps\` is ${COMPARABLES_WHEN_OMITTED} when omitted (at most 20), \`radius_mi\` and \`lookback_months\` bound the search. Fewer than asked for means that no more are known there: say so, or widen the search. ${WHERE} ${UNITS}`,
    input: PropertyValuationRequestBody,
    method: 'POST',
    path: '/v1/avm/property',
    bodyOf: (given) => ({ ...given, search_params: withComparables(given.search_params) }),
    read: reading<Static<typeof PropertyValuationBody>>(
      sayComparables,
      ({ address_info, comparables, valuation: { valuation_id, as_of_date, warnings } }) => ({
        address_info,
        valuation: { valuation_id, as_of_date, warnings },
        comparables,
      }),
    ),
  },
  {
    name: 'describe_place',
    title: 'Describe a place',
    description: `What is known of a place: census figures of its area with their margins of error, crime around it, wildfire risk and flood zone. Null or empty means that nothing is loaded for the place, which is not "no risk" or "no crime": say that it is unknown. A section that failed stands in \`errors\` with its reason. Name census keys you want in \`census.census_keys\` (B19013_001E median household income, B25064_001E median rent, B25077_001E median home value, B01003_001E population). ${WHERE} ${UNITS}`,
    input: PlaceInput,
    method: 'POST',
    path: '/v1/comprehensive',
    bodyOf: (given) => ({ requests: PLACE_SECTIONS, ...given }),
    read: reading<Static<typeof ComprehensiveBody>>(sayPlace),
  },
  {
    name: 'coverage',
    title: 'What is covered',
    description:
      'The markets that this service has data of, with the layers loaded for each, their last sale, and from which date values can be had. Call it after `outside_coverage` or `insufficient_data`, or before asking about a new region. Costs nothing.',
    input: Type.Object({}),
    method: 'GET',
    path: '/v1/coverage',
    bodyOf: asGiven,
    read: reading<Static<typeof CoverageBody>>(sayCoverage),
  },
];

function withComparables(search: unknown): unknown {
  const isObject = typeof search === 'object' && search !== null && !Array.isArray(search);
  if (search !== undefined && search !== null && !isObject) return search;
  return { num_comps: COMPARABLES_WHEN_OMITTED, ...(isObject ? search : {}) };
}
