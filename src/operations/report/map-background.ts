import { withReadableDates } from '../../domain/display-format.ts';
import type { RoadClass } from '../../domain/map-layer.ts';
import type { Bounds } from '../../geo/bounds.ts';
import { milesPerDegree } from '../../geo/distance.ts';
import { mapFeaturesIn } from '../../places/map-features.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import type { MapBackground } from '../../reports/map-figure.ts';
import { mapSourcesOf } from '../map/map-sources.ts';

/** Widths in points, least important first, and the widest map in miles that shows the class. */
const ROADS: readonly (readonly [RoadClass, width: number, mostMi: number])[] = [
  ['service', 0.6, 1],
  ['local', 1.6, 6],
  ['collector', 2.2, 20],
  ['major', 2.8, 60],
  ['highway', 3.4, Infinity],
];
/** On wider maps the lines of parcels would be a gray area. */
const PARCELS_MOST_MI = 0.8;
/** A road of a city is a few hundred bytes of a PDF. */
const MAX_ROADS = 6000;

/** The imported layers within the box of a report's map, with their sources. */
export async function mapBackground(deps: PlaceDeps, box: Bounds): Promise<MapBackground> {
  const widthMi = (box.east - box.west) * milesPerDegree((box.north + box.south) / 2).lon;
  // Smaller areas are less than two points wide on paper.
  const least = { leastDegrees: (box.east - box.west) / 200 };
  const water = await mapFeaturesIn(deps, 'water', box, least);
  const parks = await mapFeaturesIn(deps, 'parks', box, least);
  const parcels = widthMi <= PARCELS_MOST_MI ? await mapFeaturesIn(deps, 'parcel-areas', box) : [];
  const roads: { readonly path: Float64Array; readonly width: number }[] = [];
  // The most important are read first, so that a crowded map loses the others.
  for (const [roadClass, width, mostMi] of ROADS.toReversed()) {
    if (widthMi > mostMi) continue;
    const found = await mapFeaturesIn(deps, 'roads', box, { classes: new Set([roadClass]) });
    const paths = found.flatMap(({ shape }) => shape.polygons.flat());
    roads.push(...paths.slice(0, MAX_ROADS - roads.length).map((path) => ({ path, width })));
  }
  const sources = mapSourcesOf(await deps.listDatasets(), box);
  return {
    water: water.flatMap(({ isLine, shape }) => (isLine ? [] : shape.polygons)),
    waterLines: water.flatMap(({ isLine, shape }) => (isLine ? shape.polygons.flat() : [])),
    parks: parks.flatMap(({ shape }) => shape.polygons),
    parcels: parcels.flatMap(({ shape }) => shape.polygons),
    roads: roads.toReversed(),
    credit: sources
      .map(({ source, date }) => (date === null ? source : withReadableDates(`${source}, ${date}`)))
      .join('; '),
  };
}
