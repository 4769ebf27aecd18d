import type { Feature } from 'geojson';
import type { LayerSpecification, SourceSpecification } from 'maplibre-gl';
import type { MarketExtent } from '../../api/settings.ts';
import type { MapColors } from './map-colors.ts';

/** Houses appear at this zoom and show what is loaded, so the outline ends here. */
const LAST_ZOOM = 14;
/** Closer than this the fill would tint the whole view. */
const FILL_UNTIL = 12;
/** Farther out a county is smaller than a letter of its name, so a dot marks it. */
const DOTS_UNTIL = 6;

/** A market's bounding box, and a point in the middle of its upper edge for its name. */
export function outlineFeatures(markets: readonly MarketExtent[]): Feature[] {
  return markets.flatMap(({ id, extent: { west, south, east, north } }): Feature[] => {
    const [middle, properties] = [(west + east) / 2, { id }];
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    return [
      { type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] }, properties },
      { type: 'Feature', geometry: { type: 'Point', coordinates: [middle, north] }, properties },
    ];
  });
}

export function outlineSource(markets: readonly MarketExtent[]): SourceSpecification {
  return { type: 'geojson', data: { type: 'FeatureCollection', features: outlineFeatures(markets) } };
}

/** Outlines, dots and names of the loaded markets. */
export function outlineLayers({ accent, text, halo }: MapColors, font: string[]): LayerSpecification[] {
  return [
    {
      id: 'market-fill',
      type: 'fill',
      source: 'markets',
      maxzoom: FILL_UNTIL,
      paint: { 'fill-color': accent, 'fill-opacity': 0.08 },
    },
    {
      id: 'market-line',
      type: 'line',
      source: 'markets',
      maxzoom: LAST_ZOOM,
      layout: { 'line-join': 'round' },
      paint: { 'line-color': accent, 'line-width': 1.5 },
    },
    {
      id: 'market-dots',
      type: 'circle',
      source: 'markets',
      filter: ['==', ['geometry-type'], 'Point'],
      maxzoom: DOTS_UNTIL,
      paint: {
        'circle-radius': 5,
        'circle-color': accent,
        'circle-stroke-color': halo,
        'circle-stroke-width': 1,
      },
    },
    {
      id: 'market-names',
      type: 'symbol',
      source: 'markets',
      filter: ['==', ['geometry-type'], 'Point'],
      maxzoom: LAST_ZOOM,
      layout: {
        'text-field': ['get', 'id'],
        'text-font': font,
        'text-size': 13,
        'text-anchor': 'bottom',
        'text-offset': [0, -0.5],
      },
      paint: { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1.6 },
    },
  ];
}
