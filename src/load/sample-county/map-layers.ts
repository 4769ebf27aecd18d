import { clamp, normal, streamOf } from './random-draws.ts';
import type { SampleCounty } from './generate-sample-county.ts';
import { lotOutline, parkOutlines, streetsOf, type Lot } from './lots.ts';
import { PLACE, RAIL } from './plan.ts';
import {
  bend,
  COUNTY_FEET,
  isInWater,
  lakeRing,
  lineOf,
  ringOf,
  riverRing,
  riverX,
  townOutline,
  type PlanePoint,
  type Ring,
} from './terrain.ts';

/** A feature of a map layer, with the tags of OpenStreetMap. */
interface SampleFeature {
  readonly properties: Readonly<Record<string, string>>;
  readonly geometry:
    | { readonly type: 'LineString'; readonly coordinates: Ring }
    | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] };
}

function area(properties: SampleFeature['properties'], ring: Ring): SampleFeature {
  return { properties, geometry: { type: 'Polygon', coordinates: [ring] } };
}

function line(properties: SampleFeature['properties'], points: readonly PlanePoint[]): SampleFeature {
  return { properties, geometry: { type: 'LineString', coordinates: lineOf(points) } };
}

/** A curve of points over a range, a point every 120 feet. */
function curve(from: number, to: number, at: (position: number) => PlanePoint): PlanePoint[] {
  const steps = Math.ceil(Math.abs(to - from) / 120);
  return Array.from({ length: steps + 1 }, (_, i) => at(from + ((to - from) * i) / steps));
}

/** The parts of a line that are on land, also those across the river if it has a bridge. */
function onLand(points: readonly PlanePoint[]): PlanePoint[][] {
  const parts: PlanePoint[][] = [[]];
  for (const point of points) {
    if (isInWater(point)) parts.push([]);
    else parts[parts.length - 1].push(point);
  }
  return parts.filter((part) => part.length > 1);
}

/** The expressway south of town: two carriageways, 90 feet apart. */
function expressway(side: number): PlanePoint[] {
  return curve(COUNTY_FEET.west, COUNTY_FEET.east, (x) => ({
    x,
    y: -6150 + 320 * Math.sin(x / 2500) + 45 * side,
  }));
}

/** Streets of the grid, roads through the county, an expressway and the railroad. */
export function roadFeatures({ seed }: SampleCounty): SampleFeature[] {
  const { west, east, south, north } = COUNTY_FEET;
  const main = curve(west, east, (u) => bend(u, 0));
  const division = onLand(curve(south, north, (v) => bend(0, v)));
  const countyRoads: readonly (readonly [string, readonly PlanePoint[]])[] = [
    ['County Rd A', curve(south, north, (y) => ({ x: -6900 + 120 * Math.sin(y / 2100), y }))],
    ['County Rd B', curve(south, north, (y) => ({ x: 6700 + 150 * Math.sin(y / 1800), y }))],
    ['County Rd C', curve(west, east, (x) => ({ x, y: -7350 + 90 * Math.sin(x / 1900) }))],
    ['County Rd D', curve(west, 0, (x) => ({ x, y: 5350 + 140 * Math.sin(x / 1700) }))],
  ];
  return [
    ...[-1, 1].map((side) => line({ highway: 'motorway', name: 'Plumb Expressway' }, expressway(side))),
    line(
      { highway: 'primary', name: 'W Main St' },
      main.filter(({ x }) => x <= 0),
    ),
    line(
      { highway: 'primary', name: 'E Main St' },
      main.filter(({ x }) => x >= -120),
    ),
    ...division.map((part) => line({ highway: 'primary', name: 'Division Ave' }, part)),
    ...countyRoads.flatMap(([name, points]) =>
      onLand(points).map((part) => line({ highway: 'tertiary', name }, part)),
    ),
    ...streetsOf(seed).map(({ name, isLarge, points }) =>
      line({ highway: isLarge ? 'secondary' : 'residential', name }, points),
    ),
    line({ railway: 'rail', name: 'Plumb Valley Railroad' }, [
      { x: RAIL.fromX, y: RAIL.fromY },
      { x: RAIL.toX, y: RAIL.toY },
    ]),
  ];
}

