import { formatDay, type Day } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import { PlumblineError } from '../../errors.ts';
import type { LocationRequest } from '../../locate/located.ts';
import type { MarketIndexBody, PriceIndexSeries } from '../../schemas/market-index.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { asOfEnd, isUsable, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { PRICE_INDEX } from '../../valuation/model/constants.ts';
import { medianOf } from '../../valuation/order-statistics.ts';
import { newestFigures } from '../../valuation/price-index/external-index.ts';
import { MARKET_FILTER } from '../../valuation/price-index/index-constants.ts';
import type { MarketIndex as MarketPriceIndex } from '../../valuation/price-index/bound-index.ts';
import { formatMonth, openIndexSeries, type IndexMonth } from '../../valuation/price-index/index-series.ts';
import { monthOf, type MonthNumber } from '../../valuation/price-index/market-path.ts';
import { CREDITS, type OperationDeps, type Priced } from '../deps.ts';
import { locate } from '../locate-place.ts';
import {
  modelsOf,
  newestInputs,
  noModelYet,
  type MarketInputs,
  type MarketKind,
} from '../market-data/market-catalog.ts';
import type { BoundActiveMarket, Markets } from '../market-data/markets.ts';
import { isAreaLevel, type AreaGroups } from './area-groups.ts';
import type {
  ComputeMarketIndex,
  MarketIndexInputs,
  MarketIndexRequest,
  MarketScope,
  MarketScopeRequest,
} from './market-requests.ts';

/** A month with fewer sales has no median. */
const MIN_MEDIAN_SALES = 10;
/** A type or area needs this many sales in the last 24 months: with fewer it would be the market's index. */
const MIN_GROUP_SALES = 20;
const GROUP_DAYS = 730;
const Z80 = 1.28155;
const Z95 = 1.95996;
/** The largest number of bedrooms with rents of its own, which includes more. */
const MOST_BEDROOMS = 4;

/** The cost of either operation. A dry run returns this number. */
export function marketIndexCreditsMax(): number {
  return CREDITS.marketIndex;
}

/** @throws PlumblineError `not_found`, `address_not_found`, `outside_coverage`, `insufficient_data` */
export async function marketIndex(
  deps: OperationDeps,
  request: MarketIndexRequest,
): Promise<Priced<ResponseOf<typeof MarketIndexBody>>> {
  const { area, forecastMonths, stress } = request;
  const scope = await findMarketScope(deps, request);
  return {
    response: await deps.computeMarketIndex({ ...scope, area, forecastMonths, stress }),
    credits: CREDITS.marketIndex,
  };
}

/** @throws PlumblineError `not_found`, `address_not_found`, `outside_coverage`, `insufficient_data` */
export async function findMarketScope(
  deps: OperationDeps,
  { marketId: given, location, propertyType, asOf, warnings }: MarketScopeRequest,
): Promise<MarketScope> {
  const marketId = given ?? (await marketAt(deps, location, asOf));
  const entry = (await deps.markets.list()).find((one) => one.marketId === marketId);
  if (!entry) {
    throw new PlumblineError(
      'not_found',
      `There is no market "${marketId}". GET /v1/coverage lists the markets.`,
    );
  }
  const inputsOf = (kind: MarketKind): MarketInputs | null => {
    const model = modelsOf(entry, kind).findLast(({ trainedOn }) => trainedOn <= asOf);
    return model ? newestInputs(entry, model) : null;
  };
  const [prices, rents] = [inputsOf('property'), inputsOf('rental')];
  if (!prices && !rents) throw noModelYet(entry.sales || !entry.rents ? 'property' : 'rental', entry, asOf);
  return { marketId, asOf, propertyType, prices, rents, warnings };
}

async function marketAt(deps: OperationDeps, location: LocationRequest | null, asOf: Day): Promise<string> {
  if (location === null) throw new Error('a request without a market needs a location');
  const { lat, lon } = await locate(deps, location, 'area', asOf);
  try {
    return (await deps.markets.at('property', lat, lon, asOf)).marketId;
  } catch (error) {
    // A market may have rents only. If it has none either, the message about sales is the more useful one.
    const rental = await deps.markets.at('rental', lat, lon, asOf).catch(() => null);
    if (rental === null) throw error;
    return rental.marketId;
  }
}

