import { formatDay, type Day } from '../../../domain/day.ts';
import { describeHome, type DescribedHome } from '../../../operations/property/describe-home.ts';
import { propertyMissingDetails } from '../../../operations/property/missing-details-of-valuation.ts';
import { attributeValue } from '../../../operations/valuation/value-figures.ts';
import type { MissingDetails, ValueRange } from '../../../valuation/missing-details.ts';
import { readAsked } from '../../request/read-http-request.ts';
import { valuationIdOf } from '../../endpoints/valuations.ts';
import { locationOf } from '../../request/location-request.ts';
import { searchOf, valuationErrors } from '../../request/valuation-request.ts';
import { createRequestReader } from '../../request/read-request.ts';
import { callerOf } from '../../request-context.ts';
import type { Handle } from '../../route.ts';
import { fieldNameOf } from '../../../schemas/field-names.ts';
import { toSnakeCase, type ResponseOf } from '../../../schemas/member-names.ts';
import {
  DescribeHomeRequestBody,
  type DescribedHomeBody,
  type MissingDetailsBody,
} from '../schemas/value.ts';

const describeHomeRequest = createRequestReader({
  schema: DescribeHomeRequestBody,
  check: valuationErrors,
  make: ({ location, search_params: search }, reading) => ({
    location: locationOf(location),
    asOf: searchOf(search, reading).asOf,
  }),
});

/** Free: it speaks of a value that was paid for. */
export const getMissingDetails: Handle = async (deps, request) =>
  toSnakeCase(
    missingDetailsMembers(
      await propertyMissingDetails(deps.operations, valuationIdOf(request), callerOf(request)),
    ),
  );

export const getDescribedHome: Handle = async (deps, request, reply) =>
  toSnakeCase(
    homeMembers(await describeHome(deps.operations, readAsked(deps, request, reply, describeHomeRequest))),
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
