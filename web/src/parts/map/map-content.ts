import type { MarketExtent } from '../../api/account.ts';

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** A point with a title. Comparables are buttons. Incidents can be hundreds: they are dots that a table lists. */
export interface MapMarker extends Point {
  readonly id: string;
  readonly kind: 'subject' | 'comparable' | 'incident';
  /** A short text inside it: a price. */
  readonly label?: string;
  /** Of an incident: `var(--step-1)`. */
  readonly color?: string;
  /** Shown on hover and announced by screen readers. */
  readonly title: string;
}

interface MapCircle extends Point {
  readonly radiusMi: number;
}

/** A colored area, which can be selected. */
export interface MapArea {
  readonly id: string;
  /** `var(--low-1)` */
  readonly color: string;
  readonly opacity: number;
  readonly outline: readonly (readonly (readonly [number, number][])[])[];
}

/** A text on the map. Of texts that would overlap, the later ones are shown only closer. */
interface MapLabel extends Point {
  readonly text: string;
  /** Beside the point, where a dot is. */
  readonly isBeside: boolean;
}

/** Everything that a page draws on the map. */
export interface MapContent {
  readonly labels: readonly MapLabel[];
  readonly markers: readonly MapMarker[];
  readonly circle: MapCircle | null;
  readonly areas: readonly MapArea[];
  /** The id of the selected marker or area. */
  readonly selectedId: string | null;
}

/** West, south, east, north. */
export type Box = readonly [number, number, number, number];

/** The contiguous United States, shown when nothing is loaded. */
const COUNTRY: Box = [-124.8, 24.4, -66.9, 49.4];

/** What a map without content shows: the first market, because a box around all may be half a continent. */
export function homeOf(markets: readonly MarketExtent[]): Box {
  const first = markets.at(0);
  return first ? boxOfExtent(first) : COUNTRY;
}

export function boxOfExtent({ extent: { west, south, east, north } }: MarketExtent): Box {
  return [west, south, east, north];
}

const MILES_PER_DEGREE = 69.09;

/** The closed ring of a circle on the ground; 64 corners look round. */
export function ringOf({ latitude, longitude, radiusMi }: MapCircle): [number, number][] {
  const north = radiusMi / MILES_PER_DEGREE;
  const east = north / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  return Array.from({ length: 65 }, (_, i) => {
    const angle = (2 * Math.PI * (i % 64)) / 64;
    return [longitude + east * Math.cos(angle), latitude + north * Math.sin(angle)];
  });
}

/** The box around all content; null if there is none. Areas around markers do not move the map. */
export function boxOf({
  markers,
  circle,
  areas = [],
}: Pick<MapContent, 'markers' | 'circle'> & Partial<Pick<MapContent, 'areas'>>): Box | null {
  const points = [
    ...markers.map(({ longitude, latitude }): [number, number] => [longitude, latitude]),
    ...(circle ? ringOf(circle) : []),
    ...(markers.length > 0 ? [] : areas).flatMap(({ outline }) => outline.flatMap(([ring]) => ring ?? [])),
  ];
  if (points.length === 0) return null;
  // Not `Math.min(...)`: the outlines of a market can have more points than a call can have arguments.
  return points.reduce<Box>(
    ([west, south, east, north], [lon, lat]) => [
      Math.min(west, lon),
      Math.min(south, lat),
      Math.max(east, lon),
      Math.max(north, lat),
    ],
    [Infinity, Infinity, -Infinity, -Infinity],
  );
}

/** Coordinates as they are shown and sent: five decimals are about a meter. */
export function rounded(point: Point): Point {
  const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
  return { latitude: round(point.latitude), longitude: round(point.longitude) };
}
