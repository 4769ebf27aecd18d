import { clamp, chance, normal, streamOf } from '../dice.ts';
import { createStreetNames, type Heading } from './streets.ts';
import { bend, distanceFt, isBuildable, isInTown, neighbourhoodAt, type PlanePoint } from './terrain.ts';
import {
  BLOCK_FT,
  CELL_FT,
  GRID_REACH,
  NEIGHBOURHOODS,
  PARKS,
  SCHOOLS,
  STREET_HALF_FT,
  type BlockUse,
} from './town-plan.ts';

/** Half a cell of the grid: 660 ft along its two streets, 330 ft between them. */
export interface Block {
  readonly id: number;
  readonly hood: number;
  readonly heading: Heading;
  /** Which hundred along its streets: …, −2, −1, 0, 1, … */
  readonly column: number;
  /** Line of its low street; the high one is `line + 1`. */
  readonly line: number;
  readonly use: BlockUse;
  /** Corners in the town's plane, for pictures. */
  readonly corners: readonly PlanePoint[];
}

/** A piece of frontage something is built on. */
export interface Lot {
  readonly block: Block;
  readonly point: PlanePoint;
  readonly widthFt: number;
  readonly depthFt: number;
  readonly houseNumber: number;
  /** "N 3rd Ave". */
  readonly streetName: string;
}

/** The point of the ideal grid so many feet along and across a block, bent to the land. */
function pointIn(heading: Heading, column: number, line: number, along: number, across: number): PlanePoint {
  const a = column * CELL_FT + along;
  const b = line * BLOCK_FT + across;
  return heading === 'ew' ? bend(a, b) : bend(b, a);
}

type BareBlock = Omit<Block, 'id' | 'use'> & { readonly middle: PlanePoint };

function bareBlocks(): BareBlock[] {
  const blocks: BareBlock[] = [];
  for (let i = -GRID_REACH; i < GRID_REACH; i++)
    for (let j = -GRID_REACH; j < GRID_REACH; j++) {
      const cellMiddle = bend((i + 0.5) * CELL_FT, (j + 0.5) * CELL_FT);
      if (!isInTown(cellMiddle)) continue;
      const hood = neighbourhoodAt(cellMiddle);
      const heading = NEIGHBOURHOODS[hood].layout;
      const column = heading === 'ew' ? i : j;
      for (const half of [0, 1]) {
        const line = 2 * (heading === 'ew' ? j : i) + half;
        const corner = (along: number, across: number): PlanePoint =>
          pointIn(heading, column, line, along, across);
        const corners = [
          corner(0, 0),
          corner(CELL_FT, 0),
          corner(CELL_FT, BLOCK_FT),
          corner(0, BLOCK_FT),
        ] as const;
        blocks.push({ hood, heading, column, line, corners, middle: corner(CELL_FT / 2, BLOCK_FT / 2) });
      }
    }
  return blocks;
}

/** Blocks of the town with what stands on them: parks and schools at their places, the rest by each neighbourhood's quota. */
export function layOutBlocks(seed: number): Block[] {
  const bare = bareBlocks();
  const uses: BlockUse[] = bare.map(() => 'houses');
  for (const [use, places] of [['park', PARKS] as const, ['school', SCHOOLS] as const])
    for (const place of places) uses[nearestBlock(bare, place)] = use;
  NEIGHBOURHOODS.forEach((hood, index) => {
    const random = streamOf(seed, `blocks ${hood.name}`);
    const free = bare
      .map((block, at) => ({ at, block, order: random() }))
      .filter(({ at, block }) => block.hood === index && uses[at] === 'houses');
    // Shops gather in the middle; mobile home parks side by side at the outer edge; the rest anywhere.
    const fromMiddle = free.toSorted(
      (a, b) => distanceFt(a.block.middle, hood) - distanceFt(b.block.middle, hood),
    );
    const anywhere = free.toSorted((a, b) => a.order - b.order);
    const outermost = free.toSorted((a, b) => outwardness(b.block.middle) - outwardness(a.block.middle));
    for (const [use, count = 0] of Object.entries(hood.blocks) as [BlockUse, number?][]) {
      const queue = use === 'commercial' ? fromMiddle : use === 'mobile' ? outermost : anywhere;
      const taken = queue.filter(({ at }) => uses[at] === 'houses').slice(0, count);
      for (const { at } of taken) uses[at] = use;
    }
  });
  return bare.map((block, id) => ({ ...block, id, use: uses[id] }));
}

