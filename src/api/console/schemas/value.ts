import { Type } from 'typebox';
import { AddressInfo } from '../../../schemas/address-info.ts';
import { answer } from '../../../schemas/response-object.ts';
import { Location } from '../../../schemas/location.ts';
import { nullableString } from '../../../schemas/members.ts';
import { ValuationInput } from '../../../schemas/property-response.ts';

const range = {
  estimated_value: Type.Number({ description: 'Whole USD.' }),
  estimated_value_low: Type.Number({ description: 'Lower end of its 90 % interval.' }),
  estimated_value_high: Type.Number({ description: 'Upper end of its 90 % interval.' }),
};

export const PlausibleValue = answer('PlausibleValue', {
  value: Type.Unsafe<number | boolean>({
    type: ['number', 'boolean'],
    description: 'What the attribute may turn out to be.',
  }),
  weight: Type.Number({ description: 'Its chance by the neighbours; sums to 1.' }),
  ...range,
});

export const AttributeCost = answer('AttributeCost', {
  field: Type.String({ description: 'Name of the member of `property_fields`.' }),
  narrower_by: Type.Integer({
    description:
      'USD that the 90 % range would narrow by, on average over `values`; negative where it would widen.',
  }),
  values: Type.Array(PlausibleValue, { description: 'Rising.' }),
});

export const MissingDetailsBody = answer(
  'MissingDetails',
  { ...range, costs: Type.Array(AttributeCost, { description: 'The dearest first. They do not add up.' }) },
  'What each attribute that neighbours filled in costs the value in range, each as if it alone became known.',
);

export const DescribeHomeRequestBody = Type.Object(
  {
    location: Location,
    search_params: Type.Optional(
      Type.Object(
        {
          date: Type.Optional(
            nullableString({ description: 'As-of date.', format: 'date', 'x-when-omitted': 'today' }),
          ),
        },
        { title: 'AsOf' },
      ),
    ),
  },
  { title: 'DescribeHomeRequest' },
);

export const DescribedHomeBody = answer(
  'DescribedHome',
  {
    address_info: AddressInfo,
    market: Type.String(),
    first_date_served: answer(
      'FirstDatesServed',
      {
        property: nullableString({ format: 'date' }),
        rental: nullableString({ format: 'date' }),
        multifamily: nullableString({ format: 'date' }),
      },
      'The earliest as-of date that a model of each kind answers here; null of kinds without a model.',
    ),
    inputs: Type.Array(ValuationInput),
  },
  'What records, or neighbours where they say nothing, tell of a home before anybody describes it.',
);
