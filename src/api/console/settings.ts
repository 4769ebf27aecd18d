import type { MarketEntry } from '../../operations/market-data/market-catalog.ts';
import { Type } from 'typebox';
import { SAMPLE_MARKET_ID } from '../../domain/market-id.ts';
import { BASEMAP_SCHEMAS, type BasemapArchive } from '../../operations/map/basemap-archive.ts';
import { mapSourcesOf } from '../../operations/map/map-sources.ts';
import { boolean, integer, nullable, oneOf, responseObject, string } from '../../schemas/members.ts';
import { VERSION } from '../../version.ts';
import { type ConsoleRoute, get } from './console-route.ts';
import { extentOf } from './markets/market-members.ts';
import { extentMembers } from './markets/market-schemas.ts';

export const ConsoleSettingsBody = responseObject('ConsoleSettings', {
  version: string(),
  map_tiles_url: nullable.string('The operator’s own map tiles; null = a map of what is loaded.'),
  basemap: nullable.object(
    responseObject('Basemap', {
      schema: oneOf(BASEMAP_SCHEMAS, 'How its layers are named; images = tiles of images.'),
      min_zoom: integer(),
      max_zoom: integer(),
      attribution: string(),
    }),
    'The operator’s archive of map tiles.',
  ),
  map_sources: Type.Array(
    responseObject('MapSource', {
      layers: Type.Array(string(), { description: 'Kinds of data.' }),
      source: string(),
      date: nullable.string('When the files were downloaded; otherwise, when they were imported.'),
      extent: nullable.object(responseObject('SourceExtent', extentMembers)),
    }),
    { description: 'What maps draw, for their attribution.' },
  ),
  is_sample: boolean('Whether the generated county is loaded. Its data are not real.'),
  markets: Type.Array(
    responseObject('MarketOnMap', { id: string(), extent: responseObject('Extent', extentMembers) }),
    {
      description: 'Markets with any data, most sales first: maps open at the first.',
    },
  ),
});

function basemapMembers(basemap: BasemapArchive | null) {
  if (basemap === null) return null;
  const { schema, minZoom, maxZoom, attribution } = basemap;
  return { schema, minZoom, maxZoom, attribution };
}

/** What every page needs to know about this installation. */
export const SETTINGS_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/settings', 'readConsoleSettings', 'signed_in', {
    response: ConsoleSettingsBody,
    handle: async ({ deps }) => {
      const markets = await deps.operations.markets.list();
      const salesOf = ({ sales }: MarketEntry): number => sales?.rowCount ?? 0;
      return {
        version: VERSION,
        mapTilesUrl: deps.config.mapTilesUrl,
        basemap: basemapMembers(deps.basemap),
        mapSources: mapSourcesOf(await deps.operations.markets.datasets()),
        isSample: markets.some(({ marketId }) => marketId === SAMPLE_MARKET_ID),
        markets: markets
          .toSorted((a, b) => salesOf(b) - salesOf(a) || (a.marketId < b.marketId ? -1 : 1))
          .flatMap((entry) => {
            const extent = extentOf(entry);
            return extent === null ? [] : [{ id: entry.marketId, extent }];
          }),
      };
    },
  }),
];
