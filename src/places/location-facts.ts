import { acsPublishedOn } from '../domain/census/acs-years.ts';
import type { CensusTable } from '../domain/census/census-table.ts';
import { percentageOf } from '../domain/census/cell.ts';
import { vintageOfYear } from '../domain/census/geoid.ts';
import type { Day } from '../domain/day.ts';
import { floodHazardOf } from '../domain/flood-zone.ts';
import { FLOOD_FACT, HOUSING_FIGURES, type HousingFigure } from '../domain/location-facts.ts';
import type { LatLon } from '../geo/distance.ts';
import { openCensusAreas } from './census-areas.ts';
import { censusFiguresOf, censusYearsOf } from './census-values.ts';
import type { PlaceDeps } from './deps.ts';
import { openDistances } from './distances.ts';
import { openFloodAreas } from './flood.ts';

/** A place, and the day as of which something is known of it. */
interface PlaceOnDay extends LatLon {
  readonly day: Day;
}

/** Facts of a location by name; unknown ones are missing. */
type LocationFacts = Readonly<Record<string, string>>;

/**
 * The facts of each place that were known on its day: of the flood map, and of the newest census figures published by
 * then. Imported map layers have no dates: the distances to roads, water and parks are those of the map. A value and the
 * training of its model read them here, so that both see the same.
 */
export async function readLocationFacts(
  deps: PlaceDeps,
  places: readonly PlaceOnDay[],
): Promise<LocationFacts[]> {
  const floodAreaAt = await openFloodAreas(deps, places);
  const housingAt = await openHousing(deps, places);
  const distancesAt = await openDistances(deps, places);
  return places.map((place) => {
    const area = floodAreaAt(place, place.day);
    const hazard = area && floodHazardOf(area.zone, area.zoneSubtype);
    return {
      ...(hazard && { [FLOOD_FACT]: String(Number(hazard.isSfha)) }),
      ...housingAt(place),
      ...distancesAt(place),
    };
  });
}

/** Opens the figures of the tracts of some places. A lookup takes them from the newest year published by the day. */
async function openHousing(
  deps: PlaceDeps,
  places: readonly PlaceOnDay[],
): Promise<(place: PlaceOnDay) => LocationFacts> {
  const areasAt = await openCensusAreas(deps, places);
  const tractsAt = (place: LatLon) => ({
    2010: areasAt(place, 2010).tract?.geoid,
    2020: areasAt(place, 2020).tract?.geoid,
  });
  const all = new Set(places.flatMap((place) => Object.values(tractsAt(place))));
  const geoids = [...all].filter((geoid) => geoid !== undefined);
  const tableIds = HOUSING_FIGURES.map(({ tableId }) => tableId);
  const loaded = await censusYearsOf(deps, geoids, tableIds);
  const years = [...new Set([...loaded.values()].flat())].sort((a, b) => b - a);
  const figures = await censusFiguresOf(deps, { geoids, years, tableIds });
  const known = new Map<string, LocationFacts>();
  return (place) => {
    const tracts = tractsAt(place);
    const published = years.filter((year) => acsPublishedOn(year) <= place.day);
    const key = JSON.stringify([tracts, published[0]]);
    let facts = known.get(key);
    if (facts === undefined) {
      const tables = published.map((year) => {
        const geoid = tracts[vintageOfYear(year)];
        return geoid === undefined ? [] : figures.tablesOf(geoid, year);
      });
      known.set(key, (facts = housingOf(tables)));
    }
    return facts;
  };
}

/** @param tables of a tract by year, newest first */
function housingOf(tables: readonly (readonly CensusTable[])[]): LocationFacts {
  const facts: Record<string, string> = {};
  for (const figure of HOUSING_FIGURES) {
    const newest = tables.map((ofYear) => valueOf(figure, ofYear)).find((value) => value !== null);
    if (newest !== undefined) facts[figure.name] = String(newest);
  }
  return facts;
}

function valueOf(
  { tableId, suffix, baseSuffix }: HousingFigure,
  tables: readonly CensusTable[],
): number | null {
  const cells = tables.find((table) => table.tableId === tableId)?.cells;
  const cell = cells?.get(suffix);
  if (!cell || baseSuffix === null) return cell?.value ?? null;
  const base = cells?.get(baseSuffix);
  return base ? percentageOf(cell, base).value : null;
}
