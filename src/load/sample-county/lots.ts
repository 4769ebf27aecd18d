import { NEIGHBORHOODS, PARKS, type BlockUse } from './plan.ts';
import { chance, clamp, normal, streamOf } from './random-draws.ts';
import {
  bend,
  distanceFt,
  isBuildable,
  isInTown,
  lakeDistanceFt,
  neighborhoodAt,
  ringOf,
  riverDistanceFt,
  type PlanePoint,
  type Ring,
} from './terrain.ts';

/** A cell of the street grid, and half of it: a block between two parallel streets. */
const CELL_FT = 660;
const BLOCK_FT = 330;
/** From the center line of a street to its lots. */
const STREET_HALF_FT = 30;
/** Columns and rows of the grid are counted from Main Street and Division Avenue: −8 to 8. */
const GRID_REACH = 8;

const words = (text: string): string[] => text.split(' ');

/** East–west streets of the town's grid, by distance from Main Street. */
const NORTH_STREETS = words(
  'Main Willow Elm Chapel Walnut Mill Chestnut Locust Sycamore Linden Birch Poplar Catalpa Mulberry Ash Hazel Beech',
);
const SOUTH_STREETS = words(
  'Main Depot Foundry Water Canal Spring Union Liberty Garfield Academy Vine Grove Quarry Bridge Franklin Commerce Prospect',
);
/** North–south streets west of Division Avenue. Those east of it are numbered. */
const WEST_AVENUES = words(
  'Division Cooper Mason Miller Sawyer Fletcher Turner Weaver Potter Tanner Chandler Thatcher Wright Carver Fuller Draper Tiller',
);

/** The direction in which the streets of a block run: east–west or north–south. */
type Heading = 'ew' | 'ns';

/** Half a cell of the street grid: 660 ft along its two streets, 330 ft between them. */
interface Block {
  readonly id: number;
  readonly hood: number;
  readonly heading: Heading;
  /** The hundred block along its streets: …, −2, −1, 0, 1, … */
  readonly column: number;
  /** The number of its lower street. The upper street is `line + 1`. */
  readonly line: number;
  readonly use: BlockUse;
}

/** A piece of frontage with a building on it. */
export interface Lot {
  readonly block: Block;
  readonly point: PlanePoint;
  /** Its center within the block: along the streets, and from the lower one. */
  readonly alongFt: number;
  readonly acrossFt: number;
  readonly widthFt: number;
  readonly depthFt: number;
  readonly houseNumber: number;
  /** With its direction and type: "N 3rd Ave". */
  readonly streetName: string;
}

type BareBlock = Omit<Block, 'id' | 'use'> & { readonly middle: PlanePoint };

function pointIn({ heading, column, line }: Omit<BareBlock, 'middle'>, along: number, across: number) {
  const [a, b] = [column * CELL_FT + along, line * BLOCK_FT + across];
  return heading === 'ew' ? bend(a, b) : bend(b, a);
}

function bareBlocks(): BareBlock[] {
  const blocks: BareBlock[] = [];
  for (let i = -GRID_REACH; i < GRID_REACH; i++) {
    for (let j = -GRID_REACH; j < GRID_REACH; j++) {
      const cellMiddle = bend((i + 0.5) * CELL_FT, (j + 0.5) * CELL_FT);
      if (!isInTown(cellMiddle)) continue;
      const hood = neighborhoodAt(cellMiddle);
      const heading = NEIGHBORHOODS[hood].layout;
      const [column, row] = heading === 'ew' ? [i, j] : [j, i];
      for (const line of [2 * row, 2 * row + 1]) {
        const block = { hood, heading, column, line };
        blocks.push({ ...block, middle: pointIn(block, CELL_FT / 2, BLOCK_FT / 2) });
      }
    }
  }
  return blocks;
}

