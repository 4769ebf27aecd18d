import { formatDay } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { PlumblineError } from '../../errors.ts';
import { thinned, type AreaShape } from '../../geo/areas/area-shape.ts';
import { boundsAround } from '../../geo/bounds.ts';
import { geohashBounds } from '../../geo/geohash.ts';
import { censusAreasIn, openCensusAreas } from '../../places/census-areas.ts';
import { median } from '../../valuation/order-statistics.ts';
import {
  summarizeStratum,
  summarizeGroups,
  type StratumSummary,
  priceTiers,
} from '../../valuation/ratio-study/strata.ts';
import { casesOf, hitRows } from '../../valuation/ratio-study/cases.ts';
import type { ModelRecord } from '../../store/tables/datasets.ts';
import type { EquityStudy } from '../../valuation/ratio-study/equity.ts';
import type { HoldoutCases } from '../../valuation/calibration/holdout-cases.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import type { OperationDeps } from '../deps.ts';
import type { MeasuredHoldout } from '../market-data/holdout-and-rents.ts';
import { nameAreas } from '../market-data/local-names.ts';
import { findModel } from '../market-data/market-catalog.ts';
import { OUTLINE_MI } from './outlines.ts';
import { areaKey, monthKey } from '../studies/backtest/study-kinds.ts';

export type ModelStudy = Awaited<ReturnType<typeof studyModel>>;

/**
 * The accuracy of a model in its holdout period, by stratum. `measured` is null if the model has no holdout sales,
 * because its market is too young or too small.
 *
 * @throws PlumblineError `not_found` for a deleted model and for a multifamily model, which has no holdout
 *   sales
 */
export async function studyModel(
  deps: Pick<OperationDeps, 'markets' | 'places' | 'holdoutCases'>,
  modelId: string,
) {
  const { model, holdout } = await holdoutOf(deps, modelId);
  const { cases } = holdout;
  const overall = summarizeStratum(cases);
  if (!overall) return { model, measured: null };
  const types = Array.from(holdout.type, (code) => PROPERTY_TYPES[code]);
  const months = Array.from(holdout.soldOn, monthKey);
  return {
    model,
    measured: {
      /** First and last day of sale, or of listing. */
      from: formatDay(holdout.soldOn.reduce((a, b) => Math.min(a, b))),
      to: formatDay(holdout.soldOn.reduce((a, b) => Math.max(a, b))),
      trainings: holdout.trainings,
      /** Number of withheld sales from the same period as the training sales, used if the dates have no earlier period. */
      heldOut: holdout.randomHoldout,
      overall,
      equity: await equityOfModel(deps, model),
      types: groupsOf(summarizeGroups(cases, types)),
      tiers: tiersOf(holdout),
      months: groupsOf(summarizeGroups(cases, months)),
      areas: await areasOf(deps.places, holdout),
    },
  };
}

/** @throws PlumblineError `not_found` */
async function holdoutOf(
  { markets, holdoutCases }: Pick<OperationDeps, 'markets' | 'holdoutCases'>,
  modelId: string,
) {
  const model = findModel(await markets.list(), modelId)?.model;
  if (!model) throw new PlumblineError('not_found', 'There is no model with this id.');
  if (model.kind === 'multifamily') {
    throw new PlumblineError(
      'not_found',
      'A multifamily model has no accuracy of its own, because it combines the property and rental models. Run a backtest to measure it.',
    );
  }
  return { model, holdout: await holdoutCases(model.sha256, model.snapshotSha256) };
}

/** Empty for rents and buildings: the standard is about prices of sales. */
export async function equityOfModel(
  { holdoutCases }: Pick<OperationDeps, 'holdoutCases'>,
  { kind, sha256, snapshotSha256 }: Pick<ModelRecord, 'kind' | 'sha256' | 'snapshotSha256'>,
): Promise<readonly EquityStudy[]> {
  return kind === 'property' ? (await holdoutCases(sha256, snapshotSha256)).equity : [];
}

/** A holdout sale, or listing, with the value predicted for it. */
export type HoldoutSale = Awaited<ReturnType<typeof listHoldoutSales>>['sales'][number];

/** Which holdout sales to list: those of an area and of a fifth by price of the study; null: all. */
interface HoldoutSalesSearch {
  readonly modelId: string;
  readonly area: string | null;
  readonly tier: string | null;
  readonly most: number;
}

