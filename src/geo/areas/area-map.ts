import Flatbush from 'flatbush';
import type { Bounds } from '../bounds.ts';
import { wrapLongitude } from '../latitude-bands.ts';
import type { AreaShape } from './area-shape.ts';
import { buildEdgeStrips, isInPart, type EdgeStrips } from './edge-strips.ts';
import { packShapes, unpackShape, type ShapeArrays } from './shape-arrays.ts';

/** The data of a map: flat arrays that can be stored in a blob and used in place. */
export interface AreaArrays extends ShapeArrays, EdgeStrips {
  readonly areaOfPart: Int32Array;
  /** A flatbush index over the bounding boxes of the parts; empty if there are no parts. */
  readonly boxes: Uint8Array;
}

/** Areas, numbered in the given order, and a lookup of those that contain a point. */
export interface AreaMap {
  readonly count: number;
  /** null if there is no area; −180 … 180 if an area touches the antimeridian. */
  readonly bounds: Bounds | null;
  readonly arrays: AreaArrays;
  /**
   * Numbers of the areas that contain the point, ascending. Where areas touch, exactly one contains a border
   * point (see isInPart). Any longitude is accepted; 180° is treated as −180°.
   */
  areasAt(lat: number, lon: number): number[];
  /** Numbers of the areas whose bounding boxes touch the box, ascending. */
  areasNear(bounds: Bounds): number[];
}

/** The last latitude below the pole, 2 nm away: at the pole there is no tiny step to the north. */
const NORTHMOST = 90 - 2 ** -46;

export function buildAreaMap(shapes: readonly AreaShape[]): AreaMap {
  const packed = packShapes(shapes);
  const areaOfPart = Int32Array.from(shapes.flatMap(({ polygons }, area) => polygons.map(() => area)));
  const strips = buildEdgeStrips(packed);
  return openAreaMap({ ...packed, ...strips, areaOfPart, boxes: indexBoxes(packed) });
}

/** A map over the arrays of another map (`map.arrays`), without copying or parsing. */
export function openAreaMap(arrays: AreaArrays): AreaMap {
  const { areaOfPart, boxes } = arrays;
  const index = boxes.length > 0 ? Flatbush.from(boxes.buffer, boxes.byteOffset) : null;
  return {
    count: arrays.firstPart.length - 1,
    bounds: index && { south: index.minY, west: index.minX, north: index.maxY, east: index.maxX },
    arrays,
    areasAt(lat, lon) {
      if (!index || !Number.isFinite(lat) || !Number.isFinite(lon)) return [];
      const y = lat === 90 ? NORTHMOST : lat;
      const x = wrapLongitude(lon);
      const parts = index.search(x, y, x, y, (part) => isInPart(arrays, arrays, part, y, x));
      return areasOf(parts, areaOfPart);
    },
    areasNear({ south, north, west, east }) {
      return index ? areasOf(index.search(west, south, east, north), areaOfPart) : [];
    },
  };
}

function areasOf(parts: readonly number[], areaOfPart: Int32Array): number[] {
  const areas = parts.map((part) => areaOfPart[part]).sort((a, b) => a - b);
  return areas.filter((area, i) => area !== areas[i - 1]);
}

/** The shape of an area, for a later map that keeps it. */
export function shapeOf(map: AreaMap, area: number): AreaShape {
  return unpackShape(map.arrays, area);
}

function indexBoxes({ firstRing, firstPoint, points }: ShapeArrays): Uint8Array {
  const parts = firstRing.length - 1;
  if (parts === 0) return new Uint8Array(0);
  const index = new Flatbush(parts);
  for (let part = 0; part < parts; part++) {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let at = firstPoint[firstRing[part]]; at < firstPoint[firstRing[part + 1]]; at++) {
      west = Math.min(west, points[2 * at]);
      east = Math.max(east, points[2 * at]);
      south = Math.min(south, points[2 * at + 1]);
      north = Math.max(north, points[2 * at + 1]);
    }
    index.add(west, south, east, north);
  }
  index.finish();
  return new Uint8Array(index.data);
}
