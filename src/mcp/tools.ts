import { describeMember } from '../api/openapi.ts';
import { keywordsOf, type ObjectSchema } from '../schemas/object-schema.ts';
import { Type, type Static, type TSchema } from 'typebox';
import { ComprehensiveRequestBody, type ComprehensiveBody } from '../schemas/comprehensive.ts';
import {
  MultifamilyValuationRequestBody,
  RentalValuationRequestBody,
  PropertyValuationRequestBody,
} from '../schemas/valuation-requests.ts';
import { ChallengeRequestBody, type ChallengedValuationBody } from '../schemas/challenges.ts';
import { MarketIndexRequestBody, type MarketIndexBody } from '../schemas/market-index.ts';
import type { MultifamilyValuationBody } from '../schemas/multifamily-response.ts';
import type { RentalValuationBody } from '../schemas/rental-response.ts';
import { ReportRequestBody } from '../schemas/report.ts';
import type { CoverageBody } from '../schemas/service.ts';
import type { PropertyValuationBody } from '../schemas/property-response.ts';
import { ValueHistoryRequestBody, type ValueHistoryBody } from '../schemas/value-history.ts';
import {
  buildingText,
  challengeText,
  comparablesText,
  coverageText,
  historyText,
  homeText,
  placeText,
  rentsText,
  trendsText,
} from './response-text.ts';
import { isRecord } from '../domain/json.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** One tool: an API operation with what a model must know to use it well. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: TSchema;
  readonly method: 'GET' | 'POST';
  /** `{valuation_id}` is that argument. The others are the body, or the query of a GET. */
  readonly path: string;
  /** Whether it changes nothing but the account's usage. */
  readonly isReadOnly?: false;
  /** The request body, or query; by default the arguments. */
  readonly bodyOf?: (given: Arguments) => Arguments;
  /** The part of the response that is returned, and the same in a few sentences. */
  readonly read: (text: string) => {
    /** Null for a text. */
    readonly structured: Readonly<Record<string, unknown>> | null;
    readonly sentences: string;
  };
}

/** Reads JSON that the API itself wrote, of the type that it publishes. */
function reading<Body extends object>(
  textOf: (body: Body) => string,
  pick: (body: Body) => object = (body) => body,
): Tool['read'] {
  return (text) => {
    const body: Body = JSON.parse(text);
    return { structured: { ...pick(body) }, sentences: textOf(body) };
  };
}

const WHERE =
  'Give `location.address` (street and city) or `location.latitude` with `location.longitude`. If the address is not known, the error lists candidates: ask the user which is meant, or call again with one of them.';
const UNITS = 'Money is whole US dollars, areas are square feet, distances miles, dates YYYY-MM-DD.';
const UNKNOWN =
  'Leave out what you do not know rather than guess: it is taken from records or from similar properties, named under `inputs`, and widens the range.';
const WITH_RANGE =
  'Always give the user the 90% range with the value, and any warnings. Set `search_params.date` to value as of a past date.';

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

const ValuationId = Type.String({
  description: '`valuation.valuation_id` of an earlier response.',
  pattern: '^[0-9a-fA-F-]{36}$',
});

const ChallengeToolInput = Type.Object({
  valuation_id: ValuationId,
  ...ChallengeRequestBody.properties,
});

const ReportToolInput = Type.Object({
  valuation_id: ValuationId,
  ...Type.Omit(ReportRequestBody, ['format', 'paper']).properties,
});

const COMPARABLES_WHEN_OMITTED = 10;
const TREND_MONTHS = 25;

function recent<Series extends { readonly history: readonly unknown[] }>(series: Series): Series {
  return { ...series, history: series.history.slice(-TREND_MONTHS) };
}

