import type { MapLayerKind } from './map-layer.ts';

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

/** The distance in miles to the nearest feature of some classes of an imported map layer. */
export interface DistanceFact {
  readonly name: string;
  readonly layer: MapLayerKind;
  readonly classes: readonly string[];
}

export const DISTANCE_FACTS: readonly DistanceFact[] = [
  { name: 'major_road_mi', layer: 'roads', classes: ['highway', 'major'] },
  { name: 'rail_mi', layer: 'roads', classes: ['rail'] },
  { name: 'water_mi', layer: 'water', classes: ['water', 'river'] },
  { name: 'park_mi', layer: 'parks', classes: ['park', 'reserve', 'wood', 'golf'] },
];

/** Longer distances count as this one: what is further away than a short drive says nothing about a home. */
export const LONGEST_DISTANCE_MI = 2;

/** Facts of a location that are candidate columns of a model. A column of a file with such a name is replaced. */
export const LOCATION_FACTS: readonly string[] = [
  FLOOD_FACT,
  ...[...HOUSING_FIGURES, ...DISTANCE_FACTS].map(({ name }) => name),
];
