import { addMonths, formatDay, type Day } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { HISTORY_MONTHS, type ValueHistoryBody } from '../../schemas/value-history.ts';
import { carriedValue, type DatedValue, type PriceLevel } from '../../valuation/price-index/carried-value.ts';
import { formatMonth } from '../../valuation/price-index/index-series.ts';
import { monthOf } from '../../valuation/price-index/market-path.ts';
import { CREDITS, type OperationDeps, type Priced } from '../deps.ts';
import { addressInfoOf, locate } from '../locate-place.ts';
import { modelsOf } from '../market-data/market-catalog.ts';
import { forecastWarnings, lastForecastMonth } from '../market/market-index.ts';
import { isFailure } from '../../errors.ts';
import { cached } from '../../promise-cache.ts';
import type {
  PricePath,
  PropertyInputs,
  PropertyValuationRequest,
  PropertyValue,
} from '../valuation-types.ts';
import { gatherPropertyInputs } from './gather-property-inputs.ts';

export interface ValueHistoryRequest extends PropertyValuationRequest {
  readonly from: Day | null;
  readonly forecastMonths: number;
}

/**
 * Models that one history uses: loading one takes half a second, and a thread keeps sixteen. With more, the dates of
 * the others are carried from the values before and after.
 */
const MODELS_USED = 8;

type Response = ResponseOf<typeof ValueHistoryBody>;
type Point = Response['history'][number];

/** The cost of the longest history that a request allows. A dry run returns this number. */
export function valueHistoryCreditsMax(request: ValueHistoryRequest): number {
  return CREDITS.propertyValuation + CREDITS.historyMonth * earlierDays(request).length;
}

/**
 * The value of a home on its as-of date, a month before, two months before …, and a forecast. Every as-of value is
 * computed as for a request of that date. Nothing is recorded: the same request gives the same history.
 *
 * @throws PlumblineError `address_not_found`, `outside_coverage`, `insufficient_data`
 */
export async function valueHistory(
  given: OperationDeps,
  request: ValueHistoryRequest,
): Promise<Priced<Response>> {
  const { asOf, forecastMonths } = request;
  const deps = withOneGeocoding(given);
  const current = await valueAsOf(deps, request, asOf);
  const earlier = earlierDays(request);
  const servedByUsedModel = await usedModels(deps, current, earlier);
  const values = [current];
  for (const day of earlier) {
    if (!servedByUsedModel(day)) continue;
    const value = await orNoValue(valueAsOf(deps, request, day));
    if (value) values.unshift(value);
  }
  const later = Array.from({ length: forecastMonths }, (_, i) => addMonths(asOf, i + 1));
  const path = await deps.computePricePath({
    inputs: current.inputs,
    days: [...earlier, asOf, ...later],
  });
  const asOfValues = new Map(values.map((value) => [value.day, value]));
  const levelOn = levelsOf(path);
  const pointOn = (day: Day): Point => {
    const value = asOfValues.get(day);
    const basis = value ? 'as_of_value' : day > asOf ? 'forecast' : 'index';
    const { value: usd, interval_80, interval_90 } = value ?? carriedValue(values, levelOn, day);
    return {
      date: formatDay(day),
      value: usd,
      interval_80,
      interval_90,
      basis,
      modelId: value?.valuation.model.id ?? null,
    };
  };
  const known = earlier.toReversed().filter((day) => asOfValues.has(day) || day >= path.firstDay);
  return {
    response: {
      addressInfo: await addressInfoOf(deps.places, current.located),
      propertyType: current.valuation.propertyType,
      currency: 'USD',
      asOfDate: formatDay(asOf),
      history: [...known, asOf].map(pointOn),
      forecast: later.map(pointOn),
      lastForecastMonth: lastForecastMonth(path),
      sales: path.sales,
      warnings: [...current.valuation.warnings, ...rangeWarnings(request, path, known)],
    },
    credits: CREDITS.propertyValuation + CREDITS.historyMonth * known.length,
  };
}

