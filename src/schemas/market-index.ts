import { Type } from 'typebox';
import { PROPERTY_TYPES } from '../domain/property.ts';
import { Location, Warnings } from './location.ts';
import { arrayOf, integer, nullable, number, oneOf, optional, responseObject, string } from './members.ts';

export const FORECAST_MONTHS = { default: 12, most: 24 } as const;
export const AREA_LEVELS = ['tract', 'zip', 'model_area'] as const;
export type AreaLevel = (typeof AREA_LEVELS)[number];

const scope = {
  market: optional.string('Id of the market, as GET /v1/coverage lists it. Or give a location in it.', {
    maxLength: 63,
  }),
  location: Type.Optional(Location),
  property_type: optional.oneOf(PROPERTY_TYPES, 'Only this type.', {
    'x-when-omitted': 'all types together',
  }),
  date: optional.string(
    'As-of date, `YYYY-MM-DD`, not in the future. The index as it was known then: nothing sold, recorded or published later affects any figure.',
    { format: 'date', 'x-when-omitted': 'today', 'x-aliases': ['as_of'] },
  ),
};

export const MarketIndexRequestBody = Type.Object(
  {
    ...scope,
    area: optional.string(
      'Only this area: `tract:55079000101` (census tract), `zip:53202`, or `model_area:3` (a small area of the model). GET /v1/market/areas lists them.',
      { maxLength: 40, 'x-when-omitted': 'the whole market' },
    ),
    forecast_months: optional.integer('Months of forecast after the as-of date.', {
      minimum: 0,
      maximum: FORECAST_MONTHS.most,
      default: FORECAST_MONTHS.default,
    }),
    stress: optional.number(
      'Widens the ranges of the forecast: multiplies the standard deviation of what prices may still move after `last_month`. In the crash of 2007 to 2012, 90% ranges of 6 to 12 months needed 1.5.',
      { minimum: 1, maximum: 3, default: 1 },
    ),
  },
  { title: 'MarketIndexRequest' },
);

export const MarketAreasRequestBody = Type.Object(
  {
    ...scope,
    level: optional.oneOf(AREA_LEVELS, 'Kind of areas.', {
      'x-when-omitted':
        'census tracts if they are loaded, else ZIP codes if sales have them, else small areas of the model',
    }),
    include_outlines: optional.boolean('Add the outlines of census tracts, for maps.', { default: false }),
  },
  { title: 'MarketAreasRequest' },
);

const month = (description?: string) => string(description ?? 'A month: `2024-03`.');
const yearOverYear = nullable.number('Percent since the same month a year before; null in the first year.');

export const LastForecastMonth = month(
  'Two years after the newest figure of the index, own or published. After this month the seasonally adjusted index stays the same and only its range widens.',
);

const IndexInterval = responseObject('IndexInterval', { lower: number(), upper: number() });

const indexMembers = {
  month: month(),
  index: number('100 in `base_month`; prices as sold, with the season.'),
  index_seasonally_adjusted: number('Without the season, on the same base.'),
  interval_80: IndexInterval,
  interval_95: IndexInterval,
  year_over_year_pct: yearOverYear,
};

const IndexForecast = responseObject('IndexForecast', indexMembers);

const series = {
  model: responseObject('IndexModel', { id: string(), trained_on: string() }),
  base_month: month('The first month, in which the index is 100.'),
  last_month: month('The last month with own sales. Later months are a forecast.'),
  last_forecast_month: LastForecastMonth,
  year_over_year_pct: nullable.number('Of `last_month`; null if the history is shorter than a year.'),
  seasonal_factors: arrayOf(
    number(),
    'January to December: prices of the month divided by those of the year. Of the whole market.',
  ),
  sources: responseObject(
    'IndexSources',
    {
      sales: integer('Own sales that the index is computed from; of an area or type, its own.'),
      published: arrayOf(
        responseObject('IndexSource', {
          name: string('Publisher, kind and place, such as `fhfa-purchase-only-33340`.'),
          newest_month: month('Middle of the newest period with a figure known on the as-of date.'),
        }),
        'Published price indexes that the forecast uses.',
      ),
    },
    'What history and forecast are computed from.',
  ),
  forecast: arrayOf(IndexForecast, 'From the month after `last_month` to the end of the forecast.'),
};

const MEDIAN = 'Null in a month with fewer than 10.';

export const PriceIndexSeries = responseObject('PriceIndex', {
  ...series,
  history: arrayOf(
    responseObject('PriceIndexMonth', {
      ...indexMembers,
      sales: integer('Usable sales of the month known on the as-of date.'),
      median_price: nullable.integer(`USD. ${MEDIAN}`),
      median_price_per_sqft: nullable.number(MEDIAN),
    }),
    'To `last_month`, oldest first.',
  ),
});

const RentIndexSeries = responseObject('RentIndex', {
  bedrooms: nullable.integer('0 to 4, where 4 means 4 or more; null for all.'),
  ...series,
  history: arrayOf(
    responseObject('RentIndexMonth', {
      ...indexMembers,
      listings: integer('Usable listings of the month known on the as-of date.'),
      median_rent: nullable.integer(`USD a month. ${MEDIAN}`),
      median_rent_per_sqft: nullable.number(MEDIAN),
    }),
    'To `last_month`, oldest first.',
  ),
});

export const MarketIndexBody = responseObject('MarketIndex', {
  market: string(),
  as_of_date: string(),
  property_type: nullable.oneOf(PROPERTY_TYPES),
  area: nullable.string(),
  stress: number('As in the request.'),
  prices: nullable.object(PriceIndexSeries, 'Null without sales or a model of them.'),
  rents: arrayOf(
    RentIndexSeries,
    'All listings, then by bedrooms. Empty without listings or a model of them.',
  ),
  warnings: Warnings,
});

const MarketAreaBody = responseObject('MarketArea', {
  area: string('For the parameter `area`: `tract:55079000101`, `zip:53202`, `model_area:3`.'),
  name: nullable.string(
    'Name of a census tract; of a small area of the model, the neighborhoods, ZIP codes or streets of most of its sales, if they have any. Null for a ZIP code.',
  ),
  latitude: number('Middle of its sales.'),
  longitude: number('Middle of its sales.'),
  sales: integer('Usable sales in the 12 months to `last_month`.'),
  year_over_year_pct: nullable.number(
    'Percent change of the index over the 12 months to `last_month`; null with fewer than 20 sales in the last 24 months.',
  ),
  median_price: nullable.integer('USD, in the 12 months; null with fewer than 10 sales.'),
  median_price_per_sqft: nullable.number('In the 12 months; null with fewer than 10 sales.'),
  outline: Type.Unsafe<[number, number][][][] | null>({
    type: ['array', 'null'],
    description: 'Coordinates of a GeoJSON MultiPolygon, simplified; null if not requested or unknown.',
  }),
});

export const MarketAreasBody = responseObject('MarketAreas', {
  market: string(),
  as_of_date: string(),
  property_type: nullable.oneOf(PROPERTY_TYPES),
  level: oneOf(AREA_LEVELS),
  last_month: month('The last month with own sales.'),
  year_over_year_pct: nullable.number('Of the whole market.'),
  areas: arrayOf(MarketAreaBody, 'By id.'),
  warnings: Warnings,
});
