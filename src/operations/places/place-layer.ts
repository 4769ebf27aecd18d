import { vintageOfYear } from '../../domain/census/geoid.ts';
import type { ValueType } from '../../domain/census/describe-table.ts';
import { formatCount, formatMany, formatPct, formatUsd } from '../../domain/display-format.ts';
import { FIRE_CATEGORIES, fireRiskOf } from '../../domain/fire-risk.ts';
import { floodHazardOf, readFloodRecord } from '../../domain/flood-zone.ts';
import { thinned, type AreaShape } from '../../geo/areas/area-shape.ts';
import { shapeOf } from '../../geo/areas/area-map.ts';
import { touches, type Bounds } from '../../geo/bounds.ts';
import { milesPerDegree } from '../../geo/distance.ts';
import { censusAreasIn } from '../../places/census-areas.ts';
import { censusFiguresOf, servedVariables } from '../../places/census-values.ts';
import { openDatasets, type PlaceDeps } from '../../places/deps.ts';
import { burnProbabilityAt } from '../../places/fire.ts';
import { outlineCoordinates } from '../market/outlines.ts';
import { figureOf } from './census-data.ts';

export const PLACE_LAYERS = ['flood', 'fire', 'crime', 'census'] as const;
type PlaceLayerName = (typeof PLACE_LAYERS)[number];

/** Areas around a place in classes, to color a map. */
interface PlaceLayer {
  /** Names of the classes, lowest first. */
  readonly classes: readonly string[];
  readonly areas: readonly {
    readonly id: string;
    readonly label: string;
    readonly classIndex: number;
    readonly outline: [number, number][][][];
  }[];
}

type LayerArea = Omit<PlaceLayer['areas'][number], 'outline'> & { readonly shape: AreaShape };

/** Miles from the place to the edges of a layer. */
const REACH_MI = 3;
/** Outlines are drawn at about 100 pixels a mile. */
const THINNED_MI = 0.005;
/** About 1 MB of JSON. Farther areas are left out. */
const MAX_POINTS = 60_000;
/** Cells of rasters and counts, from edge to edge. */
const CELLS = 48;

/** A layer within three miles of a place. Its figures are classes: exact ones are read and charged at a place. */
export async function placeLayerAt(
  deps: PlaceDeps,
  { layer, lat, lon, censusKey }: PlaceLayerRequest,
): Promise<PlaceLayer> {
  const perDegree = milesPerDegree(lat);
  const [dLat, dLon] = [REACH_MI / perDegree.lat, REACH_MI / Math.max(1, perDegree.lon)];
  const box = { south: lat - dLat, north: lat + dLat, west: lon - dLon, east: lon + dLon };
  const { classes, areas } = await LAYERS[layer](deps, box, censusKey);
  let points = 0;
  const drawn = areas.flatMap(({ shape, ...area }) => {
    const outline = outlineCoordinates(thinned(shape, THINNED_MI));
    points += outline.flat(2).length;
    return points > MAX_POINTS ? [] : [{ ...area, outline }];
  });
  return { classes, areas: drawn };
}

interface PlaceLayerRequest {
  readonly layer: PlaceLayerName;
  readonly lat: number;
  readonly lon: number;
  readonly censusKey: string | null;
}

type ReadLayer = (
  deps: PlaceDeps,
  box: Bounds,
  censusKey: string | null,
) => Promise<{ readonly classes: readonly string[]; readonly areas: readonly LayerArea[] }>;

const LAYERS: Readonly<Record<PlaceLayerName, ReadLayer>> = {
  flood: floodLayer,
  fire: fireLayer,
  crime: crimeLayer,
  census: censusLayer,
};

const FLOOD_CLASSES = ['Undetermined', 'Moderate (0.2% a year)', 'High (1% a year)', 'Coastal, floodway'];

/** Zones of minimal hazard stay uncolored. Higher hazards are drawn above lower ones, as lookups choose them. */
async function floodLayer(deps: PlaceDeps, box: Bounds) {
  const layers = await openDatasets(deps, 'flood', deps.areaLayers, (bounds) => touches(bounds, box));
  const areas = layers.flatMap(({ dataset, data: { map, records } }) =>
    map.areasNear(box).flatMap((area): LayerArea[] => {
      const found = readFloodRecord(records[area]);
      const hazard = found && floodHazardOf(found.zone, found.zoneSubtype);
      if (!found || !hazard || hazard.rank <= 2) return [];
      const isFloodway = found.zoneSubtype?.includes('FLOODWAY') ?? false;
      const classIndex = isFloodway ? 3 : hazard.rank - 3;
      const label = [`Zone ${found.zone}`, found.zoneSubtype, hazard.label].filter(Boolean).join(', ');
      const id = `${dataset.datasetId}-${area}`;
      return [{ id, label, classIndex, shape: shapeOf(map, area) }];
    }),
  );
  return {
    classes: FLOOD_CLASSES,
    areas: areas.sort((a, b) => a.classIndex - b.classIndex),
  };
}

