import type { ConsoleSettings } from '../../api/account.ts';
import { formatDay } from '../format.ts';
import type { Box } from './map-content.ts';

const LAYER_NAMES: Readonly<Record<string, string>> = {
  'parcel-areas': 'parcels',
  boundaries: 'city limits',
};

/** The sources of what the map draws in a box, as HTML: the library has no other form. */
export function attributionOf(
  { map_tiles_url: tilesUrl, basemap, map_sources }: ConsoleSettings,
  [west, south, east, north]: Box,
): string {
  if (tilesUrl !== null) return escaped(`Images from ${new URL(tilesUrl).host}`);
  const sources = map_sources.filter(
    ({ extent }) =>
      extent === null ||
      (extent.south <= north && south <= extent.north && extent.west <= east && west <= extent.east),
  );
  const parts = sources.map(({ layers, source, date }) => {
    const names =
      sources.length === 1 ? 'map' : layers.map((layer) => LAYER_NAMES[layer] ?? layer).join(', ');
    return `${names.charAt(0).toUpperCase()}${names.slice(1)}: ${source}${date === null ? '' : `, ${formatDay(date)}`}`;
  });
  const all = [...(basemap ? [basemap.attribution] : []), ...parts];
  return escaped(all.length === 0 ? 'Drawn from the data loaded here' : all.join(' · '));
}

/** Operators write these names. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
