/** A figure of the census about the homes of a tract, not about the people in them. */
export interface HousingFigure {
  readonly name: string;
  readonly tableId: string;
  readonly suffix: string;
  /** The base of a share; null for a figure of its own. */
  readonly baseSuffix: string | null;
}

/** Housing figures that may be columns of a model. Tenure, household size and housing costs by income describe people. */
export const HOUSING_FIGURES: readonly HousingFigure[] = [
  { name: 'tract_median_year_built', tableId: 'B25035', suffix: '001E', baseSuffix: null },
  { name: 'tract_median_rooms', tableId: 'B25018', suffix: '001E', baseSuffix: null },
  { name: 'tract_detached_share', tableId: 'B25024', suffix: '002E', baseSuffix: '001E' },
  { name: 'tract_vacant_share', tableId: 'B25002', suffix: '003E', baseSuffix: '001E' },
  { name: 'tract_median_rent', tableId: 'B25064', suffix: '001E', baseSuffix: null },
  { name: 'tract_median_home_value', tableId: 'B25077', suffix: '001E', baseSuffix: null },
];

/** 1 in a special flood hazard area, 0 elsewhere on the map. */
export const FLOOD_FACT = 'flood_zone_sfha';

/** Facts of a location that are candidate columns of a model. A column of a file with such a name is replaced. */
export const LOCATION_FACTS: readonly string[] = [FLOOD_FACT, ...HOUSING_FIGURES.map(({ name }) => name)];