/**
 * The holdout sales of a model by day of sale, of one area or fifth if given; evenly spaced ones if there are more than `most`.
 *
 * @throws PlumblineError `not_found`
 */
export async function listHoldoutSales(
  deps: Pick<OperationDeps, 'markets' | 'places' | 'holdoutCases'>,
  { modelId, area, tier, most }: HoldoutSalesSearch,
) {
  const { holdout } = await holdoutOf(deps, modelId);
  const { cases, type, soldOn, lat, lon, streets, recordIds, parcelIds } = holdout;
  const { keyOf } = await openAreas(deps.places, holdout);
  const tiers = tier === null ? [] : priceTiers(cases);
  const rows = [...hitRows(cases)]
    .filter((row) => area === null || keyOf(row) === area)
    .filter((row) => tier === null || tiers[row] === tier)
    .sort((a, b) => soldOn[a] - soldOn[b] || a - b);
  const listed = Math.min(most, rows.length);
  const bounds = cases.intervals[90];
  const sales = Array.from({ length: listed }, (_, i) => rows[Math.floor((i * rows.length) / listed)]).map(
    (row) => ({
      recordId: recordIds[row],
      parcelId: parcelIds[row],
      street: streets[row],
      soldOn: soldOn[row],
      type: PROPERTY_TYPES[type[row]],
      lat: lat[row],
      lon: lon[row],
      priceUsd: cases.price[row],
      valueUsd: cases.value[row],
      low90Usd: bounds?.low[row] ?? null,
      high90Usd: bounds?.high[row] ?? null,
      area: keyOf(row),
    }),
  );
  return { total: rows.length, sales };
}

function groupsOf(summaries: ReadonlyMap<string, StratumSummary>) {
  return [...summaries].map(([key, summary]) => ({ key, summary }));
}

/** Fifths of the holdout sales by the mean of value and price; '1' is the lowest. */
function tiersOf({ cases }: HoldoutCases) {
  const tiers = priceTiers(cases);
  return groupsOf(summarizeGroups(cases, tiers)).map((group) => ({
    ...group,
    medianPriceUsd: Math.round(median([...cases.price].filter((_, row) => tiers[row] === group.key))),
  }));
}

/** The area of each sale: its census tract; if no tracts are loaded, a geohash cell of five characters. */
async function openAreas(places: PlaceDeps, { lat, lon }: Pick<HoldoutCases, 'lat' | 'lon'>) {
  const points = Array.from(lat, (y, row) => ({ lat: y, lon: lon[row] }));
  const areasAt = await openCensusAreas(places, points);
  const tractOf = (row: number) => areasAt(points[row]).tract;
  return { points, tractOf, keyOf: (row: number) => tractOf(row)?.geoid ?? areaKey(lat[row], lon[row]) };
}

/** Outlines are simplified for display. */
async function areasOf(places: PlaceDeps, holdout: MeasuredHoldout) {
  const { cases, lat, lon, streets, postalCodes, neighborhoods } = holdout;
  const { points, tractOf, keyOf } = await openAreas(places, holdout);
  const rowsOf = Map.groupBy(points.keys(), keyOf);
  const names = nameAreas(rowsOf, {
    neighborhoodOf: (row) => neighborhoods[row],
    postalCodeOf: (row) => postalCodes[row],
    streetOf: (row) => streets[row],
  });
  const bounds = boundsAround(
    Array.from(lat, (y, row) => ({ south: y, north: y, west: lon[row], east: lon[row] })),
  );
  const tracts = bounds ? await censusAreasIn(places, bounds, ['tract']) : [];
  const shapeOf = new Map(tracts.map(({ geoid, shape }) => [geoid, shape]));
  return [...rowsOf]
    .flatMap(([key, rows]) => {
      const summary = summarizeStratum(casesOf(cases, rows));
      if (!summary) return [];
      const tract = tractOf(rows[0]);
      const level = tract ? ('tract' as const) : ('geohash' as const);
      const outline = shapeOf.get(key);
      // A tract of an older census has no outline here, so a geohash cell around its sales is drawn instead.
      const shape = outline ? thinned(outline, OUTLINE_MI) : cellShape(areaKey(lat[rows[0]], lon[rows[0]]));
      return [{ level, key, name: tract ? tract.name : (names.get(key) ?? null), summary, shape }];
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

function cellShape(geohash: string): AreaShape {
  const { south, north, west, east } = geohashBounds(geohash);
  return { polygons: [[Float64Array.of(west, south, east, south, east, north, west, north, west, south)]] };
}
