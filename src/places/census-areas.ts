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
import type { LatLon } from '../geo/distance.ts';
import { openDatasets, type PlaceDeps } from './deps.ts';

interface CensusArea {
  readonly geoid: string;
  /** Name with its kind: "Census Tract 107.02", "King County"; null if no file has it. */
  readonly name: string | null;
}

/** The areas of one census at a place, by level; unknown levels are missing. */
export type CensusAreas = Readonly<Partial<Record<CensusLevel, CensusArea>>>;

/** Newest first: the default if a request names no census. */
const VINTAGES: readonly AreaVintage[] = [2020, 2010];
const SMALLEST_FIRST = CENSUS_LEVELS.toReversed();

interface Hit extends CensusArea {
  readonly level: CensusLevel;
  readonly vintage: AreaVintage;
}

/**
 * Opens the layers that may contain any of the points, so that each of thousands of lookups is synchronous. A lookup
 * returns the areas that contain a point, of the given census or else of the newest census loaded there.
 */
export async function openCensusAreas(
  deps: PlaceDeps,
  points: readonly LatLon[],
): Promise<(point: LatLon, vintage?: AreaVintage) => CensusAreas> {
  const layers = await openDatasets(deps, 'census-areas', deps.areaLayers, (bounds) =>
    points.some(({ lat, lon }) => mayReach(bounds, lat, lon, 0)),
  );
  return ({ lat, lon }, vintage) => {
    const hits = layers
      .filter(({ dataset: { bounds } }) => bounds === null || mayReach(bounds, lat, lon, 0))
      .flatMap(({ data }) => data.map.areasAt(lat, lon).map((area) => hitOf(data, area)));
    const newest = VINTAGES.find((candidate) => hits.some((hit) => hit.vintage === candidate));
    const wanted = vintage ?? newest;
    return wanted === undefined ? {} : nestAreas(hits, wanted);
  };
}

/** The areas that contain the point, of the given census or else of the newest census loaded there. */
export async function censusAreasAt(
  deps: PlaceDeps,
  lat: number,
  lon: number,
  vintage?: AreaVintage,
): Promise<CensusAreas> {
  return (await openCensusAreas(deps, [{ lat, lon }]))({ lat, lon }, vintage);
}

function hitOf({ records }: AreaLayer, area: number): Hit {
  const { geoid, vintage, name } = records[area];
  const level = typeof geoid === 'string' ? levelOfGeoid(geoid) : null;
  if (typeof geoid !== 'string' || level === null || (vintage !== 2010 && vintage !== 2020)) {
    throw new Error('The layer of census areas is damaged: a record has no GEOID. Import the areas again.');
  }
  return { geoid, level, vintage, name: typeof name === 'string' ? name : null };
}

/** The areas of some levels in a box, from the newest census loaded there. */
export async function censusAreasIn(
  deps: PlaceDeps,
  bounds: Bounds,
  levels: readonly CensusLevel[],
): Promise<(Hit & { readonly shape: AreaShape })[]> {
  const found: (Hit & { readonly shape: AreaShape })[] = [];
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

/** GEOIDs of all levels at a point. The county is included even if no areas are imported. */
export function geoidsAround(
  { counties }: Pick<PlaceDeps, 'counties'>,
  areas: CensusAreas,
  { lat, lon }: LatLon,
): string[] {
  const geoids = CENSUS_LEVELS.flatMap((level) => areas[level]?.geoid ?? []);
  const county = areas.county ? null : counties.at(lat, lon);
  return county === null ? geoids : [county, ...geoids];
}

/** The parts of the GEOIDs as text; unknown parts are missing. null if no area is known. */
export function censusGeoidsOf(areas: CensusAreas) {
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
