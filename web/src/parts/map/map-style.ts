import type { Feature, Geometry } from 'geojson';
import type {
  DataDrivenPropertyValueSpecification,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
} from 'maplibre-gl';
import type { MarketExtent } from '../../api/settings.ts';
import type { MapColors } from './map-colors.ts';
import { ringOf, type MapContent } from './map-content.ts';
import { outlineLayers, outlineSource } from './market-outlines.ts';

/** Zooms that the server draws. Closer views enlarge the last one (src/operations/map-tiles.ts). */
const FIRST_ZOOM = 3;
const LAST_ZOOM = 16;

/** Fonts of the browser: none are downloaded. */
const FONT = ['system-ui', 'sans-serif'];

export interface StyleInputs {
  readonly colors: MapColors;
  /** "https://host", because MapLibre's worker cannot resolve relative URLs. */
  readonly origin: string;
  /** The operator's own map images, drawn instead of our layers. */
  readonly tilesUrl: string | null;
  /** Drawn as outlines, so that loaded markets are visible when zoomed out. */
  readonly markets: readonly MarketExtent[];
  readonly content: MapContent;
}

/** The whole map as a MapLibre style, including the page's own content. */
export function mapStyle(inputs: StyleInputs): StyleSpecification {
  const { colors, origin, tilesUrl, markets, content } = inputs;
  const loaded: SourceSpecification = {
    type: 'vector',
    tiles: [`${origin}/console/api/map/{z}/{x}/{y}`],
    minzoom: FIRST_ZOOM,
    maxzoom: LAST_ZOOM,
  };
  const images: SourceSpecification | null =
    tilesUrl === null ? null : { type: 'raster', tiles: [tilesUrl], tileSize: 256 };
  return {
    version: 8,
    sources: {
      loaded,
      ...(images ? { images } : {}),
      markets: outlineSource(markets),
      areas: { type: 'geojson', data: { type: 'FeatureCollection', features: areaFeatures(content) } },
      circle: { type: 'geojson', data: { type: 'FeatureCollection', features: circleFeatures(content) } },
      incidents: {
        type: 'geojson',
        data: { type: 'FeatureCollection', features: incidentFeatures(content) },
      },
    },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': colors.ground } },
      ...(images ? [{ id: 'images', type: 'raster', source: 'images' } as const] : plainLayers(colors)),
      ...(images ? [] : labelLayers(colors)),
      // Labels of later layers win: market names take precedence over county names.
      ...outlineLayers(colors, FONT),
      ...contentLayers(colors),
    ],
  };
}

function plainLayers(colors: MapColors): LayerSpecification[] {
  const line = (id: string, layer: string, paint: LinePaint, minzoom = 0): LayerSpecification => ({
    id,
    type: 'line',
    source: 'loaded',
    'source-layer': layer,
    minzoom,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint,
  });
  return [
    line(
      'block-groups',
      'block_groups',
      { 'line-color': colors.area, 'line-opacity': 0.35, 'line-width': 0.6 },
      12,
    ),
    line('tracts', 'tracts', { 'line-color': colors.area, 'line-opacity': 0.5, 'line-width': 0.8 }, 9),
    line('counties', 'counties', { 'line-color': colors.county, 'line-width': wider(4, 0.5, 12, 2) }),
    {
      id: 'houses',
      type: 'circle',
      source: 'loaded',
      'source-layer': 'addresses',
      minzoom: 14,
      paint: { 'circle-color': colors.house, 'circle-radius': wider(14, 1, 18, 4) },
    },
  ];
}

type LinePaint = Extract<LayerSpecification, { type: 'line' }>['paint'];

/** Grows from one zoom to another as the map doubles. */
function wider(
  from: number,
  least: number,
  to: number,
  most: number,
): DataDrivenPropertyValueSpecification<number> {
  return ['interpolate', ['exponential', 1.6], ['zoom'], from, least, to, most];
}

function labelLayers(colors: MapColors): LayerSpecification[] {
  const halo = { 'text-halo-color': colors.halo, 'text-halo-width': 1.4 };
  return [
    {
      id: 'house-numbers',
      type: 'symbol',
      source: 'loaded',
      'source-layer': 'addresses',
      minzoom: 17,
      layout: {
        'text-field': ['get', 'number'],
        'text-font': FONT,
        'text-size': 10,
        'text-padding': 4,
        'text-anchor': 'bottom',
        'text-offset': [0, -0.4],
      },
      paint: { 'text-color': colors.quiet, ...halo },
    },
    {
      id: 'county-names',
      type: 'symbol',
      source: 'loaded',
      'source-layer': 'counties',
      minzoom: 6,
      maxzoom: 11,
      layout: { 'text-field': ['get', 'name'], 'text-font': FONT, 'text-size': 12, 'text-padding': 40 },
      paint: { 'text-color': colors.quiet, ...halo },
    },
  ];
}

function contentLayers(colors: MapColors): LayerSpecification[] {
  return [
    {
      id: 'area-fill',
      type: 'fill',
      source: 'areas',
      filter: ['has', 'value'],
      paint: {
        'fill-color': [
          'interpolate',
          ['linear'],
          ['get', 'value'],
          -1,
          colors.low,
          0,
          colors.halo,
          1,
          colors.high,
        ],
        'fill-opacity': 0.65,
      },
    },
    {
      id: 'area-line',
      type: 'line',
      source: 'areas',
      paint: { 'line-color': colors.accent, 'line-width': 1.5 },
    },
    {
      id: 'circle-line',
      type: 'line',
      source: 'circle',
      paint: { 'line-color': colors.accent, 'line-width': 1.5, 'line-dasharray': [3, 2] },
    },
    {
      id: 'incident-dots',
      type: 'circle',
      source: 'incidents',
      paint: {
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 10, 2.5, 16, 5.5],
        'circle-color': colors.incident,
        'circle-opacity': 0.75,
        'circle-stroke-width': ['case', ['get', 'is_selected'], 3, 1],
        'circle-stroke-color': ['case', ['get', 'is_selected'], colors.text, colors.halo],
      },
    },
  ];
}

type Drawn = Feature;

function areaFeatures({ areas }: MapContent): Drawn[] {
  return areas.map(({ id, title, geometry, value }) => ({
    type: 'Feature',
    geometry: plainGeometry(geometry),
    properties: { id, title, ...(value === null || value === undefined ? {} : { value }) },
  }));
}

function circleFeatures({ circle }: MapContent): Drawn[] {
  if (circle === null) return [];
  return [{ type: 'Feature', geometry: { type: 'LineString', coordinates: ringOf(circle) }, properties: {} }];
}

function incidentFeatures({ markers, selectedId }: MapContent): Drawn[] {
  return markers
    .filter(({ kind }) => kind === 'incident')
    .map(({ id, title, latitude, longitude }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties: { id, title, is_selected: id === selectedId },
    }));
}

/** Copied, because MapLibre keeps the arrays it receives. */
function plainGeometry(geometry: MapContent['areas'][number]['geometry']): Geometry {
  const pairs = (ring: readonly (readonly number[])[]): number[][] => ring.map((pair) => [...pair]);
  if (geometry.type === 'Polygon') return { type: 'Polygon', coordinates: geometry.coordinates.map(pairs) };
  return { type: 'MultiPolygon', coordinates: geometry.coordinates.map((rings) => rings.map(pairs)) };
}
