import type { Feature } from 'geojson';
import type {
  DataDrivenPropertyValueSpecification,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
} from 'maplibre-gl';
import { marketName } from '../../../../src/domain/market-name.ts';
import type { Basemap, MarketExtent } from '../../api/account.ts';
import { baseLayers, FONT, IMPORTED, nameLayers, OPENMAPTILES, PROTOMAPS } from './base-layers.ts';
import type { MapColors } from './map-colors.ts';
import { ringOf, type MapContent } from './map-content.ts';

/** Zooms that the server draws. Closer views enlarge the last one (src/operations/map/map-tiles.ts). */
const FIRST_ZOOM = 3;
const LAST_ZOOM = 16;

/** Houses appear at this zoom and show what is loaded, so the outlines of markets end here. */
const OUTLINES_UNTIL = 14;
/** Closer than this the fill of a market would tint the whole view. */
const FILL_UNTIL = 12;
/** Farther out a county is smaller than a letter of its name, so a dot marks it. */
const DOTS_UNTIL = 6;

const MIDDLE_OF_TOP_EDGE: ['==', ['geometry-type'], 'Point'] = ['==', ['geometry-type'], 'Point'];

interface StyleInputs {
  readonly colors: MapColors;
  /** "https://host", because MapLibre's worker cannot resolve relative URLs. */
  readonly origin: string;
  /** The operator's own map images, drawn instead of our layers. */
  readonly tilesUrl: string | null;
  /** The operator's archive of map tiles, drawn below our layers. */
  readonly basemap: Basemap | null;
  /** Drawn as outlines, so that loaded markets are visible when zoomed out. */
  readonly markets: readonly MarketExtent[];
  readonly content: MapContent;
  /** The colors of the content's areas and markers, resolved. */
  readonly contentColors: ReadonlyMap<string, string>;
}

/** The whole map as a MapLibre style, including the page's own content. */
export function mapStyle(inputs: StyleInputs): StyleSpecification {
  const { colors, origin, tilesUrl, basemap, markets, content, contentColors } = inputs;
  const tiles = [`${origin}/console/api/map/{z}/{x}/{y}`];
  const images: SourceSpecification | null =
    tilesUrl === null ? null : { type: 'raster', tiles: [tilesUrl], tileSize: 256 };
  return {
    version: 8,
    sources: {
      loaded: { type: 'vector', tiles, minzoom: FIRST_ZOOM, maxzoom: LAST_ZOOM },
      ...(images ? { images } : {}),
      ...(basemap && { basemap: archiveSource(basemap, origin) }),
      markets: sourceOf(outlineFeatures(markets)),
      circle: sourceOf(circleFeatures(content)),
      incidents: sourceOf(incidentFeatures(content, contentColors)),
      areas: sourceOf(areaFeatures(content, contentColors)),
      labels: sourceOf(labelFeatures(content)),
    },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': colors.ground } },
      ...(images
        ? [{ id: 'images', type: 'raster', source: 'images' } as const]
        : [...archiveLayers(basemap, colors), ...baseLayers(IMPORTED, colors), ...plainLayers(colors)]),
      ...areaLayers(colors),
      ...(images
        ? []
        : [...archiveNames(basemap, colors), ...nameLayers(IMPORTED, colors), ...labelLayers(colors)]),
      // Labels of later layers win: market names take precedence over county names.
      ...outlineLayers(colors),
      ...contentLayers(colors),
    ],
  };
}

/** Tiles of the archive come from our own server. */
function archiveSource({ schema, min_zoom, max_zoom }: Basemap, origin: string): SourceSpecification {
  const tiles = [`${origin}/console/api/basemap/{z}/{x}/{y}`];
  const zooms = { tiles, minzoom: min_zoom, maxzoom: max_zoom };
  return schema === 'images' ? { type: 'raster', tileSize: 256, ...zooms } : { type: 'vector', ...zooms };
}

function archiveLayers(basemap: Basemap | null, colors: MapColors): LayerSpecification[] {
  if (basemap === null) return [];
  if (basemap.schema === 'images') return [{ id: 'basemap', type: 'raster', source: 'basemap' }];
  return baseLayers(basemap.schema === 'protomaps' ? PROTOMAPS : OPENMAPTILES, colors);
}

