import { censusAreaName } from '../domain/census/area-name.ts';
import {
  CENSUS_LEVELS,
  levelOfGeoid,
  partsOfGeoid,
  type AreaVintage,
  type CensusLevel,
} from '../domain/census/geoid.ts';
import type { AreaLayer } from '../geo/areas/area-layer.ts';
import { shapeOf } from '../geo/areas/area-map.ts';
import type { AreaShape } from '../geo/areas/area-shape.ts';
import { mayReach, touches, type Bounds } from '../geo/bounds.ts';
import type { PlaceDeps } from './deps.ts';

export interface CensusArea {
  readonly geoid: string;
  /** Name with its kind: "Census Tract 107.02", "King County"; null if no file has it. */
  readonly name: string | null;
}

/** The areas of one census at a place, by level; unknown levels are missing. */
export type CensusAreas = Readonly<Partial<Record<CensusLevel, CensusArea>>>;

/** The parts of the GEOIDs as text; unknown parts are missing. */
export interface CensusGeoids {
  readonly state_fips?: string;
  readonly county_fips?: string;
  readonly cousub_fips?: string;
  readonly tract_fips?: string;
  readonly block_fips?: string;
  readonly geoid?: string;
}

/** Newest first: the default if a request names no census. */
const VINTAGES: readonly AreaVintage[] = [2020, 2010];
const SMALLEST_FIRST = CENSUS_LEVELS.toReversed();

interface Hit {
  readonly geoid: string;
  readonly level: CensusLevel;
  readonly vintage: AreaVintage;
  readonly name: string | null;
}

/** Looks points up in layers that are already open. */
export interface CensusAreaLookup {
  /** The areas of that census that contain the point; empty if none is loaded. */
  at(point: Point, vintage: AreaVintage): CensusAreas;
  /** The areas of the newest census loaded there. */
  newestAt(point: Point): CensusAreas;
}

interface Point {
  readonly lat: number;
  readonly lon: number;
}

/** Opens the layers that may contain any of the points, so that thousands of lookups need no waiting. */
export async function openCensusAreas(deps: PlaceDeps, points: readonly Point[]): Promise<CensusAreaLookup> {
  const layers: { readonly bounds: Bounds | null; readonly layer: AreaLayer }[] = [];
  const datasets = (await deps.listDatasets()).filter(({ kind }) => kind === 'census-areas');
  for (const { bounds, snapshotSha256 } of datasets.sort((a, b) => a.datasetId - b.datasetId)) {
    if (snapshotSha256 === null || !points.some((point) => mayHold(bounds, point))) continue;
    layers.push({ bounds, layer: await deps.areaLayers(snapshotSha256) });
  }
  const hitsAt = (point: Point): Hit[] =>
    layers
      .filter(({ bounds }) => mayHold(bounds, point))
      .flatMap(({ layer }) => layer.map.areasAt(point.lat, point.lon).map((area) => hitOf(layer, area)));
  return {
    at: (point, vintage) => nestAreas(hitsAt(point), vintage),
    newestAt(point) {
      const hits = hitsAt(point);
      const vintage = VINTAGES.find((candidate) => hits.some((hit) => hit.vintage === candidate));
      return vintage === undefined ? {} : nestAreas(hits, vintage);
    },
  };
}

function mayHold(bounds: Bounds | null, { lat, lon }: Point): boolean {
  return bounds === null || mayReach(bounds, lat, lon, 0);
}

/** The areas of that census that contain the point; empty if none is loaded. */
export async function censusAreasAt(
  deps: PlaceDeps,
  lat: number,
  lon: number,
  vintage: AreaVintage,
): Promise<CensusAreas> {
  return (await openCensusAreas(deps, [{ lat, lon }])).at({ lat, lon }, vintage);
}

/** The areas of the newest census loaded there. */
export async function newestCensusAreasAt(deps: PlaceDeps, lat: number, lon: number): Promise<CensusAreas> {
  return (await openCensusAreas(deps, [{ lat, lon }])).newestAt({ lat, lon });
}