export function createMarketIndex(markets: Markets, groups: AreaGroups): ComputeMarketIndex {
  return async (inputs) => {
    const { marketId, asOf, propertyType, area, stress, prices, rents } = inputs;
    const warnings = [...inputs.warnings];
    const lacking: string[] = [];
    const boundOf = async (one: MarketInputs | null) =>
      one && { inputs: one, market: await markets.ofInputs(one) };
    const [sales, listings] = [await boundOf(prices), await boundOf(rents)];
    const first = sales ?? listings;
    if (!first) throw new Error('a market without a model has no index');
    const { index } = first.market.bound.predictor;

    const seriesIn = async (
      bound: { readonly inputs: MarketInputs; readonly market: BoundActiveMarket },
      ofBedrooms: number | null,
    ) => {
      const { columns } = bound.market;
      const isInArea = await areaTest(bound.inputs, columns);
      const type = propertyType === null ? null : PROPERTY_TYPES.indexOf(propertyType);
      const bedrooms = columns.attributes.bedrooms;
      const isMember = (row: number): boolean =>
        (type === null || columns.type[row] === type) &&
        (ofBedrooms === null || Math.min(MOST_BEDROOMS, Math.floor(bedrooms[row])) === ofBedrooms) &&
        (isInArea === null || isInArea(row));
      const isGroup = type !== null || ofBedrooms !== null || isInArea !== null;
      const prior = isInArea === null ? PRICE_INDEX.typePrior : PRICE_INDEX.areaPrior;
      return seriesOf(bound.market, inputs, isGroup ? isMember : null, prior);
    };
    async function areaTest(
      of: MarketInputs,
      columns: SaleColumns,
    ): Promise<((row: number) => boolean) | null> {
      if (area === null) return null;
      const [level, id] = area.split(':');
      if (!isAreaLevel(level)) throw new Error(`"${area}" is not an area`);
      const areaOfRow = await groups.areaOfRow(level, of, columns, index);
      return (row) => areaOfRow(row) === id;
    }

    const own = sales && (await seriesIn(sales, null));
    if (own && 'lacks' in own) lacking.push(`sales (${own.lacks})`);
    const rentSeries: ResponseOf<typeof MarketIndexBody>['rents'][number][] = [];
    for (const bedrooms of [null, 0, 1, 2, 3, MOST_BEDROOMS]) {
      const found = listings && (await seriesIn(listings, bedrooms));
      if (!found) continue;
      if ('lacks' in found) {
        lacking.push(`${listingsOf(bedrooms)} (${found.lacks})`);
        continue;
      }
      const history = found.history.map(({ sales: count, medianPrice, medianPricePerSqft, ...month }) => ({
        ...month,
        listings: count,
        medianRent: medianPrice,
        medianRentPerSqft: medianPricePerSqft,
      }));
      rentSeries.push({ bedrooms, ...found, history });
    }
    const pricesFound = own && 'history' in own ? own : null;
    const [code, message] = [
      'insufficient_data',
      `Too few ${lacking.join(', ')} for an index: at least ${MIN_GROUP_SALES} are needed in the 24 months to the newest.`,
    ] as const;
    if (!pricesFound && rentSeries.length === 0) {
      throw new PlumblineError(code, `${message} Request a larger area or all types.`);
    }
    if (lacking.length > 0) warnings.push({ code, field: null, message });
    if (sales && pricesFound) {
      const { forecast, lastMonth, lastForecastMonth: lastForecast } = pricesFound;
      warnings.push(
        ...jumpWarnings(sales.market.bound.predictor.index),
        ...jumpInYearWarnings(sales.market.bound.predictor.index, pricesFound),
        ...forecastWarnings(lastForecast, forecast.at(-1)?.month ?? lastMonth),
      );
    }
    return {
      market: marketId,
      asOfDate: formatDay(asOf),
      propertyType,
      area,
      stress,
      prices: pricesFound,
      rents: rentSeries,
      warnings,
    };
  };
}

