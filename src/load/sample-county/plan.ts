import { SAMPLE_MARKET_ID } from '../../domain/market-id.ts';

/** The plan of Plumb Falls, an invented town, in feet east (x) and north (y) of the center. */

export const PLACE = {
  marketId: SAMPLE_MARKET_ID,
  sourceName: 'Generated sample county (not real)',
  license: 'CC0-1.0 (generated)',
  city: 'Plumb Falls',
  countyName: 'Plumb County (generated)',
  /** No state has the code XX and no ZIP code starts with 000, so no row looks like a real address. */
  stateCode: 'XX',
  /** No state has the FIPS code 99, so no GEOID is that of a real area. */
  stateFips: '99',
  countyFips: '001',
  /** Empty grassland of the Great Plains: inside the US, far from any real town. */
  originLat: 42.0,
  originLon: -101.6,
} as const;

export const RIVER = { halfWidthFt: 85, outletY: 4100 } as const;
export const LAKE = { x: 2600, y: 5500, radiusX: 4200, radiusY: 2400 } as const;
export const HILL = { x: -3600, y: -2500, sdFt: 1500, heightFt: 260 } as const;
export const RAIL = { fromX: -7000, fromY: -1020, toX: 7000, toY: -1880 } as const;

export const PARKS = [
  { x: -350, y: 900 },
  { x: 2300, y: 300 },
  { x: -3700, y: 1000 },
  { x: -500, y: -3600 },
  { x: 2700, y: -2100 },
] as const;

/** What a block holds. Blocks of houses also hold the neighborhood's share of buildings with 2–4 units. */
export type BlockUse = 'houses' | 'townhomes' | 'condos' | 'apartments' | 'mobile' | 'commercial' | 'park';

export interface Neighborhood {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  /** What the neighborhood adds to ln(value), and its yearly gain relative to the town. */
  readonly level: number;
  readonly growth: number;
  readonly builtFrom: number;
  readonly builtTo: number;
  /** Median frontage and living area of its houses. */
  readonly lotWidthFt: number;
  readonly houseSqft: number;
  /** Homes face east–west or north–south streets. */
  readonly layout: 'ew' | 'ns';
  readonly postalCode: string;
  /** Share of lots on blocks of houses that have a building of 2–4 units. */
  readonly multifamilyShare: number;
  /** Number of blocks with other uses than houses. */
  readonly blocks: readonly (readonly [BlockUse, number])[];
}

// prettier-ignore
export const NEIGHBORHOODS: readonly Neighborhood[] = [
  { name: 'Falls Center', x: 100, y: -100, level: 0.08, growth: 0.004, builtFrom: 1890, builtTo: 1935, lotWidthFt: 44, houseSqft: 1500, layout: 'ew', postalCode: '00041', multifamilyShare: 0.35, blocks: [['condos', 4], ['apartments', 3], ['commercial', 9], ['townhomes', 1]] },
  { name: 'Old Mill', x: -2000, y: 900, level: 0.02, growth: 0.012, builtFrom: 1884, builtTo: 1928, lotWidthFt: 45, houseSqft: 1650, layout: 'ew', postalCode: '00041', multifamilyShare: 0.28, blocks: [['apartments', 1], ['condos', 1]] },
  { name: 'Railyard', x: 700, y: -1950, level: -0.3, growth: 0.015, builtFrom: 1898, builtTo: 1948, lotWidthFt: 40, houseSqft: 1080, layout: 'ew', postalCode: '00042', multifamilyShare: 0.25, blocks: [['apartments', 2], ['commercial', 2]] },
  { name: 'Orchard Park', x: 2300, y: -100, level: 0.1, growth: 0.002, builtFrom: 1914, builtTo: 1944, lotWidthFt: 48, houseSqft: 1450, layout: 'ns', postalCode: '00042', multifamilyShare: 0.08, blocks: [['townhomes', 1]] },
  { name: 'Lakeshore', x: 2600, y: 2300, level: 0.36, growth: 0.003, builtFrom: 1924, builtTo: 1968, lotWidthFt: 78, houseSqft: 2350, layout: 'ew', postalCode: '00043', multifamilyShare: 0.01, blocks: [['condos', 3]] },
  { name: 'Northgate', x: -1900, y: 3300, level: -0.02, growth: 0, builtFrom: 1950, builtTo: 1969, lotWidthFt: 66, houseSqft: 1420, layout: 'ns', postalCode: '00043', multifamilyShare: 0.05, blocks: [['townhomes', 1], ['apartments', 1]] },
  { name: 'Signal Hill', x: -3400, y: -2300, level: 0.24, growth: 0.001, builtFrom: 1974, builtTo: 2006, lotWidthFt: 98, houseSqft: 2550, layout: 'ew', postalCode: '00044', multifamilyShare: 0, blocks: [['townhomes', 2]] },
  { name: 'Westfield', x: -3900, y: 900, level: -0.05, growth: -0.003, builtFrom: 1957, builtTo: 1982, lotWidthFt: 70, houseSqft: 1620, layout: 'ns', postalCode: '00044', multifamilyShare: 0.06, blocks: [['townhomes', 2], ['apartments', 1], ['mobile', 3]] },
  { name: 'Cedar Flats', x: 2900, y: -2600, level: 0.05, growth: 0, builtFrom: 1984, builtTo: 2009, lotWidthFt: 68, houseSqft: 2050, layout: 'ew', postalCode: '00042', multifamilyShare: 0.01, blocks: [['townhomes', 3], ['condos', 1]] },
  { name: 'South Meadow', x: -900, y: -3900, level: 0.1, growth: 0.005, builtFrom: 1998, builtTo: 2023, lotWidthFt: 60, houseSqft: 2200, layout: 'ns', postalCode: '00042', multifamilyShare: 0.02, blocks: [['townhomes', 3], ['apartments', 1]] },
  { name: 'Eastline', x: 4200, y: 300, level: -0.17, growth: 0.006, builtFrom: 1945, builtTo: 1961, lotWidthFt: 52, houseSqft: 1150, layout: 'ns', postalCode: '00042', multifamilyShare: 0.12, blocks: [['apartments', 1], ['mobile', 3]] },
];
