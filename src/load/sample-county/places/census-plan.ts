import type { AreaVintage, CensusLevel } from '../../../domain/census/geoid.ts';
import type { Block } from '../town/lots.ts';
import { NEIGHBOURHOODS, PLACE } from '../town/town-plan.ts';
import { cellOf, cellPosition, countyRing, ringsOfCells, type Ring } from '../town/town-shapes.ts';
import { polygonsOf, reversed, type PolygonRings } from './polygons.ts';

/** A census area of the generated county. */
export interface SampleArea {
  readonly geoid: string;
  readonly level: CensusLevel;
  /** As the Bureau's NAMELSAD: with its kind. */
  readonly name: string;
  readonly polygons: readonly PolygonRings[];
  /** Cells of the street grid, where homes stand; none outside town. */
  readonly cells: ReadonlySet<number>;
}

/** The town grew: block groups of 2020 have about half the land of those of 2010. */
const CELLS_OF_BLOCK_GROUP: Readonly<Record<AreaVintage, number>> = { 2010: 12, 2020: 6 };
/** County subdivisions: the town, and the land around it. */
const COUSUBS = { town: '60001', land: '60002' } as const;
const COUNTY = `${PLACE.stateFips}${PLACE.countyFips}`;

/**
 * The county as the census divides it: a tract for each neighbourhood, cut into block groups of whole cells of the
 * street grid, and a tract of one block group for the land and water around. Each level covers the county once.
 */
export function censusPlanOf(blocks: readonly Block[], vintage: AreaVintage): SampleArea[] {
  const town = new Set(blocks.map(cellOf));
  const tracts = NEIGHBOURHOODS.flatMap((_, hood) => {
    const cells = blocks.filter((block) => block.hood === hood).map(cellOf);
    return tractOf(hood + 1, new Set(cells), vintage);
  });
  const land = landAround(town);
  const code = tractCode(NEIGHBOURHOODS.length + 1);
  return [
    areaOf('county', COUNTY, PLACE.countyName, [countyRing()], town),
    areaOf('cousub', COUNTY + COUSUBS.town, `${PLACE.city} city (generated)`, ringsOfCells(town), town),
    areaOf('cousub', COUNTY + COUSUBS.land, 'Plumb township (generated)', land, new Set()),
    ...tracts,
    areaOf('tract', COUNTY + code, tractName(code), land, new Set()),
    areaOf('block_group', `${COUNTY}${code}1`, 'Block Group 1', land, new Set()),
  ];
}

function tractOf(number: number, cells: ReadonlySet<number>, vintage: AreaVintage): SampleArea[] {
  const code = tractCode(number);
  const groups = cutCells(cells, Math.max(1, Math.round(cells.size / CELLS_OF_BLOCK_GROUP[vintage])));
  return [
    areaOf('tract', COUNTY + code, tractName(code), ringsOfCells(cells), cells),
    ...groups.map((group, at) =>
      areaOf('block_group', `${COUNTY}${code}${at + 1}`, `Block Group ${at + 1}`, ringsOfCells(group), group),
    ),
  ];
}

function areaOf(
  level: CensusLevel,
  geoid: string,
  name: string,
  rings: readonly Ring[],
  cells: ReadonlySet<number>,
): SampleArea {
  return { geoid, level, name, polygons: polygonsOf(rings), cells };
}

const tractCode = (number: number): string => `${String(number).padStart(4, '0')}00`;
const tractName = (code: string): string => `Census Tract ${Number(code.slice(0, 4))}`;

/** Into parts of equal land, across the longer side. */
function cutCells(cells: ReadonlySet<number>, parts: number): ReadonlySet<number>[] {
  const placed = [...cells].map((cell) => ({ cell, ...cellPosition(cell) }));
  const span = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
  const isWide = span(placed.map(({ i }) => i)) >= span(placed.map(({ j }) => j));
  placed.sort((a, b) => (isWide ? a.i - b.i || a.j - b.j : a.j - b.j || a.i - b.i));
  const bound = (part: number): number => Math.round((part * placed.length) / parts);
  return Array.from(
    { length: parts },
    (_, part) => new Set(placed.slice(bound(part), bound(part + 1)).map(({ cell }) => cell)),
  );
}

/** The county without its town. */
function landAround(town: ReadonlySet<number>): Ring[] {
  return [countyRing(), ...ringsOfCells(town).map(reversed)];
}