/** The months before the as-of date, newest first. */
function earlierDays({ asOf, from }: ValueHistoryRequest): Day[] {
  const first = from ?? addMonths(asOf, -HISTORY_MONTHS.default);
  const days: Day[] = [];
  for (let back = 1; addMonths(asOf, -back) >= first; back++) days.push(addMonths(asOf, -back));
  return days;
}

/** An address outside the index is looked up once, not for every date. */
function withOneGeocoding(deps: OperationDeps): OperationDeps {
  const { geocoder } = deps;
  return geocoder ? { ...deps, geocoder: { find: cached(1, (text: string) => geocoder.find(text)) } } : deps;
}

/** What a valuation of the request returns as of a date, without comparables. */
async function valueAsOf(deps: OperationDeps, request: PropertyValuationRequest, asOf: Day) {
  const located = await locate(deps, request.location, 'home', asOf);
  const dated = { ...request, asOf, search: { ...request.search, numComps: 0 } };
  const inputs: PropertyInputs = await gatherPropertyInputs(deps, located, dated);
  const { valuation } = await deps.computeValueAside('property', inputs, deps.newId());
  return { located, inputs, valuation, ...datedValueOf(asOf, valuation) };
}

/** Null where the place was not covered on the day, or by a model that this version cannot read. */
async function orNoValue<Value>(value: Promise<Value>): Promise<Value | null> {
  try {
    return await value;
  } catch (error) {
    if (isFailure(error, 'outside_coverage', 'insufficient_data', 'gone')) return null;
    throw error;
  }
}

function datedValueOf(day: Day, valuation: PropertyValue): DatedValue {
  const { p10, p90 } = valuation.probabilisticDistribution.percentiles;
  return {
    day,
    value: valuation.pointValue,
    interval_80: { lower: p10, upper: p90 },
    interval_90: valuation.confidenceInterval_90,
  };
}

/** Whether a day is served by one of the models that the history uses: of many, spread evenly over the days. */
async function usedModels(
  deps: OperationDeps,
  { located, day: asOf, valuation }: Awaited<ReturnType<typeof valueAsOf>>,
  days: readonly Day[],
): Promise<(day: Day) => boolean> {
  const { marketId } = await deps.markets.at('property', located.lat, located.lon, asOf);
  const entry = (await deps.markets.list()).find((one) => one.marketId === marketId);
  const models = entry ? modelsOf(entry, 'property') : [];
  const modelOn = (day: Day) => models.findLast(({ trainedOn }) => trainedOn <= day)?.modelId;
  const serving = [...new Set([valuation.model.id, ...days.map(modelOn)])].filter((id) => id !== undefined);
  const last = serving.length - 1;
  const used = new Set(
    Array.from({ length: MODELS_USED }, (_, i) => serving[Math.round((i * last) / (MODELS_USED - 1))]),
  );
  return (day) => {
    const model = modelOn(day);
    return model !== undefined && used.has(model);
  };
}

function levelsOf({ levels }: PricePath): (day: Day) => PriceLevel {
  const byDay = new Map(levels.map((level) => [level.day, level]));
  return (day) => {
    const level = byDay.get(day);
    if (!level) throw new Error(`the price path lacks ${formatDay(day)}`);
    return level;
  };
}

function rangeWarnings(
  { asOf, from, forecastMonths }: ValueHistoryRequest,
  path: PricePath,
  known: readonly Day[],
): Warning[] {
  const warnings: Warning[] = [];
  const first = known.at(0) ?? asOf;
  if (from !== null && addMonths(first, -1) >= from) {
    const message = `The price index begins in ${formatMonth(monthOf(path.firstDay))}, so the history begins on ${formatDay(first)}.`;
    warnings.push({ code: 'history_starts_later', field: 'from', message });
  }
  const last = formatMonth(monthOf(addMonths(asOf, forecastMonths)));
  return [...warnings, ...forecastWarnings(lastForecastMonth(path), last)];
}