/** The five classes of the Forest Service that can burn. */
const FIRE_CLASSES = ['Low', 'Low-moderate', 'Moderate', 'Moderate-high', 'High'];

async function fireLayer(deps: PlaceDeps, box: Bounds) {
  const areas: LayerArea[] = [];
  await eachCell(box, async (row, column, cell) => {
    const found = await burnProbabilityAt(deps, (cell.south + cell.north) / 2, (cell.west + cell.east) / 2);
    if (found === null) return;
    const { category, categoryDisplay, returnPeriodYears } = fireRiskOf(found.probability);
    const classIndex = FIRE_CATEGORIES.indexOf(category) - 1;
    if (classIndex < 0) return;
    const label = `${categoryDisplay}: 1 in ${formatCount(returnPeriodYears)} chance of burning in a year`;
    areas.push({ id: `${row}-${column}`, label, classIndex, shape: rectangle(cell) });
  });
  return { classes: FIRE_CLASSES, areas };
}

async function crimeLayer(deps: PlaceDeps, box: Bounds) {
  const layers = await openDatasets(deps, 'crime', deps.incidentColumns, (bounds) => touches(bounds, box));
  const counts = new Map<string, number>();
  for (const { data } of layers) {
    const { lat, lon } = data.index;
    for (let i = 0; i < lat.length; i++) {
      const row = Math.floor(((lat[i] - box.south) / (box.north - box.south)) * CELLS);
      const column = Math.floor(((lon[i] - box.west) / (box.east - box.west)) * CELLS);
      if (row < 0 || column < 0 || row >= CELLS || column >= CELLS) continue;
      const id = `${row}-${column}`;
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  const { classes, classOf } = classesOf([...counts.values()], formatCount);
  const areas: LayerArea[] = [];
  await eachCell(box, async (row, column, cell) => {
    const id = `${row}-${column}`;
    const count = counts.get(id);
    if (count === undefined) return;
    const label = `${formatMany(count, 'incident')} on all dates in this eighth of a mile`;
    areas.push({ id, label, classIndex: classOf(count), shape: rectangle(cell) });
  });
  return { classes, areas };
}

async function eachCell(
  { south, north, west, east }: Bounds,
  visit: (row: number, column: number, cell: Bounds) => Promise<void>,
): Promise<void> {
  const latAt = (row: number): number => south + ((north - south) * row) / CELLS;
  const lonAt = (column: number): number => west + ((east - west) * column) / CELLS;
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS; column++) {
      await visit(row, column, {
        south: latAt(row),
        north: latAt(row + 1),
        west: lonAt(column),
        east: lonAt(column + 1),
      });
    }
  }
}

function rectangle({ south, north, west, east }: Bounds): AreaShape {
  return {
    polygons: [[Float64Array.of(west, south, east, south, east, north, west, north, west, south)]],
  };
}

/** Tracts by fifths of a figure, of its newest year. */
async function censusLayer(deps: PlaceDeps, box: Bounds, key: string | null) {
  const served = key === null ? undefined : (await servedVariables(deps)).get(key);
  const tracts = await censusAreasIn(deps, box, ['tract']);
  const [vintage] = tracts.map((tract) => tract.vintage);
  const year = served?.years.find((one) => vintageOfYear(one) === vintage);
  if (!served || year === undefined) return { classes: [], areas: [] };
  const { variable } = served;
  const geoids = tracts.map(({ geoid }) => geoid);
  const figures = await censusFiguresOf(deps, { geoids, years: [year], tableIds: [variable.tableId] });
  const known = tracts.flatMap((tract) => {
    const { value } = figureOf(figures.tablesOf(tract.geoid, year)[0], variable);
    return value === null ? [] : [{ tract, value }];
  });
  const format = (value: number): string => amount(value, variable.valueType);
  const { classes, classOf } = classesOf(
    known.map(({ value }) => value),
    format,
  );
  return {
    classes,
    areas: known.map(({ tract: { geoid, name, shape }, value }): LayerArea => {
      const classIndex = classOf(value);
      return { id: geoid, label: `${name ?? geoid}: ${classes[classIndex]}`, classIndex, shape };
    }),
  };
}

function amount(value: number, type: ValueType): string {
  if (type === 'currency') return formatUsd(value);
  return type === 'percentage' ? formatPct(value) : formatCount(value);
}

const MAX_CLASSES = 5;

/** Classes of about equal size. Equal values are in one class. */
function classesOf(values: readonly number[], format: (value: number) => string) {
  const sorted = values.toSorted((a, b) => a - b);
  const starts = Array.from(
    { length: MAX_CLASSES },
    (_, i) => sorted[Math.floor((i * sorted.length) / MAX_CLASSES)],
  );
  const lows = [...new Set(starts.filter((low) => low !== undefined))];
  const classOf = (value: number): number => lows.findLastIndex((low) => value >= low);
  const classes = lows.map((low, i) => {
    const high = Math.max(...sorted.filter((value) => classOf(value) === i));
    return low === high ? format(low) : `${format(low)} – ${format(high)}`;
  });
  return { classes, classOf };
}
