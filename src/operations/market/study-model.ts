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
import { casesOf } from '../../valuation/ratio-study/cases.ts';
import type { HoldoutCases } from '../../valuation/calibration/holdout-cases.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import type { OperationDeps } from '../deps.ts';
import { findModel } from '../market-catalog.ts';
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
  const model = findModel(await deps.markets.list(), modelId)?.model;
  if (!model) throw new PlumblineError('not_found', 'There is no model with this id.');
  if (model.kind === 'multifamily') {
    throw new PlumblineError(
      'not_found',
      'A multifamily model has no accuracy of its own, because it combines the property and rental models. Run a backtest to measure it.',
    );
  }
  const holdout = await deps.holdoutCases(model.sha256);
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
      types: groupsOf(summarizeGroups(cases, types)),
      tiers: tiersOf(holdout),
      months: groupsOf(summarizeGroups(cases, months)),
      areas: await areasOf(deps.places, holdout),
    },
  };
}

function groupsOf(summaries: ReadonlyMap<string, StratumSummary>) {
  return [...summaries].map(([key, summary]) => ({ key, summary }));
}

/** Fifths of the holdout sales by price; '1' is the cheapest. */
function tiersOf({ cases }: HoldoutCases) {
  const tiers = priceTiers(cases);
  return groupsOf(summarizeGroups(cases, tiers)).map((group) => ({
    ...group,
    medianPriceUsd: Math.round(median([...cases.price].filter((_, row) => tiers[row] === group.key))),
  }));
}

/** Census tracts; if no tracts are loaded, geohash cells of five characters. Outlines are simplified for display. */
async function areasOf(places: PlaceDeps, { cases, lat, lon }: HoldoutCases) {
  const points = Array.from(lat, (y, row) => ({ lat: y, lon: lon[row] }));
  const areasAt = await openCensusAreas(places, points);
  const keyOf = (row: number) => areasAt(points[row]).tract?.geoid ?? areaKey(lat[row], lon[row]);
  const rowsOf = Map.groupBy(points.keys(), keyOf);
  const bounds = boundsAround(
    Array.from(lat, (y, row) => ({ south: y, north: y, west: lon[row], east: lon[row] })),
  );
  const tracts = bounds ? await censusAreasIn(places, bounds, ['tract']) : [];
  const shapeOf = new Map(tracts.map(({ geoid, shape }) => [geoid, shape]));
  return [...rowsOf]
    .flatMap(([key, rows]) => {
      const summary = summarizeStratum(casesOf(cases, rows));
      if (!summary) return [];
      const { tract } = areasAt(points[rows[0]]);
      const level = tract ? ('tract' as const) : ('geohash' as const);
      const outline = shapeOf.get(key);
      // A tract of an older census has no outline here, so a geohash cell around its sales is drawn instead.
      const shape = outline ? thinned(outline, OUTLINE_MI) : cellShape(areaKey(lat[rows[0]], lon[rows[0]]));
      return [{ level, key, name: tract?.name ?? null, summary, shape }];
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

function cellShape(geohash: string): AreaShape {
  const { south, north, west, east } = geohashBounds(geohash);
  return { polygons: [[Float64Array.of(west, south, east, south, east, north, west, north, west, south)]] };
}
