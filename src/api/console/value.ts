import { attributeValue } from '../../operations/valuation/value-members.ts';
import { previewChallenge } from '../../operations/past/challenges.ts';
import {
  propertyMissingDetails,
  readComparableRecords,
  readValuedParcel,
} from '../../operations/past/past-valuations.ts';
import { describeHome } from '../../operations/property/describe-home.ts';
import { Type } from 'typebox';
import { formatDayOrNull } from '../../domain/day.ts';
import { featureField } from '../../domain/own-features.ts';
import {
  ChallengePreviewBody,
  ChallengePreviewRequestBody,
  ComparableRecordsBody,
} from '../../schemas/challenges.ts';
import { AddressInfo, Location } from '../../schemas/location.ts';
import { fieldNameOf } from '../../schemas/field-names.ts';
import { ValuationInput } from '../../schemas/property-response.ts';
import { OwnSale } from '../../schemas/value-history.ts';
import { OwnFeature } from '../../schemas/service.ts';
import { integer, nullable, number, optional, responseObject, string } from '../../schemas/members.ts';
import type { ValueRange } from '../../valuation/missing-details.ts';
import { challengePreviewRequest } from '../endpoints/challenges.ts';
import { reportingProblems, valuationIdOf } from '../endpoints/valuations.ts';
import { callerOf } from '../request-context.ts';
import { locationOf, searchOf, valuationErrors } from '../request/location-request.ts';
import { readRequest, createRequestReader } from '../request/read-request.ts';
import { type ConsoleRoute, get, post } from './console-route.ts';

const range = {
  estimated_value: number('Whole USD.'),
  estimated_value_low: number('Lower end of its 90% prediction range.'),
  estimated_value_high: number('Upper end of its 90% prediction range.'),
};

const PlausibleValue = responseObject('PlausibleValue', {
  value: Type.Unsafe<number | boolean | string>({
    type: ['number', 'boolean', 'string'],
    description: 'A possible value of the detail.',
  }),
  weight: number('Its probability, from similar homes nearby. The weights of all values add up to 1.'),
  ...range,
});

const MissingDetail = responseObject('MissingDetail', {
  field: string('Name of the member of `property_fields`.'),
  narrower_by: integer(
    'USD that the 90% range would narrow by, on average over `values`; negative if it would widen.',
  ),
  values: Type.Array(PlausibleValue, { description: 'Numbers ascending; categories by weight.' }),
});

export const MissingDetailsBody = responseObject(
  'MissingDetails',
  {
    ...range,
    costs: Type.Array(MissingDetail, { description: 'The largest effect first. They do not add up.' }),
  },
  'How much narrower the range would be if an imputed attribute or feature became known, for each separately.',
);

export const ValuedParcelBody = responseObject('ValuedParcel', {
  parcel_id: nullable.string('Null if it is unknown, or several parcels may be meant.'),
  last_sale: nullable.object(
    OwnSale,
    'The newest sale of the home that was known on the as-of date. Null for rents, and if the data of the valuation was deleted.',
  ),
});

const DescribeHomeRequestBody = Type.Object(
  {
    location: Location,
    search_params: Type.Optional(
      Type.Object({
        date: optional.string('As-of date.', { format: 'date', 'x-when-omitted': 'today' }),
      }),
    ),
  },
  { title: 'DescribeHomeRequest' },
);

const firstDate = nullable.string(undefined, { format: 'date' });

