import { Type } from 'typebox';
import { type Day, formatDay } from '../../domain/day.ts';
import { type DescribedHome, describeHome } from '../../operations/property/describe-home.ts';
import { propertyMissingDetails } from '../../operations/property/missing-details-of-valuation.ts';
import { attributeValue } from '../../operations/valuation/value-figures.ts';
import { AddressInfo, Location } from '../../schemas/location.ts';
import { fieldNameOf } from '../../schemas/field-names.ts';
import { type ResponseOf, toSnakeCase } from '../../schemas/member-names.ts';
import { integer, nullable, number, optional, responseObject, string } from '../../schemas/members.ts';
import { ValuationInput } from '../../schemas/property-response.ts';
import type { MissingDetails, ValueRange } from '../../valuation/missing-details.ts';
import { valuationIdOf } from '../endpoints/valuations.ts';
import { callerOf } from '../request-context.ts';
import { locationOf } from '../request/location-request.ts';
import { readRequest } from '../request/read-http-request.ts';
import { createRequestReader } from '../request/read-request.ts';
import { searchOf, valuationErrors } from '../request/valuation-request.ts';
import type { Handle } from '../route.ts';
import type { ConsoleRoute } from './console-route.ts';

const range = {
  estimated_value: number('Whole USD.'),
  estimated_value_low: number('Lower end of its 90 % interval.'),
  estimated_value_high: number('Upper end of its 90 % interval.'),
};

export const PlausibleValue = responseObject('PlausibleValue', {
  value: Type.Unsafe<number | boolean>({
    type: ['number', 'boolean'],
    description: 'What the attribute may turn out to be.',
  }),
  weight: number('Its chance by the neighbors; sums to 1.'),
  ...range,
});

export const AttributeCost = responseObject('AttributeCost', {
  field: string('Name of the member of `property_fields`.'),
  narrower_by: integer(
    'USD that the 90 % range would narrow by, on average over `values`; negative where it would widen.',
  ),
  values: Type.Array(PlausibleValue, { description: 'Rising.' }),
});

export const MissingDetailsBody = responseObject(
  'MissingDetails',
  {
    ...range,
    costs: Type.Array(AttributeCost, { description: 'The most important first. They do not add up.' }),
  },
  'What each attribute that neighbors filled in costs the value in range, each as if it alone became known.',
);

const DescribeHomeRequestBody = Type.Object(
  {
    location: Location,
    search_params: Type.Optional(
      Type.Object(
        {
          date: optional.string('As-of date.', { format: 'date', 'x-when-omitted': 'today' }),
        },
        { title: 'AsOf' },
      ),
    ),
  },
  { title: 'DescribeHomeRequest' },
);

export const DescribedHomeBody = responseObject(
  'DescribedHome',
  {
    address_info: AddressInfo,
    market: string(),
    first_date_served: responseObject(
      'FirstDatesServed',
      {
        property: nullable.string(undefined, { format: 'date' }),
        rental: nullable.string(undefined, { format: 'date' }),
        multifamily: nullable.string(undefined, { format: 'date' }),
      },
      'The earliest as-of date that a model of each kind answers here; null of kinds without a model.',
    ),
    inputs: Type.Array(ValuationInput),
  },
  'What records, or neighbors where they say nothing, tell of a home before anybody describes it.',
);

const describeHomeRequest = createRequestReader({
  schema: DescribeHomeRequestBody,
  check: valuationErrors,
  build: ({ location, search_params: search }, reading) => ({
    location: locationOf(location),
    asOf: searchOf(search, reading).asOf,
  }),
});

/** Free: it speaks of a value that was paid for. */
const getMissingDetails: Handle = async (deps, request) =>
  toSnakeCase(
    missingDetailsMembers(
      await propertyMissingDetails(deps.operations, valuationIdOf(request), callerOf(request)),
    ),
  );

const getDescribedHome: Handle = async (deps, request, reply) =>
  toSnakeCase(
    homeMembers(await describeHome(deps.operations, readRequest(deps, request, reply, describeHomeRequest))),
  );

function missingDetailsMembers({ costs, ...range }: MissingDetails): ResponseOf<typeof MissingDetailsBody> {
  return {
    ...rangeMembers(range),
    costs: costs.map(({ attribute, narrowerByUsd, values }) => ({
      field: fieldNameOf(attribute),
      narrowerBy: narrowerByUsd,
      values: values.map(({ value, weight, ...tried }) => ({
        value: attributeValue(attribute, value) ?? value,
        weight,
        ...rangeMembers(tried),
      })),
    })),
  };
}

function rangeMembers({ valueUsd, lowUsd, highUsd }: ValueRange) {
  return { estimatedValue: valueUsd, estimatedValueLow: lowUsd, estimatedValueHigh: highUsd };
}

function homeMembers(home: DescribedHome): ResponseOf<typeof DescribedHomeBody> {
  return {
    addressInfo: home.addressInfo,
    market: home.marketId,
    firstDateServed: {
      property: dayText(home.firstServed.property),
      rental: dayText(home.firstServed.rental),
      multifamily: dayText(home.firstServed.multifamily),
    },
    inputs: home.inputs,
  };
}

function dayText(day: Day | null): string | null {
  return day === null ? null : formatDay(day);
}

/** What the page Value asks besides the valuation itself. */
export const VALUE_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'POST',
    path: '/console/api/valuations/{id}/range-costs',
    operationId: 'propertyMissingDetails',
    access: 'avm:property',
    isLimited: true,
    response: MissingDetailsBody,
    handle: getMissingDetails,
  },
  {
    method: 'POST',
    path: '/console/api/described-home',
    operationId: 'describeHome',
    access: 'avm:property',
    isLimited: true,
    body: DescribeHomeRequestBody,
    response: DescribedHomeBody,
    handle: getDescribedHome,
  },
];
