import type { MarketExtent } from '../../api/settings.ts';

/** A place as every answer names it. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** What a marker stands for. */
export type MarkerKind = 'subject' | 'comparable' | 'incident';

/** Something at a point. `comparable`s are buttons; `incident`s may be hundreds and are dots that a table lists. */
export interface MapMarker extends Point {
  readonly id: string;
  readonly kind: MarkerKind;
  /** One or two characters in it: the number of its row. */
  readonly label?: string;
  /** What it is, as read out and shown when pointed at. */
  readonly title: string;
}

/** Something that covers ground: a census area, a flood zone, a cell of an error map. */
export interface MapArea {
  readonly id: string;
  readonly title: string;
  /** GeoJSON: Polygon or MultiPolygon. */
  readonly geometry: AreaGeometry;
  /** −1 … 1 of a scale that diverges, 0 … 1 of one that grows; null or left out = an outline alone. */
  readonly value?: number | null;
}

export type AreaGeometry =
  | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly (readonly number[])[])[] }
  | {
      readonly type: 'MultiPolygon';
      readonly coordinates: readonly (readonly (readonly (readonly number[])[])[])[];
    };

/** A circle of so many miles, as around a place that is searched. */
export interface MapCircle extends Point {
  readonly radiusMi: number;
}

/** Everything drawn over the map. */
export interface MapContent {
  readonly markers: readonly MapMarker[];
  readonly areas: readonly MapArea[];
  readonly circle: MapCircle | null;
  /** Of the marker that is looked at. */
  readonly selectedId: string | null;
}

/** West, south, east, north. */
export type Box = readonly [number, number, number, number];

/** The contiguous United States: where a map begins when nothing is loaded. */
const COUNTRY: Box = [-124.8, 24.4, -66.9, 49.4];

/** Where a map begins that shows nothing yet: in the first market, since a box around them all may be half a continent. */
export function homeOf(markets: readonly MarketExtent[]): Box {
  const first = markets.at(0);
  return first ? boxOfExtent(first) : COUNTRY;
}

export function boxOfExtent({ extent: { west, south, east, north } }: MarketExtent): Box {
  return [west, south, east, north];
}

const MILES_PER_DEGREE = 69.09;

/** The ring of a circle on the ground, closed; 64 corners are round to the eye. */
export function ringOf({ latitude, longitude, radiusMi }: MapCircle): [number, number][] {
  const north = radiusMi / MILES_PER_DEGREE;
  const east = north / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  return Array.from({ length: 65 }, (_, i) => {
    const angle = (2 * Math.PI * (i % 64)) / 64;
    return [longitude + east * Math.cos(angle), latitude + north * Math.sin(angle)];
  });
}

/** The box around everything drawn; null of nothing. */
export function boxOf({ markers, areas, circle }: Omit<MapContent, 'selectedId'>): Box | null {
  const points = [
    ...markers.map(({ longitude, latitude }): readonly number[] => [longitude, latitude]),
    ...areas.flatMap(({ geometry }) =>
      geometry.type === 'Polygon' ? geometry.coordinates.flat() : geometry.coordinates.flat(2),
    ),
    ...(circle ? ringOf(circle) : []),
  ];
  if (points.length === 0) return null;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lon = 0, lat = 0] of points) {
    [west, east] = [Math.min(west, lon), Math.max(east, lon)];
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
  }
  return [west, south, east, north];
}

/** Coordinates as they are shown and sent: five decimals are a metre. */
export function rounded(point: Point): Point {
  const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
  return { latitude: round(point.latitude), longitude: round(point.longitude) };
}
