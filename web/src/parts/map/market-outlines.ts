import type { Feature } from 'geojson';
import type { LayerSpecification, SourceSpecification } from 'maplibre-gl';
import type { MarketExtent } from '../../api/settings.ts';
import type { MapColours } from './map-colours.ts';

/** Closer up the streets themselves tell what is loaded; in between both are seen. */
const LAST_ZOOM = 14;
const STREETS_FROM = 12;
/** Farther out a county is smaller than a letter of its name: a dot is seen. */
const DOTS_UNTIL = 6;

/** The box that a market covers, and a point in the middle of its upper edge for its name. */
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

/** Where something is loaded, seen from any distance. */
export function outlineLayers({ accent, text, halo }: MapColours, font: string[]): LayerSpecification[] {
  return [
    {
      id: 'market-fill',
      type: 'fill',
      source: 'markets',
      maxzoom: STREETS_FROM,
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