function ellipse(x: number, y: number, radiusX: number, radiusY: number): Ring {
  return ringOf(
    Array.from({ length: 60 }, (_, i) => {
      const angle = (i / 60) * 2 * Math.PI;
      const uneven = 1 + 0.12 * Math.sin(3 * angle + x) + 0.06 * Math.sin(5 * angle);
      return { x: x + radiusX * uneven * Math.cos(angle), y: y + radiusY * uneven * Math.sin(angle) };
    }),
  );
}

/** The lake, the river, and a creek that flows into it outside of town. */
export function waterFeatures(): SampleFeature[] {
  const creek = curve(COUNTY_FEET.west, riverX(-7000), (x) => ({ x, y: -6950 + 160 * Math.sin(x / 520) }));
  return [
    area({ natural: 'water', name: 'Plumb Lake' }, lakeRing(0)),
    area({ natural: 'water', name: 'Falls River' }, riverRing(0)),
    line({ waterway: 'stream', name: 'Fox Creek' }, creek),
    area({ natural: 'wetland' }, ellipse(riverX(-6900) + 520, -6900, 380, 230)),
  ];
}

const PARK_NAMES = ['Mill Park', 'Orchard Square', 'Westfield Commons', 'Meadow Park', 'Cedar Park'];

/** Parks on their blocks, green banks, and woods, a golf course and a cemetery outside of town. */
export function parkFeatures({ seed }: SampleCounty): SampleFeature[] {
  return [
    // No home is closer than 45 feet to the water (isBuildable).
    area({ leisure: 'park' }, riverRing(40)),
    area({ leisure: 'park', name: 'Lakeshore Park' }, lakeRing(40)),
    ...parkOutlines(seed).map((ring, i) => area({ leisure: 'park', name: PARK_NAMES[i] }, ring)),
    area({ natural: 'wood', name: 'Signal Woods' }, ellipse(-7000, -3600, 900, 1300)),
    area({ natural: 'wood' }, ellipse(7300, 2300, 700, 1100)),
    area({ leisure: 'golf_course', name: 'Plumb Hills Golf Club' }, ellipse(6900, -3300, 800, 950)),
    area({ landuse: 'cemetery', name: 'Hillside Cemetery' }, ellipse(-6000, 3700, 330, 300)),
  ];
}

export function boundaryFeatures(): SampleFeature[] {
  const properties = { boundary: 'administrative', name: PLACE.city };
  return [area(properties, townOutline(1.07))];
}

/** The lot of each parcel. Condominiums share theirs. */
export function parcelFeatures({ parcels }: SampleCounty): SampleFeature[] {
  return parcels.map(({ parcelId, lot }) => area({ PARCEL_ID: parcelId }, lotOutline(lot)));
}

/** Share of a lot's width and depth that its building covers. */
const COVERED = {
  houses: [0.62, 0.34],
  townhomes: [1, 0.4],
  condos: [0.7, 0.5],
  apartments: [0.75, 0.5],
} as const;
const MOBILE = [0.5, 0.42] as const;

/** A rectangle on every lot with a home. */
export function buildingFeatures({ seed, parcels }: SampleCounty): SampleFeature[] {
  const lots = new Set<Lot>(parcels.map(({ lot }) => lot));
  const random = streamOf(seed, 'buildings');
  return [...lots].map((lot) => {
    const { use } = lot.block;
    const [width, depth] = use === 'mobile' || use === 'park' || use === 'commercial' ? MOBILE : COVERED[use];
    const larger = clamp(1 + 0.12 * normal(random), 0.75, 1.25);
    const share = { width: Math.min(1, width * larger), depth: Math.min(0.8, depth * larger) };
    return area({ building: 'yes' }, lotOutline(lot, share));
  });
}