/** The blocks of the town with their use: parks at their places, the other uses by each neighborhood's quota. */
function layOutBlocks(seed: number): Block[] {
  const bare = bareBlocks();
  const uses: BlockUse[] = bare.map(() => 'houses');
  for (const park of PARKS) {
    const distances = bare.map(({ middle }) => distanceFt(middle, park));
    uses[distances.indexOf(Math.min(...distances))] = 'park';
  }
  NEIGHBORHOODS.forEach((hood, index) => {
    const random = streamOf(seed, `blocks ${hood.name}`);
    const free = bare
      .map((block, at) => ({ at, hood: block.hood, order: random() }))
      .filter((block) => block.hood === index && uses[block.at] === 'houses');
    free.sort((a, b) => a.order - b.order);
    for (const [use, count] of hood.blocks) for (const { at } of free.splice(0, count)) uses[at] = use;
  });
  return bare.map((block, id) => ({ ...block, id, use: uses[id] }));
}

/** Frontage of buildings other than houses. */
const FRONTAGE_FT: { readonly [U in BlockUse]?: number } = {
  townhomes: 25,
  condos: 150,
  apartments: 120,
  mobile: 30,
};
const VACANT_SHARE = 0.025;

/** The lots on both streets of every block. */
export function lotsOf(seed: number): Lot[] {
  return layOutBlocks(seed).flatMap((block) => {
    if (block.use === 'park' || block.use === 'commercial') return [];
    const random = streamOf(seed, `lots ${block.id}`);
    return [0, 1].flatMap((side) => lotsOfSide(random, block, side));
  });
}

function lotsOfSide(random: () => number, block: Block, side: number): Lot[] {
  const streetName = streetNameOf(block, block.line + side);
  const { lotWidthFt } = NEIGHBORHOODS[block.hood];
  const wantedFt = FRONTAGE_FT[block.use] ?? lotWidthFt * clamp(1 + 0.1 * normal(random), 0.8, 1.25);
  const frontage = CELL_FT - 2 * STREET_HALF_FT;
  const count = Math.max(1, Math.floor(frontage / wantedFt));
  const depthFt = BLOCK_FT / 2 - STREET_HALF_FT;
  const fromStreet = STREET_HALF_FT + depthFt / 2;
  const across = side === 0 ? fromStreet : BLOCK_FT - fromStreet;
  return Array.from({ length: count }, (_, at): Lot | null => {
    const isVacant = chance(random, VACANT_SHARE);
    const alongFt = STREET_HALF_FT + ((at + 0.5) / count) * frontage;
    const point = pointIn(block, alongFt, across);
    if (isVacant || !isBuildable(point) || !isInTown(point)) return null;
    const houseNumber = houseNumberOf(block.column, at, count, side);
    const size = { widthFt: frontage / count, depthFt };
    return { block, point, alongFt, acrossFt: across, ...size, houseNumber, streetName };
  }).filter((lot) => lot !== null);
}

/** 100 to 198 in the first block from Main Street or Division Avenue, 101 to 199 across the street, and so on. */
function houseNumberOf(column: number, at: number, count: number, side: number): number {
  const fromAxis = column >= 0 ? at : count - 1 - at;
  const hundred = (column >= 0 ? column + 1 : -column) * 100;
  return hundred + 2 * Math.floor(((fromAxis + 0.5) / count) * 49) + (side === 0 ? 0 : 1);
}

/** A street's name by its line: line 0 is Main Street (east–west) or Division Avenue (north–south). */
function streetNameOf({ heading, column }: Pick<Block, 'heading' | 'column'>, line: number): string {
  const steps = Math.abs(line);
  if (heading === 'ew') {
    const name = (line >= 0 ? NORTH_STREETS : SOUTH_STREETS)[steps];
    return `${column >= 0 ? 'E' : 'W'} ${name} ${steps % 6 === 5 ? 'Blvd' : 'St'}`;
  }
  const direction = column >= 0 ? 'N' : 'S';
  if (line <= 0) return `${direction} ${WEST_AVENUES[steps]} ${steps % 6 === 4 ? 'Pkwy' : 'Ave'}`;
  const suffix = line >= 11 && line <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][line % 10] ?? 'th');
  return `${direction} ${line}${suffix} Ave`;
}

/** The corners of a lot, or of a rectangle with a share of its width and depth around its center. */
export function lotOutline(
  { block, alongFt, acrossFt, widthFt, depthFt }: Lot,
  share: { readonly width: number; readonly depth: number } = { width: 1, depth: 1 },
): Ring {
  const [w, d] = [(widthFt * share.width) / 2, (depthFt * share.depth) / 2];
  const corners = [
    [-w, -d],
    [w, -d],
    [w, d],
    [-w, d],
  ];
  return ringOf(corners.map(([along, across]) => pointIn(block, alongFt + along, acrossFt + across)));
}