function archiveNames(basemap: Basemap | null, colors: MapColors): LayerSpecification[] {
  if (basemap === null || basemap.schema === 'images') return [];
  return nameLayers(basemap.schema === 'protomaps' ? PROTOMAPS : OPENMAPTILES, colors);
}

function sourceOf(features: Feature[]): SourceSpecification {
  return { type: 'geojson', data: { type: 'FeatureCollection', features } };
}

/** Layers of the tiles: areas as lines, houses as dots. */
function plainLayers({ edge, house }: MapColors): LayerSpecification[] {
  const line = (layer: string, minzoom: number, paint: LinePaint): LayerSpecification => ({
    id: layer,
    type: 'line',
    source: 'loaded',
    'source-layer': layer,
    minzoom,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': edge, ...paint },
  });
  return [
    line('block_groups', 12, { 'line-opacity': 0.35, 'line-width': 0.6 }),
    line('tracts', 9, { 'line-opacity': 0.5, 'line-width': 0.8 }),
    line('counties', 0, { 'line-width': growing(4, 0.5, 12, 2) }),
    {
      id: 'houses',
      type: 'circle',
      source: 'loaded',
      'source-layer': 'addresses',
      minzoom: 14,
      paint: { 'circle-color': house, 'circle-radius': growing(14, 1, 18, 4) },
    },
  ];
}

type LinePaint = NonNullable<Extract<LayerSpecification, { type: 'line' }>['paint']>;

/** A width that grows between two zooms as the scale doubles. */
function growing(
  fromZoom: number,
  min: number,
  toZoom: number,
  max: number,
): DataDrivenPropertyValueSpecification<number> {
  return ['interpolate', ['exponential', 1.6], ['zoom'], fromZoom, min, toZoom, max];
}

function labelLayers({ quiet, ground }: MapColors): LayerSpecification[] {
  const paint = { 'text-color': quiet, 'text-halo-color': ground, 'text-halo-width': 1.4 };
  return [
    {
      id: 'house-numbers',
      type: 'symbol',
      source: 'loaded',
      'source-layer': 'addresses',
      minzoom: 17,
      layout: {
        ...FONT,
        'text-field': ['get', 'number'],
        'text-size': 10,
        'text-padding': 4,
        'text-anchor': 'bottom',
        'text-offset': [0, -0.4],
      },
      paint,
    },
    {
      id: 'county-names',
      type: 'symbol',
      source: 'loaded',
      'source-layer': 'counties',
      minzoom: 6,
      maxzoom: 11,
      layout: { ...FONT, 'text-field': ['get', 'name'], 'text-size': 12, 'text-padding': 40 },
      paint,
    },
  ];
}

/** Outlines, dots and names of the loaded markets. */
function outlineLayers({ accent, text, ground }: MapColors): LayerSpecification[] {
  const source = 'markets';
  return [
    {
      id: 'market-fill',
      type: 'fill',
      source,
      maxzoom: FILL_UNTIL,
      paint: { 'fill-color': accent, 'fill-opacity': 0.08 },
    },
    {
      id: 'market-line',
      type: 'line',
      source,
      maxzoom: OUTLINES_UNTIL,
      layout: { 'line-join': 'round' },
      paint: { 'line-color': accent, 'line-width': 1.5 },
    },
    {
      id: 'market-dots',
      type: 'circle',
      source,
      filter: MIDDLE_OF_TOP_EDGE,
      maxzoom: DOTS_UNTIL,
      paint: {
        'circle-radius': 5,
        'circle-color': accent,
        'circle-stroke-color': ground,
        'circle-stroke-width': 1,
      },
    },
    {
      id: 'market-names',
      type: 'symbol',
      source,
      filter: MIDDLE_OF_TOP_EDGE,
      maxzoom: OUTLINES_UNTIL,
      layout: {
        ...FONT,
        'text-field': ['get', 'name'],
        'text-size': 13,
        'text-anchor': 'bottom',
        'text-offset': [0, -0.5],
      },
      paint: { 'text-color': text, 'text-halo-color': ground, 'text-halo-width': 1.6 },
    },
  ];
}

/** The fill of areas, which pages listen to. */
export const AREA_FILL = 'area-fill';
export const INCIDENT_DOTS = 'incident-dots';