function outwardness(point: PlanePoint): number {
  return Math.abs(point.x) + 0.3 * Math.abs(point.y);
}

function nearestBlock(blocks: readonly BareBlock[], place: PlanePoint): number {
  let nearest = 0;
  blocks.forEach((block, index) => {
    if (distanceFt(block.middle, place) < distanceFt(blocks[nearest].middle, place)) nearest = index;
  });
  return nearest;
}

/** Frontage of what is not a house: a townhome, a condominium building, an apartment house, a pad in a park. */
const FRONTAGE_FT: { readonly [U in BlockUse]?: number } = {
  townhomes: 25,
  condos: 150,
  apartments: 120,
  mobile: 30,
};
/** Lots that stand empty or carry no home. */
const VACANT_SHARE = 0.025;

/** Lots of the block on both of its streets. Numbers: hundreds by column, even on the north and east side. */
export function lotsOf(seed: number, blocks: readonly Block[]): Lot[] {
  const streetName = createStreetNames();
  const hoodAt = new Map(
    blocks.map((block) => [`${block.heading} ${block.column} ${block.line}`, block.hood]),
  );
  return blocks.flatMap((block) => {
    if (block.use === 'park' || block.use === 'school' || block.use === 'commercial') return [];
    const random = streamOf(seed, `lots ${block.id}`);
    const hood = NEIGHBOURHOODS[block.hood];
    return [0, 1].flatMap((side) => {
      const streetLine = block.line + side;
      // Both sides of a street bear one name: that of the neighbourhood on its high side, where homes front there too.
      const namedBy = hoodAt.get(`${block.heading} ${block.column} ${streetLine}`) ?? block.hood;
      const street = streetName(block.heading, streetLine, block.column, namedBy);
      const usual = FRONTAGE_FT[block.use] ?? hood.lotWidthFt * clamp(1 + 0.1 * normal(random), 0.8, 1.25);
      const frontage = CELL_FT - 2 * STREET_HALF_FT;
      const count = Math.max(1, Math.floor(frontage / usual));
      const depthFt = BLOCK_FT / 2 - STREET_HALF_FT;
      const across = side === 0 ? STREET_HALF_FT + depthFt / 2 : BLOCK_FT - STREET_HALF_FT - depthFt / 2;
      return Array.from({ length: count }, (_, at): Lot | null => {
        const isVacant = chance(random, VACANT_SHARE);
        const along = STREET_HALF_FT + ((at + 0.5) / count) * frontage;
        const point = pointIn(block.heading, block.column, block.line, along, across);
        if (isVacant || !isBuildable(point) || !isInTown(point)) return null;
        return {
          block,
          point,
          widthFt: frontage / count,
          depthFt,
          houseNumber: houseNumber(block.column, at, count, side),
          streetName: `${street.direction} ${street.name} ${street.type}`,
        };
      }).filter((lot) => lot !== null);
    });
  });
}

/** 100 … 198 in the first block east or north of the axis, 101 … 199 across the street; mirrored on the other side of town. */
function houseNumber(column: number, at: number, count: number, side: number): number {
  const fromAxis = column >= 0 ? at : count - 1 - at;
  const hundred = (column >= 0 ? column + 1 : -column) * 100;
  return hundred + 2 * Math.floor(((fromAxis + 0.5) / count) * 49) + (side === 0 ? 0 : 1);
}