/** More than markets move from one day to the next: usually the files of the two times record other sales. */
export function jumpsAfterStart({ jumps, firstMonth }: Pick<MarketPriceIndex, 'jumps' | 'firstMonth'>) {
  return jumps.filter(({ day }) => monthOf(day) > firstMonth);
}

export function jumpWarnings(index: Pick<MarketPriceIndex, 'jumps' | 'firstMonth'>): Warning[] {
  return jumpsAfterStart(index).map(({ day, size }) => ({
    code: 'price_level_jump',
    field: null,
    message: `From ${formatDay(day)} on, prices of the whole market are ${Math.abs(100 * Math.expm1(size)).toFixed(1)}% ${size < 0 ? 'lower' : 'higher'}, from one day to the next. The files of both times may record different sales: compare them before you rely on changes across this day.`,
  }));
}

const HALF_MONTH_DAYS = 15;

type YearOfPrices = Readonly<Pick<Series, 'lastMonth' | 'yearOverYearPct'>>;

/** The 12-month change without the jumps that are part of it; null if none is. The index of a month is that of its middle. */
export function yearWithoutJumps(
  { jumps }: Pick<MarketPriceIndex, 'jumps'>,
  { lastMonth, yearOverYearPct }: YearOfPrices,
) {
  const spanned = jumps.filter(({ day }) => {
    const firstAfter = monthOf(day + HALF_MONTH_DAYS);
    return formatMonth(firstAfter) <= lastMonth && lastMonth < formatMonth(firstAfter + 12);
  });
  if (yearOverYearPct === null || spanned.length === 0) return null;
  const size = spanned.reduce((sum, jump) => sum + jump.size, 0);
  return {
    changePct: 100 * Math.expm1(Math.log1p(yearOverYearPct / 100) - size),
    dates: spanned.map(({ day }) => formatDay(day)),
  };
}

export function jumpInYearWarnings(index: Pick<MarketPriceIndex, 'jumps'>, year: YearOfPrices): Warning[] {
  const without = yearWithoutJumps(index, year);
  if (without === null) return [];
  const { changePct, dates } = without;
  return [
    {
      code: 'jump_in_year',
      field: null,
      message: `Without the jump of ${dates.join(' and ')}, the 12-month change to ${year.lastMonth} is ${changePct < 0 ? '−' : '+'}${Math.abs(changePct).toFixed(1)}%.`,
    },
  ];
}

type Series = ResponseOf<typeof PriceIndexSeries>;

/** A warning if the months of a request go on after the forecast. */
export function forecastWarnings(lastForecast: string, last: string): Warning[] {
  if (last <= lastForecast) return [];
  const message = `The forecast ends in ${lastForecast}, ${MARKET_FILTER.forecastMonths} months after the newest month with data. After that, the seasonally adjusted index stays the same and only its range widens.`;
  return [{ code: 'forecast_ended', field: null, message }];
}

/** `2028-11` */
export function lastForecastMonth({ lastFigure }: { readonly lastFigure: MonthNumber }): string {
  return formatMonth(lastFigure + MARKET_FILTER.forecastMonths);
}

/**
 * The index of a market, or of some of its rows, as known on a day; or how many sales it lacks.
 *
 * @param isMember null for all
 */