function areaLayers({ text, edge }: MapColors): LayerSpecification[] {
  return [
    {
      id: AREA_FILL,
      type: 'fill',
      source: 'areas',
      paint: { 'fill-color': ['get', 'color'], 'fill-opacity': ['get', 'opacity'] },
    },
    {
      id: 'area-line',
      type: 'line',
      source: 'areas',
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': ['case', ['get', 'is_selected'], text, edge],
        'line-width': ['case', ['get', 'is_selected'], 3, 0.6],
      },
    },
  ];
}

function contentLayers({ accent, incident, text, edge, ground }: MapColors): LayerSpecification[] {
  return [
    {
      id: 'circle-line',
      type: 'line',
      source: 'circle',
      paint: { 'line-color': accent, 'line-width': 1.5, 'line-dasharray': [3, 2] },
    },
    {
      id: INCIDENT_DOTS,
      type: 'circle',
      source: 'incidents',
      paint: {
        // Colors can be distinguished only on larger dots.
        'circle-radius': [
          'interpolate',
          ['linear'],
          ['zoom'],
          10,
          ['case', ['has', 'color'], 4, 2.5],
          16,
          ['case', ['has', 'color'], 7, 5.5],
        ],
        'circle-color': ['coalesce', ['get', 'color'], incident],
        'circle-opacity': 0.75,
        'circle-stroke-width': ['case', ['get', 'is_selected'], 3, 1],
        // The palest color of a scale is that of the ground.
        'circle-stroke-color': ['case', ['get', 'is_selected'], text, ['has', 'color'], edge, ground],
      },
    },
    {
      id: 'labels',
      type: 'symbol',
      source: 'labels',
      layout: {
        ...FONT,
        'text-field': ['get', 'text'],
        'text-size': 12,
        'text-variable-anchor-offset': [
          'case',
          ['get', 'is_beside'],
          ['literal', ['left', [0.7, 0], 'right', [-0.7, 0], 'top', [0, 0.6], 'bottom', [0, -0.6]]],
          ['literal', ['center', [0, 0]]],
        ],
      },
      paint: { 'text-color': text, 'text-halo-color': ground, 'text-halo-width': 1.6 },
    },
    {
      // Labels avoid texts but not dots, so each labeled dot has an invisible text. The top layer is placed first.
      id: 'room-of-dots',
      type: 'symbol',
      source: 'labels',
      filter: ['get', 'is_beside'],
      layout: { ...FONT, 'text-field': 'O', 'text-size': 8, 'text-padding': 0, 'text-allow-overlap': true },
      paint: { 'text-color': 'transparent' },
    },
  ];
}

/** The bounding box of each market, and a point in the middle of its upper edge for its name. */
function outlineFeatures(markets: readonly MarketExtent[]): Feature[] {
  return markets.flatMap(({ id, extent: { west, south, east, north } }): Feature[] => {
    const properties = { name: marketName(id) };
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    return [
      { type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] }, properties },
      { type: 'Feature', geometry: { type: 'Point', coordinates: [(west + east) / 2, north] }, properties },
    ];
  });
}

function circleFeatures({ circle }: MapContent): Feature[] {
  if (circle === null) return [];
  return [{ type: 'Feature', geometry: { type: 'LineString', coordinates: ringOf(circle) }, properties: {} }];
}

/** The selected one is last, so that its line is above those of its neighbors. */
function areaFeatures({ areas, selectedId }: MapContent, colors: ReadonlyMap<string, string>): Feature[] {
  const features = areas.map(({ id, color, opacity, outline }): Feature => ({
    type: 'Feature',
    geometry: {
      type: 'MultiPolygon',
      coordinates: outline.map((rings) => rings.map((ring) => ring.map(([lon, lat]) => [lon, lat]))),
    },
    properties: { id, opacity, color: colors.get(color), is_selected: id === selectedId },
  }));
  return features.toSorted((a, b) => Number(a.properties?.is_selected) - Number(b.properties?.is_selected));
}

function labelFeatures({ labels }: MapContent): Feature[] {
  return labels.map(({ text, isBeside, latitude, longitude }) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
    properties: { text, is_beside: isBeside },
  }));
}

function incidentFeatures(
  { markers, selectedId }: MapContent,
  colors: ReadonlyMap<string, string>,
): Feature[] {
  return markers
    .filter(({ kind }) => kind === 'incident')
    .map(({ id, title, color, latitude, longitude }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties: {
        id,
        title,
        is_selected: id === selectedId,
        ...(color && { color: colors.get(color) }),
      },
    }));
}
