import { SAMPLE_MARKET_ID } from '../../../domain/sample-market.ts';

/**
 * The plan of Plumb Falls, a town that does not exist: names, the lie of the land, and what each neighbourhood
 * is like. Everything here is invented. Lengths are feet in a local plane, x east and y north of the centre.
 */

export const PLACE = {
  marketId: SAMPLE_MARKET_ID,
  sourceName: 'Generated sample county (not real)',
  license: 'CC0-1.0 (generated)',
  city: 'Plumb Falls',
  countyName: 'Plumb County (generated)',
  /** No state has the code XX and no ZIP code starts with 000, so that no row can pass for a real address. */
  stateCode: 'XX',
  /** No state has the FIPS code 99, so that no GEOID of the town is that of a real area. */
  stateFips: '99',
  countyFips: '001',
  /** Empty grassland of the Great Plains: inside the US for every geometry rule, far from any real town. */
  originLat: 42.0,
  originLon: -101.6,
} as const;

/** Feet in a degree at 42° N; the town is 2 miles wide, so one scale serves all of it (error < 0.05 %). */
export const FEET_PER_DEGREE = { lat: 364_400, lon: 271_500 } as const;

/** A cell of the street grid, and half of it: a block between two parallel streets. */
export const CELL_FT = 660;
export const BLOCK_FT = 330;
/** From a block's edge (a street's centreline) to its lots. */
export const STREET_HALF_FT = 30;
/** The grid's columns and rows count from the crossing of Main Street and Division Avenue: −8 … 8. */
export const GRID_REACH = 8;

export const RIVER = { name: 'Plumb River', halfWidthFt: 85 } as const;
export const LAKE = { name: 'Falls Lake', x: 2600, y: 5500, radiusX: 4200, radiusY: 2400 } as const;
export const HILL = { name: 'Signal Hill', x: -3600, y: -2500, sdFt: 1500, heightFt: 260 } as const;
export const RAIL = { fromX: -7000, fromY: -1020, toX: 7000, toY: -1880 } as const;

/** Quality −1 … 1 is what the catchment adds or takes; see SCHOOL_EFFECT in true-value.ts. */
export const SCHOOLS = [
  { name: 'Old Mill School', x: -1900, y: 1500, quality: 0.1 },
  { name: 'Lakeshore School', x: 1700, y: 2200, quality: 1 },
  { name: 'Eastline School', x: 3900, y: -700, quality: -0.6 },
  { name: 'Railyard School', x: 300, y: -2300, quality: -0.9 },
  { name: 'Signal Hill School', x: -3400, y: -1700, quality: 0.8 },
] as const;

export const PARKS = [
  { name: 'Falls Park', x: -350, y: 900 },
  { name: 'Orchard Common', x: 2300, y: 300 },
  { name: 'Westfield Green', x: -3700, y: 1000 },
  { name: 'Meadow Park', x: -500, y: -3600 },
  { name: 'Cedar Park', x: 2700, y: -2100 },
] as const;

/** What stands on a block. Houses blocks hold the neighbourhood's share of 2–4 unit buildings. */
export type BlockUse =
  'houses' | 'townhomes' | 'condos' | 'apartments' | 'mobile' | 'commercial' | 'park' | 'school';

export interface Neighbourhood {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  /** What the name alone adds to ln(value), and how much it gains on the town in a year. */
  readonly level: number;
  readonly growth: number;
  readonly builtFrom: number;
  readonly builtTo: number;
  /** Median frontage and living area of its houses. */
  readonly lotWidthFt: number;
  readonly houseSqft: number;
  /** Homes front on east–west or on north–south streets. */
  readonly layout: 'ew' | 'ns';
  readonly postalCode: string;
  /** Share of lots on houses blocks that carry a 2–4 unit building. */
  readonly plexShare: number;
  /** How many blocks carry something else than houses. */
  readonly blocks: { readonly [U in BlockUse]?: number };
  /** Names of its own streets; without any it lies on the town's grid of named and numbered streets. */
  readonly streetWords: readonly string[];
}

const words = (text: string): string[] => text.split(' ');

