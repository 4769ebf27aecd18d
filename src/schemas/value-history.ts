import { Type } from 'typebox';
import { PROPERTY_TYPES } from '../domain/property.ts';
import { AddressInfo, Warnings } from './location.ts';
import { FORECAST_MONTHS, LastForecastMonth } from './market-index.ts';
import { arrayOf, boolean, integer, nullable, oneOf, optional, responseObject, string } from './members.ts';
import { Interval } from './property-response.ts';
import { PropertyValuationRequestBody, RecordedPropertyRequestBody } from './valuation-requests.ts';

export const HISTORY_MONTHS = { default: 120, most: 360 } as const;
const VALUE_BASES = ['as_of_value', 'index', 'forecast'] as const;

const months = {
  from: optional.string(
    `First date of the history, \`YYYY-MM-DD\`, at most ${HISTORY_MONTHS.most / 12} years before the as-of date.`,
    { format: 'date', 'x-when-omitted': `${HISTORY_MONTHS.default / 12} years before the as-of date` },
  ),
  forecast_months: optional.integer('Months of forecast after the as-of date.', {
    minimum: 0,
    maximum: FORECAST_MONTHS.most,
    default: FORECAST_MONTHS.default,
  }),
};

export const ValueHistoryRequestBody = Type.Object(
  { ...PropertyValuationRequestBody.properties, ...months },
  { title: 'ValueHistoryRequest' },
);

export const RecordedHistoryRequestBody = Type.Object(
  { ...RecordedPropertyRequestBody.properties, ...months },
  { title: 'RecordedHistoryRequest' },
);

const ValuePoint = responseObject('ValuePoint', {
  date: string('One a month, on the day of the month of the as-of date.'),
  value: integer('Whole USD.'),
  interval_80: Interval,
  interval_90: Interval,
  basis: oneOf(
    VALUE_BASES,
    '`as_of_value`: what /v1/avm/property returns for the date. `index`: the nearest of those values, moved by the market’s price index. `forecast`: the value of the as-of date, moved by the forecast of the index.',
  ),
  model_id: nullable.string('The model of an as-of value; null for the others.'),
});

export const OwnSale = responseObject('OwnSale', {
  sale_date: string(),
  sale_price: integer('Whole USD.'),
  is_used: boolean(
    'Whether values may use it for other homes: arm’s-length, and not flagged by the as-of date.',
  ),
});

export const ValueHistoryBody = responseObject('ValueHistory', {
  address_info: AddressInfo,
  property_type: oneOf(PROPERTY_TYPES),
  currency: oneOf(['USD']),
  as_of_date: string(),
  history: arrayOf(ValuePoint, 'Oldest first. The last one is the value on the as-of date.'),
  forecast: arrayOf(ValuePoint, 'The months after the as-of date.'),
  last_forecast_month: LastForecastMonth,
  sales: arrayOf(OwnSale, 'Sales of the home itself that were known on the as-of date, oldest first.'),
  warnings: Warnings,
});