function hitOf({ records }: AreaLayer, area: number): Hit {
  const { geoid, vintage, name } = records[area];
  const level = typeof geoid === 'string' ? levelOfGeoid(geoid) : null;
  if (typeof geoid !== 'string' || level === null || (vintage !== 2010 && vintage !== 2020)) {
    throw new Error('The layer of census areas is damaged: a record has no GEOID. Import the areas again.');
  }
  return { geoid, level, vintage, name: typeof name === 'string' ? name : null };
}

/** An area with its shape. */
export interface DrawnCensusArea {
  readonly geoid: string;
  readonly level: CensusLevel;
  readonly name: string | null;
  readonly shape: AreaShape;
}

/** The areas of some levels in a box, from the newest census loaded there. */
export async function censusAreasIn(
  deps: PlaceDeps,
  bounds: Bounds,
  levels: readonly CensusLevel[],
): Promise<DrawnCensusArea[]> {
  const found: (DrawnCensusArea & { readonly vintage: AreaVintage })[] = [];
  for (const dataset of await deps.listDatasets()) {
    const { kind, snapshotSha256 } = dataset;
    if (kind !== 'census-areas' || snapshotSha256 === null) continue;
    if (dataset.bounds !== null && !touches(dataset.bounds, bounds)) continue;
    const layer = await deps.areaLayers(snapshotSha256);
    for (const area of layer.map.areasNear(bounds)) {
      const hit = hitOf(layer, area);
      if (levels.includes(hit.level)) found.push({ ...hit, shape: shapeOf(layer.map, area) });
    }
  }
  const newest = Math.max(...found.map(({ vintage }) => vintage));
  return found.filter(({ vintage }) => vintage === newest);
}

/**
 * Chooses one area per level. Boundaries of different files overlap slightly: the smallest level decides (the
 * lowest GEOID of several), and its GEOID determines the larger areas. County subdivisions do not nest with
 * tracts: they come from their own layer, in the county already determined.
 */
function nestAreas(hits: readonly Hit[], vintage: AreaVintage): CensusAreas {
  const ofVintage = hits.filter((hit) => hit.vintage === vintage);
  const lowest = (level: CensusLevel, within: string): Hit | null => {
    const found = ofVintage.filter((hit) => hit.level === level && hit.geoid.startsWith(within));
    return found.length === 0 ? null : found.reduce((low, hit) => (hit.geoid < low.geoid ? hit : low));
  };
  const decisive = SMALLEST_FIRST.map((level) => lowest(level, '')).find((hit) => hit !== null);
  if (!decisive) return {};
  const nested = (level: CensusLevel, digits: number): CensusArea | undefined => {
    if (decisive.geoid.length < digits) return undefined;
    const geoid = decisive.geoid.slice(0, digits);
    const hit = ofVintage.find((candidate) => candidate.geoid === geoid);
    return { geoid, name: hit?.name ?? censusAreaName(level, geoid, null) };
  };
  const county = nested('county', 5);
  const cousub = lowest('cousub', decisive.geoid.slice(0, 5));
  const tract = nested('tract', 11);
  const blockGroup = nested('block_group', 12);
  return {
    ...(county && { county }),
    ...(cousub && { cousub: { geoid: cousub.geoid, name: cousub.name } }),
    ...(tract && { tract }),
    ...(blockGroup && { block_group: blockGroup }),
  };
}

/** The GEOID parts of a response; null if no area is known. */
export function censusGeoidsOf(areas: CensusAreas): CensusGeoids | null {
  const smallest = SMALLEST_FIRST.map((level) => areas[level]).find((area) => area !== undefined);
  if (!smallest) return null;
  const { state, county, tract, blockGroup } = partsOfGeoid(smallest.geoid);
  return {
    state_fips: state,
    county_fips: county,
    ...(areas.cousub && { cousub_fips: areas.cousub.geoid.slice(5) }),
    ...(tract && { tract_fips: tract }),
    ...(blockGroup && { block_fips: blockGroup }),
    ...(areas.block_group && { geoid: areas.block_group.geoid }),
  };
}
