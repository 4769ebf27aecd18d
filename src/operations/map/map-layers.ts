import type { MapLayerKind } from '../../domain/map-layer.ts';
import type { Bounds } from '../../geo/bounds.ts';
import { mapFeaturesIn, type MapFeature } from '../../places/map-features.ts';
import type { PlaceDeps } from '../../places/deps.ts';

/** The classes of a layer that appear at the same zoom. */
interface DrawnClasses {
  readonly layer: MapLayerKind | 'parcel-areas';
  /** All if missing. */
  readonly classes?: readonly string[];
  readonly firstZoom: number;
  readonly hasNames?: boolean;
}

/**
 * What tiles show of the imported layers, most important first: a tile that would be too large loses the last ones.
 * At zoom 10 a tile is 24 miles wide in Milwaukee, at 14 it is 1.5.
 */
const DRAWN: readonly DrawnClasses[] = [
  { layer: 'water', classes: ['water'], firstZoom: 4, hasNames: true },
  { layer: 'roads', classes: ['highway'], firstZoom: 6, hasNames: true },
  { layer: 'boundaries', firstZoom: 7, hasNames: true },
  { layer: 'roads', classes: ['major'], firstZoom: 8, hasNames: true },
  { layer: 'water', classes: ['river'], firstZoom: 8, hasNames: true },
  { layer: 'parks', firstZoom: 9, hasNames: true },
  { layer: 'roads', classes: ['collector', 'rail'], firstZoom: 10, hasNames: true },
  { layer: 'roads', classes: ['local'], firstZoom: 12, hasNames: true },
  { layer: 'water', classes: ['stream', 'wetland'], firstZoom: 12, hasNames: true },
  { layer: 'roads', classes: ['service', 'path'], firstZoom: 14 },
  { layer: 'buildings', firstZoom: 14 },
  { layer: 'parcel-areas', firstZoom: 15 },
];

/**
 * Points before they are simplified. A tile of zoom 12 with every street of central Milwaukee has about 40,000; drawing
 * this many takes about a fifth of a second and gives at most about 1 MB.
 */
const MAX_POINTS = 200_000;
/** Areas smaller than this share of a tile's side are left out: two pixels. */
const LEAST_SHARE = 1 / 256;

/** The name of a layer in tiles. */
function tileLayerOf(layer: MapLayerKind | 'parcel-areas'): string {
  return layer === 'parcel-areas' ? 'parcels' : layer;
}

export interface DrawnFeature extends MapFeature {
  readonly layer: string;
}

/** The features of the imported layers that a tile of this zoom shows. */
export async function drawnFeaturesIn(
  deps: PlaceDeps,
  bounds: Bounds,
  zoom: number,
): Promise<DrawnFeature[]> {
  const leastDegrees = (360 / 2 ** zoom) * LEAST_SHARE;
  const features: DrawnFeature[] = [];
  let points = 0;
  for (const { layer, classes, firstZoom, hasNames = false } of DRAWN) {
    if (zoom < firstZoom) continue;
    const choice = { leastDegrees, ...(classes && { classes: new Set(classes) }) };
    for (const feature of await mapFeaturesIn(deps, layer, bounds, choice)) {
      points += feature.pointCount;
      if (points > MAX_POINTS) return features;
      features.push({ ...feature, name: hasNames ? feature.name : null, layer: tileLayerOf(layer) });
    }
  }
  return features;
}