export const TOOLS: readonly Tool[] = [
  {
    name: 'value_home',
    title: 'Value a home',
    description: `What one home (house, townhome, condo or mobile home) is worth on a date, with its full distribution. Needs bedrooms and bathrooms. ${WHERE} ${UNKNOWN} ${WITH_RANGE} For a building of 2 units or more use value_building. ${UNITS}`,
    input: PropertyValuationRequestBody,
    method: 'POST',
    path: '/v1/avm/property',
    read: reading<Static<typeof PropertyValuationBody>>(homeText),
  },
  {
    name: 'value_rent',
    title: 'Value rents',
    description: `Asking rent of one or more units in USD a month, per unit and in total. Needs bedrooms and bathrooms of each unit in \`property_fields.units\`. ${WHERE} ${UNKNOWN} ${WITH_RANGE} ${UNITS}`,
    input: RentalValuationRequestBody,
    method: 'POST',
    path: '/v1/avm/rental',
    read: reading<Static<typeof RentalValuationBody>>(rentsText),
  },
  {
    name: 'value_building',
    title: 'Value a residential building',
    description: `What a building of 2 to 1,000 units is worth, by sales comparison, gross rent multiplier and income, with the weight and assumptions of each. Bedrooms and bathrooms are those of the whole building. ${WHERE} ${UNKNOWN} ${WITH_RANGE} ${UNITS}`,
    input: MultifamilyValuationRequestBody,
    method: 'POST',
    path: '/v1/avm/multifamily',
    read: reading<Static<typeof MultifamilyValuationBody>>(buildingText),
  },
  {
    name: 'find_comparables',
    title: 'Find comparable sales',
    description: `Past sales most like a home, most similar first, each with the dollar adjustments between it and the home (they add up exactly). Takes the same arguments as value_home and costs the same; \`search_params.num_comps\` is ${COMPARABLES_WHEN_OMITTED} when omitted (at most 20), \`radius_mi\` and \`lookback_months\` bound the search. Fewer results mean that no more are known there: say so, or widen the search. ${WHERE} ${UNITS}`,
    input: PropertyValuationRequestBody,
    method: 'POST',
    path: '/v1/avm/property',
    bodyOf: (given) => ({ ...given, search_params: withComparables(given.search_params) }),
    read: reading<Static<typeof PropertyValuationBody>>(
      comparablesText,
      ({ address_info, comparables, valuation: { valuation_id, as_of_date, warnings } }) => ({
        address_info,
        valuation: { valuation_id, as_of_date, warnings },
        comparables,
      }),
    ),
  },
  {
    name: 'challenge_valuation',
    title: 'Challenge a value',
    description: `Values the home of an earlier value_home or find_comparables call again with changes: corrected facts (\`property_fields\`), comparables pinned, excluded with a reason or added, lines of the adjustment grid overridden with a reason, renovations. Same model, data and date, so only the changes move the value; \`changes.split\` says by how much each does, to the dollar. It is recorded as a version for someone to accept or reject. Use only facts and reasons that the user gave; do not choose comparables by their price: a warning reports that. Tell the user every warning. ${UNITS}`,
    input: ChallengeToolInput,
    method: 'POST',
    path: '/v1/valuations/{valuation_id}/challenge',
    isReadOnly: false,
    read: reading<Static<typeof ChallengedValuationBody>>(challengeText),
  },
  {
    name: 'valuation_report',
    title: 'Report of a value',
    description: `The report of an earlier valuation as Markdown: the value with its range explained, comparables with their adjustments, market trends, measured accuracy, sources, what is missing, and assumptions. \`version\`: \`owner\` in plain words, \`appraiser\` (when omitted) with the full sales comparison grid, \`appeal\` for a challenge with every change and its reason. \`prepared_by\`, \`license_number\`, \`prepared_for\` and \`file_number\` are printed if the user gives them. Nothing is valued again, and it costs nothing. A person who wants to print it opens /v1/valuations/ID/report?format=pdf of the service. ${UNITS}`,
    input: ReportToolInput,
    method: 'GET',
    path: '/v1/valuations/{valuation_id}/report',
    bodyOf: (given) => ({ ...given, format: 'markdown' }),
    read: (text) => ({ structured: null, sentences: text }),
  },
  {
    name: 'describe_place',
    title: 'Describe a place',
    description: `What is known about a place: census figures of its area with their margins of error, crime around it, wildfire risk and flood zone. Null or empty means that nothing is loaded for the place, which is not "no risk" or "no crime": say that it is unknown. A section that failed is listed in \`errors\` with its reason. List the census keys that you want in \`census.census_keys\` (B19013_001E median household income, B25064_001E median rent, B25077_001E median home value, B01003_001E population). ${WHERE} ${UNITS}`,
    input: PlaceInput,
    method: 'POST',
    path: '/v1/comprehensive',
    bodyOf: (given) => ({ requests: PLACE_SECTIONS, ...given }),
    read: reading<Static<typeof ComprehensiveBody>>(placeText),
  },
  {
    name: 'value_history',
    title: 'Value history and forecast of a home',
    description: `What one home was worth by month, is worth, and may be worth in up to 24 months (\`forecast_months\`), with 80% and 90% ranges and the home's own recorded sales. Takes the same arguments as value_home. \`basis\` says whether a value is that of the date (\`as_of_value\`), carried along the price index (\`index\`), or a \`forecast\`: always give the range of a forecast. Returns the last ${TREND_MONTHS} months of history. ${WHERE} ${UNKNOWN} ${UNITS}`,
    input: ValueHistoryRequestBody,
    method: 'POST',
    path: '/v1/avm/property/history',
    read: reading<Static<typeof ValueHistoryBody>>(historyText, recent),
  },
  {
    name: 'market_trends',
    title: 'Market trends',
    description: `How prices and rents of a market, property type, census tract or ZIP code have moved, and a forecast of up to 24 months: an index of comparable quality (100 in \`base_month\`) with 80% and 95% ranges, year-over-year change, seasonal factors and median prices. Returns the last ${TREND_MONTHS} months of history. Months after \`last_month\` are a forecast: say so, and give the range. Give \`market\` (the tool coverage lists them) or a location. ${UNITS}`,
    input: MarketIndexRequestBody,
    method: 'POST',
    path: '/v1/market/index',
    read: reading<Static<typeof MarketIndexBody>>(trendsText, (body) => ({
      ...body,
      prices: body.prices && recent(body.prices),
      rents: body.rents.map(recent),
    })),
  },
  {
    name: 'coverage',
    title: 'What is covered',
    description:
      'The markets that this service has data for, with the layers loaded for each, their last sale, and the first date with values. Call it after `outside_coverage` or `insufficient_data`, or before a request about a new region. Costs nothing.',
    input: Type.Object({}),
    method: 'GET',
    path: '/v1/coverage',
    read: reading<Static<typeof CoverageBody>>(coverageText),
  },
];