function seriesOf(
  { bound: { predictor }, columns, model }: BoundActiveMarket,
  { asOf, forecastMonths, stress }: Pick<MarketIndexInputs, 'asOf' | 'forecastMonths' | 'stress'>,
  isMember: ((row: number) => boolean) | null,
  prior: number,
): Series | { readonly lacks: string } {
  const series = openIndexSeries(predictor, asOf, stress);
  const group = isMember && series.rows.filter(isMember);
  if (group && !isEnough(columns, series.rows, group)) {
    return { lacks: `${group.length} known` };
  }
  const at = series.ofGroup(group, prior);
  const { firstMonth, lastMonth } = series;
  const base = at(firstMonth).log;
  const members = (month: MonthNumber) => monthMembers(at(month), base, yearOverYear(at, month, firstMonth));
  const sold = groupByMonth(columns, usableRows(columns, asOf, isMember));
  const months = (from: MonthNumber, to: MonthNumber) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  return {
    model: { id: model.modelId, trainedOn: formatDay(model.trainedOn) },
    baseMonth: formatMonth(firstMonth),
    lastMonth: formatMonth(lastMonth),
    lastForecastMonth: lastForecastMonth(series.path),
    yearOverYearPct: yearOverYear(at, lastMonth, firstMonth),
    seasonalFactors: series.season.map((log) => rounded(Math.exp(log), 4)),
    sources: {
      sales: (group ?? series.rows).length,
      published: publishedSources(columns, asOf),
    },
    forecast: months(lastMonth + 1, monthOf(asOf) + forecastMonths).map(members),
    history: months(firstMonth, lastMonth).map((month) => ({
      ...members(month),
      ...monthMedians(columns, sold.get(month) ?? []),
    })),
  };
}

/** Whether a group has enough sales in the last months of the market. */
export function isEnough(columns: SaleColumns, all: readonly number[], group: readonly number[]): boolean {
  const newest = all.reduce((day, row) => Math.max(day, columns.soldOn[row]), -Infinity);
  return group.filter((row) => columns.soldOn[row] > newest - GROUP_DAYS).length >= MIN_GROUP_SALES;
}

/** Usable sales known on a day. */
export function usableRows(
  columns: SaleColumns,
  asOf: Day,
  isMember: ((row: number) => boolean) | null,
): number[] {
  const rows: number[] = [];
  for (let row = 0; row < asOfEnd(columns, asOf); row++) {
    if (columns.armsLength[row] !== 0 && isUsable(columns, row, asOf) && (isMember?.(row) ?? true))
      rows.push(row);
  }
  return rows;
}

function groupByMonth({ soldOn }: SaleColumns, rows: readonly number[]): Map<MonthNumber, number[]> {
  return Map.groupBy(rows, (row) => monthOf(soldOn[row]));
}

function monthMembers({ month, log, level, sd }: IndexMonth, base: number, yearOverYearPct: number | null) {
  const index = (ln: number) => rounded(100 * Math.exp(ln - base), 2);
  return {
    month: formatMonth(month),
    index: index(log),
    indexSeasonallyAdjusted: index(level),
    interval_80: { lower: index(log - Z80 * sd), upper: index(log + Z80 * sd) },
    interval_95: { lower: index(log - Z95 * sd), upper: index(log + Z95 * sd) },
    yearOverYearPct,
  };
}

/** Percent; null in the first year. */
export function yearOverYear(
  at: (month: MonthNumber) => IndexMonth,
  month: MonthNumber,
  firstMonth: MonthNumber,
): number | null {
  return month - 12 < firstMonth ? null : rounded(100 * Math.expm1(at(month).log - at(month - 12).log), 2);
}

/** Medians of some sales; null where they are too few. */
export function monthMedians(columns: SaleColumns, rows: readonly number[]) {
  const prices = rows.map((row) => columns.priceUsd[row]);
  const area = columns.attributes.livingAreaSqft;
  const perSqft = rows.flatMap((row) => (area[row] > 0 ? [columns.priceUsd[row] / area[row]] : []));
  const medianOrNull = (values: readonly number[], decimals: number) =>
    values.length < MIN_MEDIAN_SALES ? null : rounded(medianOf(values), decimals);
  return {
    sales: rows.length,
    medianPrice: medianOrNull(prices, 0),
    medianPricePerSqft: medianOrNull(perSqft, 2),
  };
}

function publishedSources({ indexes }: SaleColumns, asOf: Day) {
  return newestFigures(indexes, asOf).map(({ name, day }) => ({
    name,
    newestMonth: formatMonth(monthOf(day)),
  }));
}

function listingsOf(bedrooms: number | null): string {
  if (bedrooms === null) return 'listings';
  if (bedrooms === 0) return 'listings of studios';
  return `listings of ${bedrooms}${bedrooms === MOST_BEDROOMS ? ' or more' : ''} ${bedrooms === 1 ? 'bedroom' : 'bedrooms'}`;
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
