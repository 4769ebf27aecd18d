import type { Static } from 'typebox';
import { marketAreas } from '../../operations/market/market-areas.ts';
import { marketIndex, marketIndexCreditsMax } from '../../operations/market/market-index.ts';
import type {
  MarketAreasRequest,
  MarketIndexRequest,
  MarketScopeRequest,
} from '../../operations/market/market-requests.ts';
import { parseDay } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import {
  AREA_LEVELS,
  FORECAST_MONTHS,
  MarketAreasBody,
  MarketAreasRequestBody,
  MarketIndexBody,
  MarketIndexRequestBody,
} from '../../schemas/market-index.ts';
import { chargedPostAndGet } from '../endpoint.ts';
import { futureDateErrors, isGiven, locationErrors, locationOf } from '../request/location-request.ts';
import { createRequestReader, type ErrorAt, type Reading, type Section } from '../request/read-request.ts';
import type { FieldError } from '../request/validation-error.ts';
import type { Operation } from '../route.ts';

type Scope = Pick<Static<typeof MarketIndexRequestBody>, 'market' | 'location' | 'property_type' | 'date'>;

function scopeOf(value: Scope, { today }: Reading, warnings: readonly Warning[]): MarketScopeRequest {
  return {
    marketId: value.market ?? null,
    location: value.location ? locationOf(value.location) : null,
    propertyType: value.property_type ?? null,
    asOf: (value.date ? parseDay(value.date) : null) ?? today,
    warnings,
  };
}

function scopeErrors(request: Section, errorAt: ErrorAt, { today }: Reading): FieldError[] {
  const needsPlace = !isGiven(request.market) && !isGiven(request.location);
  return [
    ...(needsPlace ? [errorAt(['market'], 'missing', 'is required, or a location')] : []),
    ...locationErrors(request, errorAt),
    ...futureDateErrors(request.date, ['date'], errorAt, today),
  ];
}

const AREA = new RegExp(`^(tract:\\d{11}|zip:\\d{5}|model_area:\\d{1,3})$`);

function areaErrors({ area }: Section, errorAt: ErrorAt): FieldError[] {
  if (typeof area !== 'string' || AREA.test(area)) return [];
  const msg = `must be a kind of area (${AREA_LEVELS.join(', ')}), a colon and its id, such as tract:55079000101 or zip:53202`;
  return [errorAt(['area'], 'area_format', msg)];
}

const marketIndexRequest = createRequestReader({
  schema: MarketIndexRequestBody,
  check: (request, errorAt, reading) => [
    ...scopeErrors(request, errorAt, reading),
    ...areaErrors(request, errorAt),
  ],
  build: (value, reading, warnings): MarketIndexRequest => ({
    ...scopeOf(value, reading, warnings),
    area: value.area ?? null,
    forecastMonths: value.forecast_months ?? FORECAST_MONTHS.default,
    stress: value.stress ?? 1,
  }),
});

const marketAreasRequest = createRequestReader({
  schema: MarketAreasRequestBody,
  check: scopeErrors,
  build: (value, reading, warnings): MarketAreasRequest => ({
    ...scopeOf(value, reading, warnings),
    level: value.level ?? null,
    withOutlines: value.include_outlines ?? false,
  }),
});

const problems: Operation['problems'] = [
  'address_not_found',
  'outside_coverage',
  'insufficient_data',
  'not_found',
];

export const MARKET_INDEX_ROUTES = [
  ...chargedPostAndGet({
    path: '/v1/market/index',
    operationId: 'readMarketIndex',
    access: 'market:read',
    credits: '10',
    summary: 'Price and rent index of a market, with a forecast',
    description:
      'Prices of comparable quality by month with 80% and 95% ranges, as known on a date, and a forecast of up to 24 months: of a market, a property type, a census tract, a ZIP code or a small area of the model. Areas and types with few sales follow the market; with fewer than 20 in 24 months there is no index (`insufficient_data`). The same index moves prices in time in every valuation.',
    problems,
    reader: marketIndexRequest,
    response: MarketIndexBody,
    creditsMax: marketIndexCreditsMax,
    run: marketIndex,
  }),
  ...chargedPostAndGet({
    path: '/v1/market/areas',
    operationId: 'listMarketAreas',
    access: 'market:read',
    credits: '10',
    summary: 'Change of prices in the areas of a market',
    description:
      'The 12-month change of the price index, sales and median prices of every area with sales, in one response. An area with too few sales has no change (null).',
    problems,
    reader: marketAreasRequest,
    response: MarketAreasBody,
    creditsMax: marketIndexCreditsMax,
    run: marketAreas,
  }),
];
