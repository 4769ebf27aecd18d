import { formatMany } from '../domain/display-format.ts';
import { COLORS, FULL_WIDTH, type FigureBlock, type Point, type Shape } from './document.ts';
import { placeDiscs, type Box } from './place-discs.ts';
import { line, niceStep, polygon, rectangle, text } from './shapes.ts';

interface LatLon {
  readonly lat: number;
  readonly lon: number;
}

export interface MapContent {
  readonly subject: LatLon;
  /** In the order of their numbers. */
  readonly comparables: readonly LatLon[];
  /** Outlines of areas: rings of longitude and latitude, interleaved. */
  readonly outlines: readonly (readonly Float64Array[])[];
  /** Homes that were sold, which show where streets are if no roads are imported. */
  readonly homes: readonly LatLon[];
  readonly background: MapBackground;
}

/** Imported layers: rings and paths of longitude and latitude, interleaved. */
export interface MapBackground {
  readonly water: readonly (readonly Float64Array[])[];
  readonly waterLines: readonly Float64Array[];
  readonly parks: readonly (readonly Float64Array[])[];
  readonly parcels: readonly (readonly Float64Array[])[];
  /** Least important first, so that larger roads are above. */
  readonly roads: readonly { readonly path: Float64Array; readonly width: number }[];
  /** Who made the layers; empty if there are none. */
  readonly credit: string;
}

export const NO_BACKGROUND: MapBackground = {
  water: [],
  waterLines: [],
  parks: [],
  parcels: [],
  roads: [],
  credit: '',
};

/** As on the console's maps, paler for print. */
const BACKGROUND = {
  water: '#c5dfec',
  park: '#dcebd0',
  parcel: '#e0dbd0',
  road: '#ffffff',
  roadEdge: '#cfc8ba',
} as const;

const HEIGHT = 230;
/** As low as it may be drawn to fit on a page that would else end a quarter blank. Its numbers keep their size. */
const LEAST_HEIGHT = 106;
/** Around the numbers; less in a low map. */
const paddingOf = (height: number): number => Math.min(26, height / 6);
/** At least this far from the subject to the edge, in miles, so that a single block is not a map. */
const LEAST_MI = 0.15;
const MILES_PER_DEGREE = 69.05;

interface Frame {
  readonly milesPerPoint: number;
  readonly project: (at: LatLon) => Point;
}

/** The box of the map in degrees, however high it is drawn: subject and comparables, and some room around them. */
export function mapBounds(content: Pick<MapContent, 'subject' | 'comparables'>) {
  const [high, low] = [HEIGHT, LEAST_HEIGHT].map((height) => frameOf(content, height).milesPerPoint);
  const latSpan = Math.max((HEIGHT / 2) * high, (LEAST_HEIGHT / 2) * low) / MILES_PER_DEGREE;
  const lonSpan = ((FULL_WIDTH / 2) * low) / (MILES_PER_DEGREE * cosOf(content.subject));
  const { lat, lon } = middleOf(content);
  return { south: lat - latSpan, north: lat + latSpan, west: lon - lonSpan, east: lon + lonSpan };
}

function cosOf({ lat }: LatLon): number {
  return Math.max(0.01, Math.cos((lat * Math.PI) / 180));
}

function middleOf({ subject, comparables }: Pick<MapContent, 'subject' | 'comparables'>): LatLon {
  const all = [subject, ...comparables];
  const mid = (values: readonly number[]): number => (Math.min(...values) + Math.max(...values)) / 2;
  return { lat: mid(all.map(({ lat }) => lat)), lon: mid(all.map(({ lon }) => lon)) };
}

function frameOf(content: Pick<MapContent, 'subject' | 'comparables'>, height: number): Frame {
  const { subject, comparables } = content;
  const middle = middleOf(content);
  const perLon = MILES_PER_DEGREE * cosOf(subject);
  const all = [subject, ...comparables];
  const spanX = Math.max(LEAST_MI, ...all.map(({ lon }) => Math.abs(lon - middle.lon) * perLon));
  const spanY = Math.max(LEAST_MI, ...all.map(({ lat }) => Math.abs(lat - middle.lat) * MILES_PER_DEGREE));
  const padding = paddingOf(height);
  const milesPerPoint = Math.max(spanX / (FULL_WIDTH / 2 - padding), spanY / (height / 2 - padding));
  const project = ({ lat, lon }: LatLon): Point => [
    FULL_WIDTH / 2 + ((lon - middle.lon) * perLon) / milesPerPoint,
    height / 2 - ((lat - middle.lat) * MILES_PER_DEGREE) / milesPerPoint,
  ];
  return { milesPerPoint, project };
}

/** A map of the subject and its numbered comparables over loaded data, with a scale and north. */
export function mapFigure(content: MapContent): FigureBlock {
  return {
    ...figureOf(content, HEIGHT),
    lower: { least: LEAST_HEIGHT, at: (height) => figureOf(content, height) },
  };
}

