import { formatMany } from '../domain/display-format.ts';
import { COLORS, FULL_WIDTH, type FigureBlock, type Point, type Shape } from './document.ts';
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
  /** Homes that were sold, which show where streets are. */
  readonly homes: readonly LatLon[];
}

const HEIGHT = 230;
const PADDING = 26;
/** At least this far from the subject to the edge, in miles, so that a single block is not a map. */
const LEAST_MI = 0.15;
const MILES_PER_DEGREE = 69.05;

interface Frame {
  readonly subject: LatLon;
  readonly milesPerPoint: number;
  readonly project: (at: LatLon) => Point;
}

/** The box of the map in degrees: subject and comparables, and some room around them. */
export function mapBounds(content: Pick<MapContent, 'subject' | 'comparables'>) {
  const { subject, milesPerPoint } = frameOf(content);
  const latSpan = ((HEIGHT / 2) * milesPerPoint) / MILES_PER_DEGREE;
  const lonSpan = ((FULL_WIDTH / 2) * milesPerPoint) / (MILES_PER_DEGREE * cosOf(subject));
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

function frameOf(content: Pick<MapContent, 'subject' | 'comparables'>): Frame {
  const { subject, comparables } = content;
  const middle = middleOf(content);
  const perLon = MILES_PER_DEGREE * cosOf(subject);
  const all = [subject, ...comparables];
  const spanX = Math.max(LEAST_MI, ...all.map(({ lon }) => Math.abs(lon - middle.lon) * perLon));
  const spanY = Math.max(LEAST_MI, ...all.map(({ lat }) => Math.abs(lat - middle.lat) * MILES_PER_DEGREE));
  const milesPerPoint = Math.max(spanX / (FULL_WIDTH / 2 - PADDING), spanY / (HEIGHT / 2 - PADDING));
  const project = ({ lat, lon }: LatLon): Point => [
    FULL_WIDTH / 2 + ((lon - middle.lon) * perLon) / milesPerPoint,
    HEIGHT / 2 - ((lat - middle.lat) * MILES_PER_DEGREE) / milesPerPoint,
  ];
  return { subject, milesPerPoint, project };
}

/** A map of the subject and its numbered comparables over loaded data, with a scale and north. */
export function mapFigure(content: MapContent): FigureBlock {
  const { subject, comparables, outlines, homes } = content;
  const { milesPerPoint, project } = frameOf(content);
  const ringsOf = (rings: readonly Float64Array[]): Point[][] =>
    rings.map((ring) =>
      Array.from({ length: ring.length / 2 }, (_, i) => project({ lon: ring[2 * i], lat: ring[2 * i + 1] })),
    );
  const count = comparables.length;
  const background = [
    homes.length > 0 && 'gray dots: homes that were sold',
    outlines.length > 0 && 'lines: census tracts',
  ].filter(Boolean);
  const numbered =
    count === 0 ? 'no comparables' : `${formatMany(count, 'comparable')}, numbered as in the tables`;
  return {
    kind: 'figure',
    width: FULL_WIDTH,
    height: HEIGHT,
    alt: `Map of the subject and ${numbered}.`,
    shapes: [
      rectangle([0, 0], FULL_WIDTH, HEIGHT, { fill: COLORS.ground }),
      { kind: 'circles', at: homes.map(project), radius: 1.1, fill: COLORS.line },
      ...outlines.map((rings) => polygon(ringsOf(rings), { stroke: '#a39d92', strokeWidth: 0.8 })),
      // The most similar comparable is drawn last, above others at the same place.
      ...comparables.flatMap((at, index) => comparableShapes(project(at), index + 1)).toReversed(),
      ...subjectShapes(project(subject)),
      ...scaleShapes(milesPerPoint),
      ...northShapes(),
      rectangle([0.5, 0.5], FULL_WIDTH - 1, HEIGHT - 1, { stroke: COLORS.line }),
    ],
    caption: `Red: the subject. Numbers: comparables.${background.length > 0 ? ` ${sentence(background.join('; '))}.` : ''}`,
  };
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Drawn in reverse, so the number comes before its disc. */
function comparableShapes([x, y]: Point, number: number): Shape[] {
  return [
    text([x, y + 2.8], String(number), { size: 8, color: COLORS.white, anchor: 'middle', isBold: true }),
    { kind: 'circles', at: [[x, y]], radius: 7, fill: COLORS.accent, stroke: COLORS.white },
  ];
}

function subjectShapes([x, y]: Point): Shape[] {
  return [
    { kind: 'circles', at: [[x, y]], radius: 8, fill: COLORS.subject, stroke: COLORS.white },
    { kind: 'circles', at: [[x, y]], radius: 3, fill: COLORS.white },
  ];
}

/** A bar of at most a quarter of the width. */
function scaleShapes(milesPerPoint: number): Shape[] {
  const most = (FULL_WIDTH / 4) * milesPerPoint;
  const step = niceStep(most, 1);
  const miles = step > most ? step / (String(step).includes('5') ? 2.5 : 2) : step;
  const length = miles / milesPerPoint;
  const [x, y] = [12, HEIGHT - 12];
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
