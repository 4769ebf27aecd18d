import type { PlaceInfo } from '../../api/places.ts';
import type { MarketExtent } from '../../api/settings.ts';
import type { Point } from '../../parts/map/map-content.ts';

/** What commands that load something name; in capitals what has to be filled in by whoever runs them. */
export interface LoadNames {
  readonly market: string;
  /** Two letters. */
  readonly state: string;
  /** The police that most likely publish something; a county's sheriff and others do, too. */
  readonly agency: string;
}

export function loadNames(markets: readonly MarketExtent[], found: PlaceInfo): LoadNames {
  const { latitude, longitude, city, state_code: state } = found;
  const market = latitude === null || longitude === null ? null : marketAt(markets, { latitude, longitude });
  return {
    market: market ?? 'MARKET',
    state: state ?? 'STATE',
    agency: city ? `${city} Police Department` : 'NAME OF THE AGENCY',
  };
}

/** Of the markets that cover a place the one with the most sales. */
function marketAt(markets: readonly MarketExtent[], { latitude, longitude }: Point): string | null {
  const covering = markets.find(
    ({ extent: { west, south, east, north } }) =>
      west <= longitude && longitude <= east && south <= latitude && latitude <= north,
  );
  return covering?.id ?? null;
}

/** Areas first, then their figures. */
export function censusCommands({ market }: LoadNames, county: string | null): string {
  const [state, number] = [county?.slice(0, 2) ?? 'STATE', county?.slice(2) ?? 'COUNTY'];
  return (
    `plumbline import census-areas cb_2020_${state}_bg_500k.zip --market ${market}\n` +
    `plumbline fetch census --state ${state} --county ${number} --level block_group --year 2023 --market ${market}`
  );
}

export function crimeCommand({ market, agency }: LoadNames): string {
  return `plumbline import crime incidents.csv --market ${market} --time-zone America/Chicago --agency "${agency}"`;
}

export function floodCommand({ market }: LoadNames): string {
  return `plumbline import flood S_FLD_HAZ_AR.shp --market ${market}`;
}

export function fireCommand({ market, state }: LoadNames): string {
  return `plumbline import fire BP_${state}.tif --market ${market}`;
}
