import { formatDay } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { PlumblineError } from '../../errors.ts';
import type { AreaShape } from '../../geo/areas/area-shape.ts';
import { thinned } from '../../geo/areas/thin-shape.ts';
import { boundsAround } from '../../geo/bounds.ts';
import { geohashBounds } from '../../geo/geohash.ts';
import { censusAreasIn, newestCensusAreasAt } from '../../places/census-areas.ts';
import type { ModelRecord } from '../../store/models.ts';
import { median } from '../../valuation/calibration/medians.ts';
import { briefCell, briefGroups, type BriefCell } from '../../valuation/ratio-study/brief-cell.ts';
import { casesOf } from '../../valuation/ratio-study/cases.ts';
import { priceTiers } from '../../valuation/ratio-study/groups.ts';
import type { BlindCases } from '../../valuation/calibration/blind-cases.ts';
import type { OperationDeps } from '../deps.ts';
import { areaKey, monthKey } from '../studies/backtest/case-groups.ts';

/** A part of the blind sales with what the model measured on it. */
export interface StudiedGroup {
  readonly key: string;
  readonly cell: BriefCell;
}

/** A fifth of the blind sales by price, '1' the cheapest. */
export interface StudiedTier extends StudiedGroup {
  readonly medianPriceUsd: number;
}

/** A census tract, or where none is loaded a cell of a geohash of five characters. */
export interface StudiedArea extends StudiedGroup {
  readonly level: 'tract' | 'geohash';
  readonly name: string | null;
  /** Its outline, coarse enough to be sent and fine enough to be told from its neighbours. */
  readonly shape: AreaShape;
}

/** How a model did on the months that it was not trained on, in parts. */
export interface ModelStudy {
  readonly model: ModelRecord;
  /** Null where it has no blind sales: a market too young, or too small. */
  readonly measured: {
    /** First and last day of sale, or of listing. */
    readonly from: string;
    readonly to: string;
    readonly trainings: number;
    /** Of the sales, those held out of a training on sales of the same time. */
    readonly heldOut: number;
    readonly overall: BriefCell;
    readonly types: readonly StudiedGroup[];
    readonly tiers: readonly StudiedTier[];
    readonly months: readonly StudiedGroup[];
    readonly areas: readonly StudiedArea[];
  } | null;
}

export type StudyDeps = Pick<OperationDeps, 'markets' | 'places' | 'blindCases'>;

/** @throws PlumblineError `not_found` for a model that is not kept, and for one of buildings, which has no blind sales of its own */
export async function studyModel(deps: StudyDeps, modelId: string): Promise<ModelStudy> {
  const entries = await deps.markets.list();
  const model = entries.flatMap(({ models }) => models).find((candidate) => candidate.modelId === modelId);
  if (!model) throw new PlumblineError('not_found', 'There is no model of this id.');
  if (model.kind === 'multifamily') {
    throw new PlumblineError(
      'not_found',
      'A model of buildings measures nothing of itself: it is made of the property and the rental model. A backtest measures it.',
    );
  }
  const blind = await deps.blindCases(model.sha256);
  const { cases } = blind;
  const overall = briefCell(cases);
  if (!overall) return { model, measured: null };
  const types = Array.from(blind.type, (code) => PROPERTY_TYPES[code]);
  const months = Array.from(blind.soldOn, monthKey);
  return {
    model,
    measured: {
      from: formatDay(blind.soldOn.reduce((a, b) => Math.min(a, b))),
      to: formatDay(blind.soldOn.reduce((a, b) => Math.max(a, b))),
      trainings: blind.trainings,
      heldOut: blind.heldOut,
      overall,
      types: groupsOf(briefGroups(cases, types)),
      tiers: tiersOf(blind),
      months: groupsOf(briefGroups(cases, months)),
      areas: await areasOf(deps, blind),
    },
  };
}

function groupsOf(cells: ReadonlyMap<string, BriefCell>): StudiedGroup[] {
  return [...cells].map(([key, cell]) => ({ key, cell }));
}

function tiersOf({ cases }: BlindCases): StudiedTier[] {
  const tiers = priceTiers(cases);
  return groupsOf(briefGroups(cases, tiers)).map((group) => ({
    ...group,
    medianPriceUsd: Math.round(median([...cases.price].filter((_, row) => tiers[row] === group.key))),
  }));
}

interface AreaRows extends Pick<StudiedArea, 'level' | 'key' | 'name'> {
  readonly rows: number[];
}

async function areasOf({ places }: StudyDeps, { cases, lat, lon }: BlindCases): Promise<StudiedArea[]> {
  const found = new Map<string, AreaRows>();
  for (let row = 0; row < cases.n; row++) {
    const { tract } = await newestCensusAreasAt(places, lat[row], lon[row]);
    const key = tract?.geoid ?? areaKey(lat[row], lon[row]);
    const known = found.get(key);
    if (known) known.rows.push(row);
    else found.set(key, { level: tract ? 'tract' : 'geohash', key, name: tract?.name ?? null, rows: [row] });
  }
  const bounds = boundsAround(
    Array.from(lat, (y, row) => ({ south: y, north: y, west: lon[row], east: lon[row] })),
  );
  const tracts = bounds ? await censusAreasIn(places, bounds, ['tract']) : [];
  const shapeOf = new Map(tracts.map(({ geoid, shape }) => [geoid, shape]));
  return [...found.values()]
    .flatMap(({ rows, ...area }) => {
      const cell = briefCell(casesOf(cases, rows));
      if (!cell) return [];
      const tract = shapeOf.get(area.key);
      // A tract of an older census, beside newer ones, is not drawn: the cell around its sales stands for it.
      const shape = tract ? thinned(tract, OUTLINE_MI) : cellShape(areaKey(lat[rows[0]], lon[rows[0]]));
      return [{ ...area, cell, shape }];
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** A tract is drawn some 20 pixels wide; a twentieth of a mile is one of them. */
const OUTLINE_MI = 0.05;

function cellShape(geohash: string): AreaShape {
  const { south, north, west, east } = geohashBounds(geohash);
  return { polygons: [[Float64Array.of(west, south, east, south, east, north, west, north, west, south)]] };
}
