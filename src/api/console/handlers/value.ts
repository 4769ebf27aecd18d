import type { Static } from 'typebox';
import { formatDay, type Day } from '../../../domain/day.ts';
import { toldValue } from '../../../operations/property/property-answer.ts';
import { describeHome, type DescribedHome } from '../../../operations/property/describe-home.ts';
import { propertyMissingDetails } from '../../../operations/property/property-missing-details.ts';
import type { MissingDetails, ValueRange } from '../../../valuation/missing-details.ts';
import { readAsked } from '../../handlers/charged.ts';
import { valuationIdOf } from '../../handlers/valuations.ts';
import { presentAddress } from '../../present/address.ts';
import { presentInput } from '../../present/property.ts';
import { locationOf } from '../../request/location-request.ts';
import { searchOf, valuationErrors } from '../../request/property-request.ts';
import { createRequestReader } from '../../request/read-request.ts';
import { callerOf } from '../../request-context.ts';
import type { Handle } from '../../route.ts';
import { fieldNameOf } from '../../../schemas/field-names.ts';
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
  presentMissingDetails(
    await propertyMissingDetails(deps.operations, valuationIdOf(request), callerOf(request)),
  );

export const getDescribedHome: Handle = async (deps, request, reply) =>
  presentHome(await describeHome(deps.operations, readAsked(deps, request, reply, describeHomeRequest)));

function presentMissingDetails({ costs, ...range }: MissingDetails): Static<typeof MissingDetailsBody> {
  return {
    ...presentRange(range),
    costs: costs.map(({ attribute, narrowerByUsd, values }) => ({
      field: fieldNameOf(attribute),
      narrower_by: narrowerByUsd,
      values: values.map(({ value, weight, ...tried }) => ({
        value: toldValue(attribute, value) ?? value,
        weight,
        ...presentRange(tried),
      })),
    })),
  };
}

function presentRange({ valueUsd, lowUsd, highUsd }: ValueRange) {
  return { estimated_value: valueUsd, estimated_value_low: lowUsd, estimated_value_high: highUsd };
}

function presentHome(home: DescribedHome): Static<typeof DescribedHomeBody> {
  return {
    address_info: presentAddress(home.addressInfo),
    market: home.marketId,
    first_date_served: {
      property: toldDay(home.firstServed.property),
      rental: toldDay(home.firstServed.rental),
      multifamily: toldDay(home.firstServed.multifamily),
    },
    inputs: home.inputs.map(presentInput),
  };
}

function toldDay(day: Day | null): string | null {
  return day === null ? null : formatDay(day);
}
