import type { MarketExtent } from '../../api/account.ts';
import type { PlaceInfo } from '../../api/places.ts';
import type { Point } from '../../parts/map/map-content.ts';

/** The arguments of load commands. Unknown ones are placeholders in capitals. */
export interface LoadNames {
  readonly market: string;
  /** Two letters. */
  readonly state: string;
  /** The agency that most likely publishes data. */
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

/** The market that covers the point; of several, the first: the server lists those with more sales first. */
function marketAt(markets: readonly MarketExtent[], { latitude, longitude }: Point): string | null {
  const covering = markets.find(
    ({ extent: { west, south, east, north } }) =>
      west <= longitude && longitude <= east && south <= latitude && latitude <= north,
  );
  return covering?.id ?? null;
}

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
