/** Layers that maps draw and that have classes. Parcels are drawn from their own polygons. */
export const MAP_LAYERS = ['roads', 'water', 'parks', 'buildings', 'boundaries'] as const;
export type MapLayerKind = (typeof MAP_LAYERS)[number];

/** Most important first: the order in which they are kept if a tile would be too large. */
const ROAD_CLASSES = ['highway', 'major', 'collector', 'local', 'rail', 'service', 'path'] as const;
export type RoadClass = (typeof ROAD_CLASSES)[number];

const WATER_CLASSES = ['water', 'river', 'stream', 'wetland'] as const;
const PARK_CLASSES = ['park', 'reserve', 'wood', 'golf', 'cemetery'] as const;

/** The classes of each layer. The first is that of a file without any column of classes, except for roads. */
export const LAYER_CLASSES: Readonly<Record<MapLayerKind, readonly string[]>> = {
  roads: ROAD_CLASSES,
  water: WATER_CLASSES,
  parks: PARK_CLASSES,
  buildings: ['building'],
  boundaries: ['city'],
};

/** What the shapes of each layer are. Water has both: a lake is an area, a creek is a line. */
export const LAYER_SHAPES: Readonly<Record<MapLayerKind, 'lines' | 'areas' | 'either'>> = {
  roads: 'lines',
  water: 'either',
  parks: 'areas',
  buildings: 'areas',
  boundaries: 'areas',
};

type Publisher = 'osm' | 'tiger';

/** Publishers that are recognized by their columns, as they want to be named. */
export const PUBLISHERS: Readonly<Record<Publisher, { readonly name: string; readonly license: string }>> = {
  osm: { name: '© OpenStreetMap contributors', license: 'ODbL 1.0' },
  tiger: { name: 'US Census Bureau, TIGER/Line', license: 'Public domain' },
};

/** Values of a column as classes. Other values are not of the layer: a road that is only planned, a pool. */
type Classes = Readonly<Record<string, string>>;

interface ClassColumn {
  /** In lowercase. */
  readonly column: string;
  readonly publisher: Publisher;
  readonly classes: Classes;
}

function classesOf(lists: Readonly<Record<string, string>>): Classes {
  const pairs = Object.entries(lists).flatMap(([name, values]) =>
    values.split(' ').map((value) => [value, name] as const),
  );
  return Object.fromEntries(pairs);
}

/** https://wiki.openstreetmap.org/wiki/Map_features, and the MAF/TIGER feature class codes (MTFCC, RTTYP). */
const CLASS_COLUMNS: Readonly<Record<MapLayerKind, readonly ClassColumn[]>> = {
  roads: [
    {
      column: 'highway',
      publisher: 'osm',
      classes: classesOf({
        highway: 'motorway motorway_link trunk trunk_link',
        major: 'primary primary_link',
        collector: 'secondary secondary_link tertiary tertiary_link',
        local: 'residential unclassified living_street road',
        service: 'service busway',
        path: 'footway path cycleway steps track pedestrian bridleway corridor',
      }),
    },
    {
      column: 'railway',
      publisher: 'osm',
      classes: classesOf({ rail: 'rail light_rail subway tram narrow_gauge monorail' }),
    },
    {
      column: 'mtfcc',
      publisher: 'tiger',
      classes: classesOf({
        highway: 'S1100 S1630',
        major: 'S1200',
        local: 'S1400',
        service: 'S1640 S1730 S1740 S1780',
        path: 'S1500 S1710 S1720 S1820 S1830',
        rail: 'R1011 R1051 R1052',
      }),
    },
    {
      column: 'rttyp',
      publisher: 'tiger',
      classes: classesOf({ highway: 'I', major: 'U S', collector: 'C', local: 'M O' }),
    },
  ],
  water: [
    {
      column: 'waterway',
      publisher: 'osm',
      classes: classesOf({ water: 'riverbank dock', river: 'river canal', stream: 'stream drain ditch' }),
    },
    {
      column: 'natural',
      publisher: 'osm',
      classes: classesOf({ water: 'water bay strait', wetland: 'wetland' }),
    },
    { column: 'landuse', publisher: 'osm', classes: classesOf({ water: 'reservoir basin' }) },
    { column: 'water', publisher: 'osm', classes: classesOf({ water: 'lake pond river reservoir' }) },
    {
      column: 'mtfcc',
      publisher: 'tiger',
      classes: classesOf({
        water: 'H2030 H2040 H2041 H2051 H2053 H2060',
        wetland: 'H2025',
        // As an area, H3010 is a river that is drawn with both banks.
        river: 'H3010 H3020',
        stream: 'H3013 H1100',
      }),
    },
  ],
  parks: [
    {
      column: 'leisure',
      publisher: 'osm',
      classes: classesOf({
        park: 'park garden playground pitch common dog_park recreation_ground sports_centre',
        reserve: 'nature_reserve',
        golf: 'golf_course',
      }),
    },
    { column: 'boundary', publisher: 'osm', classes: classesOf({ reserve: 'national_park protected_area' }) },
    {
      column: 'landuse',
      publisher: 'osm',
      classes: classesOf({
        park: 'recreation_ground village_green grass meadow',
        wood: 'forest',
        cemetery: 'cemetery',
      }),
    },
    { column: 'amenity', publisher: 'osm', classes: classesOf({ cemetery: 'grave_yard' }) },
    { column: 'natural', publisher: 'osm', classes: classesOf({ wood: 'wood', park: 'grassland' }) },
    {
      column: 'mtfcc',
      publisher: 'tiger',
      classes: classesOf({
        park: 'K2180 K2181 K2185 K2188 K2189 K2190',
        reserve: 'K2182 K2183 K2184 K2186 K2187',
        golf: 'K2561',
        cemetery: 'K2582',
      }),
    },
  ],
  buildings: [{ column: 'building', publisher: 'osm', classes: {} }],
  boundaries: [{ column: 'boundary', publisher: 'osm', classes: {} }],
};

/** Shapefiles of OpenStreetMap by Geofabrik have the value of whichever tag made them part of the file. */
const ANY_TAG = 'fclass';

function columnsOf(layer: MapLayerKind): readonly ClassColumn[] {
  const columns = CLASS_COLUMNS[layer];
  const tags = columns.filter(({ publisher }) => publisher === 'osm').map(({ classes }) => classes);
  return [...columns, { column: ANY_TAG, publisher: 'osm', classes: Object.assign({}, ...tags) }];
}

/** Columns that classify a layer, for a message. */
export function classColumnsOf(layer: MapLayerKind): string {
  return columnsOf(layer)
    .map(({ column }) => column.toUpperCase())
    .join(', ');
}

/** What a feature's columns say about its class. `value` is null if no column classifies the layer. */
export interface MapClass {
  readonly publisher: Publisher | null;
  readonly column: string | null;
  readonly value: string | null;
  /** Null if the value is none of the layer's, or no column classifies it. */
  readonly name: string | null;
}

/** @param valueOf the text of a column by its lowercase name; null if there is none */
export function mapClassOf(layer: MapLayerKind, valueOf: (column: string) => string | null): MapClass {
  const found = columnsOf(layer).flatMap(({ column, publisher, classes }) => {
    const value = valueOf(column);
    if (value === null) return [];
    // Anything that has the tag is a building, whatever its value.
    const name = Object.keys(classes).length === 0 ? LAYER_CLASSES[layer][0] : (classes[value] ?? null);
    return [{ publisher, column, value, name }];
  });
  const none = { publisher: null, column: null, value: null, name: null };
  return found.find(({ name }) => name !== null) ?? found[0] ?? none;
}