// prettier-ignore
export const NEIGHBOURHOODS: readonly Neighbourhood[] = [
  { name: 'Falls Centre', x: 100, y: -100, level: 0.08, growth: 0.004, builtFrom: 1890, builtTo: 1935, lotWidthFt: 44, houseSqft: 1500, layout: 'ew', postalCode: '00041', plexShare: 0.35, blocks: { condos: 4, apartments: 3, commercial: 9, townhomes: 1 }, streetWords: [] },
  { name: 'Old Mill', x: -2000, y: 900, level: 0.02, growth: 0.012, builtFrom: 1884, builtTo: 1928, lotWidthFt: 45, houseSqft: 1650, layout: 'ew', postalCode: '00041', plexShare: 0.28, blocks: { apartments: 1, condos: 1 }, streetWords: [] },
  { name: 'Railyard', x: 700, y: -1950, level: -0.3, growth: 0.015, builtFrom: 1898, builtTo: 1948, lotWidthFt: 40, houseSqft: 1080, layout: 'ew', postalCode: '00042', plexShare: 0.25, blocks: { apartments: 2, commercial: 2 }, streetWords: [] },
  { name: 'Orchard Park', x: 2300, y: -100, level: 0.1, growth: 0.002, builtFrom: 1914, builtTo: 1944, lotWidthFt: 48, houseSqft: 1450, layout: 'ns', postalCode: '00042', plexShare: 0.08, blocks: { townhomes: 1 }, streetWords: [] },
  { name: 'Lakeshore', x: 2600, y: 2300, level: 0.36, growth: 0.003, builtFrom: 1924, builtTo: 1968, lotWidthFt: 78, houseSqft: 2350, layout: 'ew', postalCode: '00043', plexShare: 0.01, blocks: { condos: 3 }, streetWords: words('Lakeview Heron Sandpiper Regatta Harbor Pebble Driftwood Mariner Anchor Cove Plover Kittiwake') },
  { name: 'Northgate', x: -1900, y: 3300, level: -0.02, growth: 0, builtFrom: 1950, builtTo: 1969, lotWidthFt: 66, houseSqft: 1420, layout: 'ns', postalCode: '00043', plexShare: 0.05, blocks: { townhomes: 1, apartments: 1 }, streetWords: words('Larkspur Bluebell Foxglove Primrose Clover Aster Marigold Columbine Verbena Yarrow Zinnia Tansy Trillium Lupine') },
  { name: 'Signal Hill', x: -3400, y: -2300, level: 0.24, growth: 0.001, builtFrom: 1974, builtTo: 2006, lotWidthFt: 98, houseSqft: 2550, layout: 'ew', postalCode: '00044', plexShare: 0, blocks: { townhomes: 2 }, streetWords: words('Summit Ridgeline Overlook Beacon Highpoint Skyline Crestview Hawk Granite Falcon Ledge Outlook') },
  { name: 'Westfield', x: -3900, y: 900, level: -0.05, growth: -0.003, builtFrom: 1957, builtTo: 1982, lotWidthFt: 70, houseSqft: 1620, layout: 'ns', postalCode: '00044', plexShare: 0.06, blocks: { townhomes: 2, apartments: 1, mobile: 3 }, streetWords: words('Wheatley Barley Harvest Haymaker Granary Furrow Plowshare Silo Prairie Pasture Meadowlark Bobolink') },
  { name: 'Cedar Flats', x: 2900, y: -2600, level: 0.05, growth: 0, builtFrom: 1984, builtTo: 2009, lotWidthFt: 68, houseSqft: 2050, layout: 'ew', postalCode: '00042', plexShare: 0.01, blocks: { townhomes: 3, condos: 1 }, streetWords: words('Cedar Juniper Tamarack Hemlock Spruce Larch Redbud Hawthorn Sumac Alder Hickory Basswood') },
  { name: 'South Meadow', x: -900, y: -3900, level: 0.1, growth: 0.005, builtFrom: 1998, builtTo: 2023, lotWidthFt: 60, houseSqft: 2200, layout: 'ns', postalCode: '00042', plexShare: 0.02, blocks: { townhomes: 3, apartments: 1 }, streetWords: words('Wren Goldfinch Swallow Kestrel Oriole Bunting Warbler Tanager Grosbeak Nuthatch Phoebe Vireo') },
  { name: 'Eastline', x: 4200, y: 300, level: -0.17, growth: 0.006, builtFrom: 1945, builtTo: 1961, lotWidthFt: 52, houseSqft: 1150, layout: 'ns', postalCode: '00042', plexShare: 0.12, blocks: { apartments: 1, mobile: 3 }, streetWords: [] },
];

/** Streets of the town's grid. East–west ones by distance from Main Street, north and south; every name once. */
export const NORTH_STREETS = words(
  'Main Willow Elm Chapel Walnut Mill Chestnut Locust Sycamore Linden Birch Poplar Catalpa Mulberry Ash Hazel Beech',
);
export const SOUTH_STREETS = words(
  'Main Depot Foundry Water Canal Spring Union Liberty Garfield Academy Vine Grove Quarry Bridge Franklin Commerce Prospect',
);
/** North–south ones west of Division Avenue; those east of it are numbered. */
export const WEST_AVENUES = words(
  'Division Cooper Mason Miller Sawyer Fletcher Turner Weaver Potter Tanner Chandler Thatcher Wright Carver Fuller Draper Tiller',
);
