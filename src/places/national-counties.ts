import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { countyFullName } from '../domain/census/area-name.ts';
import type { JsonValue } from '../domain/json.ts';
import { buildAreaMap } from '../geo/areas/area-map.ts';
import { repairShape, type AreaShape } from '../geo/areas/area-shape.ts';
import { milesPerDegree } from '../geo/distance.ts';
import { areasOfTopology } from '../geo/topology.ts';

/** The counties of all states and territories, from the `us-atlas` package, available without any import. */
export type NationalCounties = ReturnType<typeof openNationalCounties>;

type Atlas = ReturnType<typeof readAtlas>;

/**
 * The atlas is drawn at 1:10 million, on a grid of 280 by 95 m, so it omits piers and capes: 121 of 21,613
 * homes in King County and 640 of 330,397 addresses in Milwaukee are outside all counties, the farthest by
 * half a mile.
 */
const PROBES_MI = [0.125, 0.25, 0.5, 1, 2] as const;
const DIRECTIONS = 16;
/** More points than any county of the atlas has (10,000). */
const MAX_POINTS = 1_000_000;

/** The file never changes, so a process reads it once, however many services it opens. */
let opened: Atlas | null = null;

/** Reads the atlas at the first lookup (0.1 to 0.2 s, then 2 µs per lookup; 2 MB stay in memory). */
export function openNationalCounties() {
  const atlas = (): Atlas => (opened ??= readAtlas());
  return {
    /** GEOID of the county at a point; null outside the United States. */
    at: (lat: number, lon: number): string | null =>
      countyAt(atlas(), lat, lon) ?? nearbyCounty(atlas(), lat, lon),
    /** "53033" → "King County"; null for a county that the atlas (of 2017) does not have. */
    nameOf: (geoid: string): string | null => atlas().names.get(geoid) ?? null,
    /** All counties, as areas with their GEOIDs. */
    all: atlas,
    /** Reads the atlas now, so that no request waits for it. */
    preload: (): void => void atlas(),
  };
}

function readAtlas() {
  const path = fileURLToPath(import.meta.resolve('us-atlas/counties-10m.json'));
  const topology: JsonValue = JSON.parse(readFileSync(path, 'utf8'));
  const shapes: AreaShape[] = [];
  const geoids: string[] = [];
  const names = new Map<string, string>();
  for (const { object, id, properties, polygons } of areasOfTopology(topology, MAX_POINTS)) {
    if (object !== 'counties') continue;
    const geoid = String(id);
    names.set(geoid, countyFullName(geoid, String(properties.name)));
    const shape = typeof polygons === 'string' ? { fault: polygons } : repairShape(polygons);
    // Falls Church, two miles wide, has no area left on the atlas's grid; its name is still listed.
    if ('fault' in shape) continue;
    shapes.push(shape);
    geoids.push(geoid);
  }
  return { map: buildAreaMap(shapes), geoids, names };
}

/** If counties overlap slightly, the lowest GEOID, so that the result is always the same. */
function countyAt({ map, geoids }: Atlas, lat: number, lon: number): string | null {
  const found = map.areasAt(lat, lon).map((area) => geoids[area]);
  return found.length === 0 ? null : found.reduce((low, geoid) => (geoid < low ? geoid : low));
}

/** A home on the shore may lie outside the atlas: its county has the most points on the first circle with any. */
function nearbyCounty(atlas: Atlas, lat: number, lon: number): string | null {
  const perDegree = milesPerDegree(lat);
  for (const radiusMi of PROBES_MI) {
    const counts = new Map<string, number>();
    for (let i = 0; i < DIRECTIONS; i++) {
      const angle = (2 * Math.PI * i) / DIRECTIONS;
      const geoid = countyAt(
        atlas,
        lat + (radiusMi * Math.sin(angle)) / perDegree.lat,
        lon + (radiusMi * Math.cos(angle)) / Math.max(1, perDegree.lon),
      );
      if (geoid !== null) counts.set(geoid, (counts.get(geoid) ?? 0) + 1);
    }
    const [most] = [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
    if (most) return most[0];
  }
  return null;
}
