import type {
  DataDrivenPropertyValueSpecification,
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
} from 'maplibre-gl';
import type { MapColors } from './map-colors.ts';

/** Fonts of the browser: none are downloaded. */
export const FONT = { 'text-font': ['system-ui', 'sans-serif'] };

/** Where the background of a map is, and what its layers are called there. */
interface BaseTiles {
  /** The source, and a prefix of ids. */
  readonly source: string;
  readonly water: readonly string[];
  readonly parks: readonly TileLayer[];
  readonly buildings: string | null;
  readonly boundaries: string | null;
  readonly parcels: string | null;
  readonly roads: string;
  /** A layer of its own with the names of roads, if they are not in `roads`. */
  readonly roadNames: string | null;
  /** Values of `road` by kind, each with those of one tile schema. */
  readonly kinds: Readonly<Record<RoadKind, ExpressionSpecification>>;
}

interface TileLayer {
  readonly layer: string;
  readonly filter?: FilterSpecification;
}

type RoadKind = 'highway' | 'major' | 'collector' | 'local' | 'service' | 'path' | 'rail';

const isOneOf = (member: string, ...values: string[]): ExpressionSpecification => [
  'in',
  ['get', member],
  ['literal', values],
];

/** Layers that were imported here (src/domain/map-layer.ts). */
export const IMPORTED: BaseTiles = {
  source: 'loaded',
  water: ['water'],
  parks: [{ layer: 'parks' }],
  buildings: 'buildings',
  boundaries: 'boundaries',
  parcels: 'parcels',
  roads: 'roads',
  roadNames: null,
  kinds: {
    highway: isOneOf('class', 'highway'),
    major: isOneOf('class', 'major'),
    collector: isOneOf('class', 'collector'),
    local: isOneOf('class', 'local'),
    service: isOneOf('class', 'service'),
    path: isOneOf('class', 'path'),
    rail: isOneOf('class', 'rail'),
  },
};

/** https://docs.protomaps.com/basemaps/layers */
export const PROTOMAPS: BaseTiles = {
  source: 'basemap',
  water: ['water'],
  parks: [
    {
      layer: 'landuse',
      filter: isOneOf(
        'kind',
        'park',
        'national_park',
        'nature_reserve',
        'protected_area',
        'forest',
        'wood',
        'golf_course',
        'cemetery',
        'grass',
        'recreation_ground',
        'playground',
      ),
    },
  ],
  buildings: 'buildings',
  boundaries: 'boundaries',
  parcels: null,
  roads: 'roads',
  roadNames: null,
  kinds: {
    highway: isOneOf('kind', 'highway'),
    major: ['all', isOneOf('kind', 'major_road'), isOneOf('kind_detail', 'trunk', 'primary')],
    collector: [
      'all',
      isOneOf('kind', 'major_road', 'medium_road'),
      ['!', isOneOf('kind_detail', 'trunk', 'primary')],
    ],
    local: ['all', isOneOf('kind', 'minor_road'), ['!', isOneOf('kind_detail', 'service')]],
    service: isOneOf('kind_detail', 'service'),
    path: isOneOf('kind', 'path', 'other'),
    rail: isOneOf('kind', 'rail'),
  },
};

/** https://openmaptiles.org/schema */
export const OPENMAPTILES: BaseTiles = {
  source: 'basemap',
  water: ['water', 'waterway'],
  parks: [
    { layer: 'park' },
    { layer: 'landcover', filter: isOneOf('class', 'grass', 'wood') },
    { layer: 'landuse', filter: isOneOf('class', 'cemetery', 'pitch', 'playground') },
  ],
  buildings: 'building',
  boundaries: 'boundary',
  parcels: null,
  roads: 'transportation',
  roadNames: 'transportation_name',
  kinds: {
    highway: isOneOf('class', 'motorway', 'trunk'),
    major: isOneOf('class', 'primary'),
    collector: isOneOf('class', 'secondary', 'tertiary'),
    local: isOneOf('class', 'minor'),
    service: isOneOf('class', 'service', 'track'),
    path: isOneOf('class', 'path'),
    rail: isOneOf('class', 'rail', 'transit'),
  },
};

