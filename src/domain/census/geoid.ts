/** Supported levels of census areas, from the largest to the smallest. */
export const CENSUS_LEVELS = ['county', 'cousub', 'tract', 'block_group'] as const;
export type CensusLevel = (typeof CENSUS_LEVELS)[number];

/** Digits of a GEOID: state 2, county 3, then cousub 5, or tract 6 and block group 1. */
const LEVEL_OF_LENGTH: Readonly<Record<number, CensusLevel>> = {
  5: 'county',
  10: 'cousub',
  11: 'tract',
  12: 'block_group',
};

/** The level of a GEOID, from its length; null if it is not a GEOID of a supported level. */
export function levelOfGeoid(geoid: string): CensusLevel | null {
  return /^\d+$/.test(geoid) ? (LEVEL_OF_LENGTH[geoid.length] ?? null) : null;
}

/** The Bureau's summary levels. 040 (states), 860 (ZIP areas) and others are not supported. */
export const SUMMARY_LEVELS: Readonly<Record<CensusLevel, string>> = {
  county: '050',
  cousub: '060',
  tract: '140',
  block_group: '150',
};

/** `1400000US53033000100` → `53033000100`; null for other levels, and for parts of areas (a component other than 00). */
export function geoidOfPrefixed(text: string): string | null {
  const [, summary, geoid] = /^(\d{3})\d{2}00US(\d+)$/.exec(text) ?? [];
  const level = geoid === undefined ? null : levelOfGeoid(geoid);
  return level !== null && SUMMARY_LEVELS[level] === summary ? geoid : null;
}

/** State and county, the first five digits of every GEOID. */
export function countyOfGeoid(geoid: string): string {
  return geoid.slice(0, 5);
}

/** Census areas are redrawn every ten years. */
export type AreaVintage = 2010 | 2020;

/** The census whose areas the American Community Survey of a year uses. */
export function vintageOfYear(year: number): AreaVintage {
  return year <= 2019 ? 2010 : 2020;
}

/** The parts of a GEOID, digits as text; parts below its level are missing. */
export function partsOfGeoid(geoid: string) {
  const own = geoid.slice(5);
  return {
    state: geoid.slice(0, 2),
    county: geoid.slice(2, 5),
    ...(own.length === 5 ? { cousub: own } : {}),
    ...(own.length >= 6 ? { tract: own.slice(0, 6) } : {}),
    ...(own.length === 7 ? { blockGroup: own.slice(6) } : {}),
  };
}
