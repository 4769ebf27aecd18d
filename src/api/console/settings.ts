import packageJson from '../../../package.json' with { type: 'json' };
import { type Static, Type } from 'typebox';
import { SAMPLE_MARKET_ID } from '../../domain/sample-market.ts';
import type { MarketEntry } from '../../operations/markets.ts';
import { boolean, nullable, number, responseObject, string } from '../../schemas/members.ts';
import type { ApiDeps } from '../route.ts';
import type { ConsoleRoute } from './console-route.ts';
import { extentOf } from './market-extent.ts';

const Extent = responseObject('Extent', {
  west: number(),
  south: number(),
  east: number(),
  north: number(),
});

export const ConsoleSettingsBody = responseObject('ConsoleSettings', {
  version: string(),
  map_tiles_url: nullable.string('Tiles of the operator’s own; null = the map of what is loaded.'),
  is_sample: boolean('The generated county is loaded: none of its figures is real.'),
  markets: Type.Array(responseObject('MarketOnMap', { id: string(), extent: Extent }), {
    description:
      'What each market covers, the one with the most sales first; none before anything is loaded.',
  }),
});

type Settings = Static<typeof ConsoleSettingsBody>;

/** What every page needs to know of this installation. */
async function getConsoleSettings(deps: ApiDeps): Promise<Settings> {
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

/** What every page begins with. */
export const SETTINGS_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/settings',
    operationId: 'readConsoleSettings',
    access: 'signed_in',
    response: ConsoleSettingsBody,
    handle: getConsoleSettings,
  },
];