/** Width in pixels at zooms 8, 12, 15 and 19, and the first zoom. */
const ROADS: readonly (readonly [RoadKind, first: number, ...widths: number[]])[] = [
  ['service', 14, 0, 0, 1.4, 8],
  ['local', 12, 0, 0.6, 3.4, 18],
  ['collector', 10, 0, 1.3, 4.8, 22],
  ['major', 8, 0.5, 1.9, 6, 26],
  ['highway', 5, 0.9, 2.6, 7.5, 30],
];
/** From here on roads have an edge. Farther out it would be wider than the road. */
const EDGE_FROM = 12.5;

type Width = DataDrivenPropertyValueSpecification<number>;

function widthOf([at8, at12, at15, at19]: readonly number[], more = 0): Width {
  const curve: ['exponential', number] = ['exponential', 1.5];
  return ['interpolate', curve, ['zoom'], 8, at8 + more, 12, at12 + more, 15, at15 + more, 19, at19 + more];
}

const IS_AREA: FilterSpecification = ['==', ['geometry-type'], 'Polygon'];
/** Names of areas are points of their own. */
const IS_LABEL: FilterSpecification = ['==', ['geometry-type'], 'Point'];
const IS_LINE: FilterSpecification = ['==', ['geometry-type'], 'LineString'];

/** Water, parks, buildings, parcels, city limits and roads, in the order in which they are drawn. */
export function baseLayers(tiles: BaseTiles, colors: MapColors): LayerSpecification[] {
  const { source, parks, water, buildings, parcels, boundaries } = tiles;
  const named = (id: string): string => `${source}-${id}`;
  return [
    ...parks.map(({ layer, filter }): LayerSpecification => ({
      id: named(`${layer}-green`),
      type: 'fill',
      source,
      'source-layer': layer,
      ...(filter && { filter }),
      paint: { 'fill-color': greenOf(colors) },
    })),
    ...water.flatMap((layer): LayerSpecification[] => [
      {
        id: named(`${layer}-areas`),
        type: 'fill',
        source,
        'source-layer': layer,
        filter: IS_AREA,
        paint: {
          'fill-color': colors.water,
          'fill-opacity': ['match', ['get', 'class'], 'wetland', 0.45, 1],
        },
      },
      {
        id: named(`${layer}-lines`),
        type: 'line',
        source,
        'source-layer': layer,
        filter: IS_LINE,
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: {
          'line-color': colors.water,
          'line-width': widthOf([0.6, 1.4, 2.4, 6]),
        },
      },
    ]),
    ...layerOf(parcels, (layer) => ({
      id: named('parcels'),
      type: 'line',
      source,
      'source-layer': layer,
      minzoom: 15,
      paint: {
        'line-color': colors.parcel,
        'line-width': 0.7,
        'line-opacity': ['interpolate', ['linear'], ['zoom'], 15, 0, 16, 1],
      },
    })),
    ...layerOf(buildings, (layer) => ({
      id: named('buildings'),
      type: 'fill',
      source,
      'source-layer': layer,
      minzoom: 14,
      paint: {
        'fill-color': colors.building,
        'fill-outline-color': colors.parcel,
        'fill-opacity': ['interpolate', ['linear'], ['zoom'], 14, 0, 15, 1],
      },
    })),
    ...roadLayers(tiles, colors),
    ...layerOf(boundaries, (layer) => ({
      id: named('boundaries'),
      type: 'line',
      source,
      'source-layer': layer,
      paint: {
        'line-color': colors.quiet,
        'line-width': 1,
        'line-dasharray': [4, 3],
        'line-opacity': 0.6,
      },
    })),
  ];
}

/** The layer, where the tiles have it. */
function layerOf(name: string | null, draw: (layer: string) => LayerSpecification): LayerSpecification[] {
  return name === null ? [] : [draw(name)];
}

type SymbolLayout = NonNullable<Extract<LayerSpecification, { type: 'symbol' }>['layout']>;

function greenOf({ park, wood }: MapColors): ExpressionSpecification {
  const kind: ExpressionSpecification = ['coalesce', ['get', 'class'], ['get', 'kind'], ''];
  return ['match', kind, ['wood', 'forest', 'reserve', 'nature_reserve'], wood, park];
}

