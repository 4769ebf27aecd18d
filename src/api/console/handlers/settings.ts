import type { Static } from 'typebox';
import packageJson from '../../../../package.json' with { type: 'json' };
import { SAMPLE_MARKET_ID } from '../../../domain/sample-market.ts';
import type { MarketEntry } from '../../../operations/markets.ts';
import type { ApiDeps } from '../../route.ts';
import { extentOf } from '../present/market-extent.ts';
import type { ConsoleSettingsBody } from '../schemas/settings.ts';

type Settings = Static<typeof ConsoleSettingsBody>;

/** What every page needs to know of this installation. */
export async function getConsoleSettings(deps: ApiDeps): Promise<Settings> {
  const markets = await deps.operations.markets.list();
  return {
    version: packageJson.version,
    map_tiles_url: deps.config.mapTilesUrl,
    is_sample: markets.some(({ marketId }) => marketId === SAMPLE_MARKET_ID),
    markets: extentsOf(markets),
  };
}

/** Those that cover any ground, most sales first: a map opens on the first. */
function extentsOf(markets: readonly MarketEntry[]): Settings['markets'] {
  return markets
    .toSorted((a, b) => salesOf(b) - salesOf(a) || (a.marketId < b.marketId ? -1 : 1))
    .flatMap((entry) => {
      const extent = extentOf(entry);
      return extent === null ? [] : [{ id: entry.marketId, extent }];
    });
}

function salesOf({ sales }: MarketEntry): number {
  return sales?.rowCount ?? 0;
}