function figureOf(content: MapContent, height: number): FigureBlock {
  const { subject, comparables, outlines, background: under } = content;
  const homes = under.roads.length > 0 ? [] : content.homes;
  const { milesPerPoint, project } = frameOf(content, height);
  const pointsOf = (path: Float64Array): Point[] =>
    Array.from({ length: path.length / 2 }, (_, i) => project({ lon: path[2 * i], lat: path[2 * i + 1] }));
  const ringsOf = (rings: readonly Float64Array[]): Point[][] => rings.map(pointsOf);
  const drawn = drawComparables(comparables.map(project), project(subject), height);
  const count = comparables.length;
  const background = [
    homes.length > 0 && 'gray dots: homes that were sold',
    outlines.length > 0 && (under.roads.length > 0 ? 'gray lines: census tracts' : 'lines: census tracts'),
  ].filter(Boolean);
  const numbered =
    count === 0 ? 'no comparables' : `${formatMany(count, 'comparable')}, numbered as in the tables`;
  return {
    kind: 'figure',
    width: FULL_WIDTH,
    height,
    alt: `Map of the subject and ${numbered}.`,
    shapes: [
      rectangle([0, 0], FULL_WIDTH, height, { fill: COLORS.ground }),
      ...backgroundShapes(under, pointsOf),
      { kind: 'circles', at: homes.map(project), radius: 1.1, fill: COLORS.line },
      ...outlines.map((rings) => polygon(ringsOf(rings), { stroke: '#a39d92', strokeWidth: 0.8 })),
      ...drawn.shapes,
      ...subjectShapes(project(subject)),
      ...scaleShapes(milesPerPoint, height),
      ...northShapes(),
      rectangle([0.5, 0.5], FULL_WIDTH - 1, height - 1, { stroke: COLORS.line }),
    ],
    caption: [
      `Red: the subject. Numbers: comparables${drawn.hasMoved ? '; a line leads from a number to its home' : ''}.`,
      ...(background.length > 0 ? [`${sentence(background.join('; '))}.`] : []),
      ...(under.credit === '' ? [] : [`Map layers as loaded when this report was opened: ${under.credit}.`]),
    ].join(' '),
  };
}

/** Parks, water and parcels, then the edges of all roads, then all roads, so that crossings are open. */
function backgroundShapes(
  { water, waterLines, parks, parcels, roads }: MapBackground,
  pointsOf: (path: Float64Array) => Point[],
): Shape[] {
  const { water: waterColor, park, parcel, road, roadEdge } = BACKGROUND;
  const fill = (areas: readonly (readonly Float64Array[])[], color: string): Shape[] =>
    areas.map((rings) => polygon(rings.map(pointsOf), { fill: color }));
  return [
    ...fill(parks, park),
    ...fill(water, waterColor),
    ...waterLines.map((path) => line(pointsOf(path), { stroke: waterColor, strokeWidth: 1.2 })),
    ...parcels.map((rings) => polygon(rings.map(pointsOf), { stroke: parcel, strokeWidth: 0.4 })),
    ...roads.map(({ path, width }) => line(pointsOf(path), { stroke: roadEdge, strokeWidth: width + 1 })),
    ...roads.map(({ path, width }) => line(pointsOf(path), { stroke: road, strokeWidth: width })),
  ];
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const DISC_RADIUS = 7;
/** What is drawn nearer to its place is not marked as moved. */
const MOVED = 1;

/** Numbers in discs. Where homes are close together, a line leads from a disc to its home. */
function drawComparables(own: readonly Point[], subject: Point, height: number) {
  const room = { width: FULL_WIDTH, height, taken: takenBoxes(height) };
  const placed = placeDiscs(own, DISC_RADIUS, [subject], room);
  const moved = own.flatMap((from, i) => {
    const to = placed[i];
    return Math.hypot(to[0] - from[0], to[1] - from[1]) < MOVED ? [] : [{ from, to }];
  });
  const shapes: Shape[] = [
    ...moved.map(({ from, to }) => line([from, to], { stroke: COLORS.accent, strokeWidth: 0.8 })),
    { kind: 'circles', at: moved.map(({ from }) => from), radius: 1.8, fill: COLORS.accent },
    { kind: 'circles', at: placed, radius: DISC_RADIUS, fill: COLORS.accent, stroke: COLORS.white },
    ...placed.map(([x, y], i) =>
      text([x, y + 2.8], String(i + 1), { size: 8, color: COLORS.white, anchor: 'middle', isBold: true }),
    ),
  ];
  return { shapes, hasMoved: moved.length > 0 };
}

/** Around the scale and the arrow to north. */
function takenBoxes(height: number): Box[] {
  return [
    [0, height - 34, 12 + FULL_WIDTH / 4 + 6, height],
    [FULL_WIDTH - 27, 0, FULL_WIDTH, 36],
  ];
}

function subjectShapes([x, y]: Point): Shape[] {
  return [
    { kind: 'circles', at: [[x, y]], radius: 8, fill: COLORS.subject, stroke: COLORS.white },
    { kind: 'circles', at: [[x, y]], radius: 3, fill: COLORS.white },
  ];
}

/** A bar of at most a quarter of the width. */
function scaleShapes(milesPerPoint: number, height: number): Shape[] {
  const most = (FULL_WIDTH / 4) * milesPerPoint;
  const step = niceStep(most, 1);
  const miles = step > most ? step / (String(step).includes('5') ? 2.5 : 2) : step;
  const length = miles / milesPerPoint;
  const [x, y] = [12, height - 12];
  const words = `${Number(miles.toPrecision(3))} mi`;
  return [
    rectangle([x - 6, y - 16], length + 12, 22, { fill: COLORS.white }),
    line(
      [
        [x, y - 4],
        [x, y],
        [x + length, y],
        [x + length, y - 4],
      ],
      { stroke: COLORS.ink },
    ),
    text([x + length / 2, y - 5], words, { size: 7.5, color: COLORS.ink, anchor: 'middle' }),
  ];
}

function northShapes(): Shape[] {
  const [x, y] = [FULL_WIDTH - 18, 12];
  return [
    rectangle([x - 9, y - 6], 18, 30, { fill: COLORS.white }),
    polygon(
      [
        [
          [x, y - 2],
          [x - 5, y + 9],
          [x, y + 6],
          [x + 5, y + 9],
        ],
      ],
      { fill: COLORS.ink },
    ),
    text([x, y + 20], 'N', { size: 8, color: COLORS.ink, anchor: 'middle', isBold: true }),
  ];
}