export const DescribedHomeBody = responseObject(
  'DescribedHome',
  {
    address_info: AddressInfo,
    market: string(),
    parcel_id: nullable.string('Null if it is unknown, or several parcels may be meant.'),
    last_sale: nullable.object(OwnSale, 'The newest sale of the home that was known on the as-of date.'),
    units: Type.Array(
      responseObject('UnitAtAddress', {
        unit: string(),
        address: string('Finds this unit.'),
        bedrooms: nullable.number('Null without a record.'),
        bathrooms: nullable.number(),
        living_area: nullable.number('Square feet.'),
        last_sale: nullable.object(OwnSale),
      }),
      { description: 'The units of a building that was found by its street address; at most 200.' },
    ),
    first_date_served: responseObject(
      'FirstDatesServed',
      { property: firstDate, rental: firstDate, multifamily: firstDate },
      'The first as-of date that each kind of model can value here; null without a model.',
    ),
    inputs: Type.Array(ValuationInput),
    features: Type.Array(OwnFeature, { description: 'The market’s own features of its sales.' }),
    rent_features: Type.Array(OwnFeature, { description: 'Those of its rental listings.' }),
  },
  'A home as public records describe it, with missing details imputed from neighbors.',
);

const describeHomeRequest = createRequestReader({
  schema: DescribeHomeRequestBody,
  check: valuationErrors,
  build: ({ location, search_params: search }, reading) => ({
    location: locationOf(location),
    asOf: searchOf(search, reading).asOf,
  }),
});

function rangeMembers({ valueUsd, lowUsd, highUsd }: ValueRange) {
  return { estimatedValue: valueUsd, estimatedValueLow: lowUsd, estimatedValueHigh: highUsd };
}

/** What the Value page needs in addition to the valuation. */
export const VALUE_ROUTES: readonly ConsoleRoute[] = [
  // Free, because the valuation itself was charged.
  post('/console/api/valuations/{id}/challenge-preview', 'previewChallenge', 'avm:property', {
    isLimited: true,
    input: ChallengePreviewRequestBody,
    response: ChallengePreviewBody,
    handle: async ({ deps, request, reply }) => {
      const challenge = readRequest(deps, request, reply, challengePreviewRequest);
      const valuationId = valuationIdOf(request);
      return reportingProblems(
        request,
        previewChallenge(deps.operations, valuationId, challenge, callerOf(request)),
      );
    },
  }),
  // Free, because the valuation itself was charged.
  post('/console/api/valuations/{id}/range-costs', 'propertyMissingDetails', 'avm:property', {
    isLimited: true,
    response: MissingDetailsBody,
    handle: async ({ deps, request }) => {
      const valuationId = valuationIdOf(request);
      const found = await propertyMissingDetails(deps.operations, valuationId, callerOf(request));
      const costs = found.details.map(({ name, narrowerByUsd, values }) => ({
        field: 'feature' in name ? featureField(name.feature) : fieldNameOf(name.attribute),
        narrowerBy: narrowerByUsd,
        values: values.map(({ value, weight, ...tried }) => ({
          value: 'feature' in name ? value : (attributeValue(name.attribute, Number(value)) ?? value),
          weight,
          ...rangeMembers(tried),
        })),
      }));
      return { ...rangeMembers(found), costs };
    },
  }),
  get('/console/api/valuations/{id}/parcel', 'readValuedParcel', 'valuations:read', {
    response: ValuedParcelBody,
    handle: ({ deps, request }) =>
      readValuedParcel(deps.operations, valuationIdOf(request), callerOf(request)),
  }),
  get('/console/api/valuations/{id}/comparable-records', 'readComparableRecords', 'valuations:read', {
    response: ComparableRecordsBody,
    handle: ({ deps, request }) =>
      readComparableRecords(deps.operations, valuationIdOf(request), callerOf(request)),
  }),
  post('/console/api/described-home', 'describeHome', 'avm:property', {
    isLimited: true,
    input: DescribeHomeRequestBody,
    response: DescribedHomeBody,
    handle: async ({ deps, request, reply }) => {
      const place = readRequest(deps, request, reply, describeHomeRequest);
      const { marketId, firstServed, units, ...described } = await describeHome(deps.operations, place);
      const { property, rental, multifamily } = firstServed;
      return {
        ...described,
        market: marketId,
        units: units.map(({ livingAreaSqft, ...unit }) => ({ ...unit, livingArea: livingAreaSqft })),
        firstDateServed: {
          property: formatDayOrNull(property),
          rental: formatDayOrNull(rental),
          multifamily: formatDayOrNull(multifamily),
        },
      };
    },
  }),
];
