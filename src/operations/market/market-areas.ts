import { formatDay } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { PlumblineError } from '../../errors.ts';
import { thinned } from '../../geo/areas/area-shape.ts';
import { boundsAround } from '../../geo/bounds.ts';
import { censusAreasIn } from '../../places/census-areas.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import { AREA_LEVELS, type MarketAreasBody } from '../../schemas/market-index.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { PRICE_INDEX } from '../../valuation/model/constants.ts';
import { medianOf } from '../../valuation/order-statistics.ts';
import { formatMonth, openIndexSeries } from '../../valuation/price-index/index-series.ts';
import { monthOf } from '../../valuation/price-index/market-path.ts';
import { CREDITS, type OperationDeps, type Priced } from '../deps.ts';
import { localNamesOf, nameAreas } from '../market-data/local-names.ts';
import type { Markets } from '../market-data/markets.ts';
import type { AreaGroups } from './area-groups.ts';
import {
  findMarketScope,
  isEnough,
  jumpInYearWarnings,
  monthMedians,
  usableRows,
  yearOverYear,
} from './market-index.ts';
import type { ComputeMarketAreas, MarketAreasRequest } from './market-requests.ts';
import { OUTLINE_MI, outlineCoordinates } from './outlines.ts';

/** @throws PlumblineError `not_found`, `address_not_found`, `outside_coverage`, `insufficient_data` */
export async function marketAreas(
  deps: OperationDeps,
  request: MarketAreasRequest,
): Promise<Priced<ResponseOf<typeof MarketAreasBody>>> {
  const { level, withOutlines } = request;
  const scope = await findMarketScope(deps, request);
  return {
    response: await deps.computeMarketAreas({ ...scope, level, withOutlines }),
    credits: CREDITS.marketIndex,
  };
}

export function createMarketAreas(
  { markets, places }: { readonly markets: Markets; readonly places: PlaceDeps },
  groups: AreaGroups,
): ComputeMarketAreas {
  return async ({ marketId, asOf, propertyType, prices, level: wanted, withOutlines, warnings }) => {
    if (!prices) {
      throw new PlumblineError(
        'insufficient_data',
        `Market ${marketId} has no model of sales by ${formatDay(asOf)}.`,
      );
    }
    const { bound, columns } = await markets.ofInputs(prices);
    const { predictor } = bound;
    const type = propertyType === null ? null : PROPERTY_TYPES.indexOf(propertyType);
    const isOfType = type === null ? null : (row: number) => columns.type[row] === type;
    const series = openIndexSeries(predictor, asOf);
    const { firstMonth, lastMonth } = series;
    const indexed = isOfType ? series.rows.filter(isOfType) : series.rows;

    /** The wanted level, or the first at which most sales have an area. */
    const levels = wanted ? [wanted] : AREA_LEVELS;
    let level = levels[0];
    let areaOf = await groups.areaOfRow(level, prices, columns, predictor.index);
    for (const next of levels.slice(1)) {
      if (2 * indexed.filter((row) => areaOf(row) !== null).length >= indexed.length) break;
      level = next;
      areaOf = await groups.areaOfRow(level, prices, columns, predictor.index);
    }

    const inYear = usableRows(columns, asOf, isOfType).filter((row) => {
      const month = monthOf(columns.soldOn[row]);
      return month > lastMonth - 12 && month <= lastMonth;
    });
    const soldByArea = Map.groupBy(inYear, areaOf);
    const names =
      level === 'tract'
        ? await groups.tractNames(prices)
        : level === 'model_area'
          ? nameAreas(Map.groupBy(series.rows, areaOf), localNamesOf(columns))
          : null;
    const outlineOf =
      withOutlines && level === 'tract' ? await tractOutlines(places, columns, indexed) : null;
    const areas = [...Map.groupBy(indexed, areaOf)].flatMap(([id, rows]) => {
      if (id === null) return [];
      const at = isEnough(columns, series.rows, rows) ? series.ofGroup(rows, PRICE_INDEX.areaPrior) : null;
      return [
        {
          area: `${level}:${id}`,
          name: names?.get(id) ?? null,
          latitude: middle(columns.lat, rows),
          longitude: middle(columns.lon, rows),
          ...monthMedians(columns, soldByArea.get(id) ?? []),
          yearOverYearPct: at && yearOverYear(at, lastMonth, firstMonth),
          outline: outlineOf?.get(id) ?? null,
        },
      ];
    });
    const change = {
      lastMonth: formatMonth(lastMonth),
      yearOverYearPct: yearOverYear(series.ofGroup(null, 0), lastMonth, firstMonth),
    };
    return {
      market: marketId,
      asOfDate: formatDay(asOf),
      propertyType,
      level,
      ...change,
      areas: areas.sort((a, b) => (a.area < b.area ? -1 : 1)),
      warnings: [...warnings, ...jumpInYearWarnings(predictor.index, change)],
    };
  };
}

/** Five decimals are one meter. */
function middle(degrees: Float64Array, rows: readonly number[]): number {
  return Number(medianOf(rows.map((row) => degrees[row])).toFixed(5));
}

async function tractOutlines(places: PlaceDeps, { lat, lon }: SaleColumns, rows: readonly number[]) {
  const bounds = boundsAround(
    rows.map((row) => ({ south: lat[row], north: lat[row], west: lon[row], east: lon[row] })),
  );
  const tracts = bounds ? await censusAreasIn(places, bounds, ['tract']) : [];
  return new Map(tracts.map(({ geoid, shape }) => [geoid, outlineCoordinates(thinned(shape, OUTLINE_MI))]));
}