function roadLayers({ source, roads, kinds }: BaseTiles, colors: MapColors): LayerSpecification[] {
  const part = (id: string, filter: FilterSpecification, minzoom: number) =>
    ({ id: `${source}-${id}`, type: 'line', source, 'source-layer': roads, filter, minzoom }) as const;
  const layout = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const fillOf = (kind: RoadKind): string =>
    kind === 'highway' ? colors.highway : kind === 'major' ? colors.majorRoad : colors.road;
  return [
    {
      ...part('path', kinds.path, 14),
      paint: { 'line-color': colors.roadEdge, 'line-width': 1, 'line-dasharray': [2, 1.5] },
    },
    // All edges are below all roads, so that crossings are open.
    ...ROADS.map(([kind, , ...widths]): LayerSpecification => ({
      ...part(`${kind}-edge`, kinds[kind], kind === 'service' ? 15 : EDGE_FROM),
      layout,
      paint: {
        'line-color': kind === 'highway' ? colors.highwayEdge : colors.roadEdge,
        'line-width': widthOf(widths, 1.6),
      },
    })),
    ...ROADS.map(([kind, first, ...widths]): LayerSpecification => ({
      ...part(kind, kinds[kind], first),
      layout,
      paint: { 'line-color': fillOf(kind), 'line-width': widthOf(widths) },
    })),
    {
      ...part('rail', kinds.rail, 10),
      paint: { 'line-color': colors.rail, 'line-width': widthOf([0.5, 0.9, 1.6, 3]) },
    },
    {
      ...part('rail-ties', kinds.rail, 14),
      paint: { 'line-color': colors.rail, 'line-width': widthOf([0, 0, 5, 9]), 'line-dasharray': [0.2, 2] },
    },
  ];
}

/** Names of roads along them, and of water, parks and cities. */
export function nameLayers(tiles: BaseTiles, colors: MapColors): LayerSpecification[] {
  const { source, roads, roadNames, water, parks, boundaries } = tiles;
  const text = (color: string) => ({
    'text-color': color,
    'text-halo-color': colors.ground,
    'text-halo-width': 1.4,
  });
  const along: SymbolLayout = { ...FONT, 'text-field': ['get', 'name'], 'symbol-placement': 'line' };
  return [
    {
      id: `${source}-road-names`,
      type: 'symbol',
      source,
      'source-layer': roadNames ?? roads,
      minzoom: 13,
      layout: {
        ...along,
        'text-size': ['interpolate', ['linear'], ['zoom'], 13, 10, 17, 12.5],
        'symbol-spacing': 320,
        'text-padding': 6,
      },
      paint: text(colors.label),
    },
    {
      id: `${source}-water-names`,
      type: 'symbol',
      source,
      'source-layer': water[0],
      minzoom: 11,
      filter: IS_LABEL,
      layout: { ...FONT, 'text-field': ['get', 'name'], 'text-size': 11.5, 'text-max-width': 7 },
      paint: { 'text-color': colors.waterLabel, 'text-halo-color': colors.water, 'text-halo-width': 1 },
    },
    ...parks.map(({ layer }): LayerSpecification => ({
      id: `${source}-${layer}-names`,
      type: 'symbol',
      source,
      'source-layer': layer,
      minzoom: 13.5,
      filter: IS_LABEL,
      layout: {
        ...FONT,
        'text-field': ['get', 'name'],
        'text-size': 11,
        'text-max-width': 7,
        'text-padding': 8,
      },
      paint: { 'text-color': colors.parkLabel, 'text-halo-color': colors.park, 'text-halo-width': 1.2 },
    })),
    ...layerOf(boundaries, (layer) => ({
      id: `${source}-city-names`,
      type: 'symbol',
      source,
      'source-layer': layer,
      minzoom: 8,
      maxzoom: 13,
      filter: IS_LABEL,
      layout: { ...FONT, 'text-field': ['get', 'name'], 'text-size': 13 },
      paint: text(colors.text),
    })),
  ];
}