/** The blocks that are parks, up to their streets, in the order of PARKS. */
export function parkOutlines(seed: number): Ring[] {
  const parks = layOutBlocks(seed).filter(({ use }) => use === 'park');
  return PARKS.map((park) => {
    const middles = parks.map((block) => distanceFt(pointIn(block, CELL_FT / 2, BLOCK_FT / 2), park));
    const block = parks[middles.indexOf(Math.min(...middles))];
    const [low, high, far] = [STREET_HALF_FT, BLOCK_FT - STREET_HALF_FT, CELL_FT - STREET_HALF_FT];
    const along = Array.from({ length: 9 }, (_, i) => low + ((far - low) * i) / 8);
    return ringOf([
      ...along.map((at) => pointIn(block, at, low)),
      ...along.toReversed().map((at) => pointIn(block, at, high)),
    ]);
  });
}

/** A street of the grid between two of its ends. */
interface Street {
  readonly name: string;
  readonly isLarge: boolean;
  readonly points: readonly PlanePoint[];
}

/** Streets are drawn with a corner every 66 feet, so that they follow the bends of the grid. */
const STEPS_PER_BLOCK = 5;

/** The streets around all blocks, except Main Street and Division Avenue. Most end at the river and all at the lake. */
export function streetsOf(seed: number): Street[] {
  // Of each street, the pieces of 330 feet that it has, counted from the axis.
  const pieces = new Map<string, { heading: Heading; line: number; at: Set<number> }>();
  const add = (heading: Heading, line: number, from: number, count: number): void => {
    const key = `${heading} ${line}`;
    const street = pieces.get(key) ?? { heading, line, at: new Set() };
    for (let i = 0; i < count; i++) street.at.add(from + i);
    pieces.set(key, street);
  };
  for (const { heading, column, line } of layOutBlocks(seed)) {
    const crossing = heading === 'ew' ? 'ns' : 'ew';
    for (const side of [0, 1]) {
      add(heading, line + side, 2 * column, 2);
      add(crossing, 2 * (column + side), line, 1);
    }
  }
  return [...pieces.values()].filter(({ line }) => line !== 0).flatMap(partsOfStreet);
}

function partsOfStreet({
  heading,
  line,
  at,
}: {
  readonly heading: Heading;
  readonly line: number;
  readonly at: ReadonlySet<number>;
}): Street[] {
  const parts: { name: string; points: PlanePoint[] }[] = [];
  let last = Number.NaN;
  for (const piece of [...at].sort((a, b) => a - b)) {
    const column = Math.floor(piece / 2);
    const name = streetNameOf({ heading, column }, line);
    const open = parts.at(-1);
    const continues = piece === last + 1 && open?.name === name && open.points.length > 0;
    last = piece;
    let points = continues && open ? open.points : [];
    if (!continues) parts.push({ name, points });
    for (let step = continues ? 1 : 0; step <= STEPS_PER_BLOCK; step++) {
      const along = (piece + step / STEPS_PER_BLOCK) * BLOCK_FT;
      const point = heading === 'ew' ? bend(along, line * BLOCK_FT) : bend(line * BLOCK_FT, along);
      if (isDry(point, heading === 'ew' && hasBridge(line))) points.push(point);
      else if (points.length > 0) {
        points = [];
        parts.push({ name, points });
      }
    }
  }
  const isLarge = isBoulevard(heading, line);
  return parts.filter(({ points }) => points.length > 1).map((part) => ({ ...part, isLarge }));
}

function isBoulevard(heading: Heading, line: number): boolean {
  return Math.abs(line) % 6 === (heading === 'ew' ? 5 : 4);
}

function hasBridge(line: number): boolean {
  return isBoulevard('ew', line) || Math.abs(line) % 6 === 2;
}

function isDry(point: PlanePoint, isBridge: boolean): boolean {
  return lakeDistanceFt(point) > 20 && (isBridge || riverDistanceFt(point) > 15);
}
