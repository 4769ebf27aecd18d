import type { Static } from 'typebox';
import packageJson from '../../../../package.json' with { type: 'json' };
import { SAMPLE_MARKET_ID } from '../../../domain/sample-market.ts';
import { boundsAround } from '../../../geo/bounds.ts';
import type { MarketEntry } from '../../../operations/markets.ts';
import type { ApiDeps } from '../../deps.ts';
import type { ConsoleSettingsBody } from '../schemas/settings.ts';

type Settings = Static<typeof ConsoleSettingsBody>;

/** What every page needs to know of this installation. */
export async function getConsoleSettings(deps: ApiDeps): Promise<Settings> {
  const markets = await deps.operations.listMarkets();
  return {
    version: packageJson.version,
    map_tiles_url: deps.config.mapTilesUrl,
    is_sample: markets.some(({ marketId }) => marketId === SAMPLE_MARKET_ID),
    extent: extentOf(markets),
  };
}

/** Around the sales, listings, parcels and addresses of every market. */
function extentOf(markets: readonly MarketEntry[]): Settings['extent'] {
  const homes = markets.flatMap(({ sales, rents, parcels, addresses }) => [sales, rents, parcels, addresses]);
  return boundsAround(homes.flatMap((dataset) => dataset?.bounds ?? []));
}
