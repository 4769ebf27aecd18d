/**
 * What the console's pages may load: files of this server, and the operator's own map tiles where MAP_TILES_URL names some. No
 * script and no style stands in a page, so that whatever gets into one by way of data does nothing.
 */
export function consolePolicy(mapTilesUrl: string | null): string {
  const tiles = mapTilesUrl === null ? '' : ` ${new URL(mapTilesUrl).origin}`;
  return [
    "default-src 'none'",
    "style-src 'self'",
    `img-src 'self' data:${tiles}`,
    "script-src 'self'",
    `connect-src 'self'${tiles}`,
    "worker-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