function withComparables(search: unknown): unknown {
  const given = search ?? {};
  return isRecord(given) ? { num_comps: COMPARABLES_WHEN_OMITTED, ...given } : given;
}

/** Not tool arguments: language models have no geocoder response to send. */
const LEFT_OUT: readonly string[] = ['maps_api_response'];

/**
 * The arguments of a tool as JSON Schema: the schema that validates the API's requests. Descriptions say
 * what omitted members mean. Aliases are left out.
 */
export function inputSchemaOf({ input }: Tool) {
  const { properties = {}, required = [] } = keywordsOf(input);
  return { type: 'object' as const, properties: membersOf(properties), required: [...required] };
}

function membersOf(properties: Readonly<Record<string, ObjectSchema>>): Record<string, object> {
  const kept = Object.entries(properties).filter(([name]) => !LEFT_OUT.includes(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, memberOf(member)]));
}

function memberOf(member: ObjectSchema): object {
  const { title: _title, 'x-aliases': _aliases, 'x-when-omitted': _omitted, ...keywords } = member;
  const { 'x-aliases': _unsaid, ...described } = member;
  const description = describeMember(described);
  return {
    ...keywords,
    ...(description ? { description } : {}),
    ...(member.properties ? { properties: membersOf(member.properties) } : {}),
    ...(isRecord(member.items) ? { items: memberOf(member.items) } : {}),
  };
}
