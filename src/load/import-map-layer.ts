import type { JsonObject } from '../domain/json.ts';
import {
  classColumnsOf,
  LAYER_CLASSES,
  LAYER_SHAPES,
  mapClassOf,
  PUBLISHERS,
  type MapClass,
  type MapLayerKind,
} from '../domain/map-layer.ts';
import { usageError } from '../errors.ts';
import type { Feature } from './features/feature.ts';
import { openFeatures } from './features/open-features.ts';
import { importAreas } from './import-areas.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import { reject, skip } from './rejections.ts';

/** Names of columns, in order of preference: OpenStreetMap, TIGER, Geofabrik and counties. */
const NAME_COLUMNS = ['name', 'fullname', 'full_name', 'street_name', 'streetname', 'park_name', 'label'];
const ID_COLUMNS = ['@id', 'osm_id', 'linearid', 'hydroid', 'areaid', 'globalid', 'id', 'objectid'];
/** Features read to recognize the publisher. */
const PEEKED = 100;
const LONGEST_NAME = 200;

/**
 * Imports a layer that maps draw. A later import replaces features with the same id and keeps the others; features
 * without an id are replaced together, because nothing tells which of them are the same.
 */
export async function importMapLayer(
  deps: ImportDeps,
  options: ImportOptions,
  layer: MapLayerKind,
): Promise<ImportReport> {
  const { layerClass = null, files } = options;
  if (layerClass !== null && !LAYER_CLASSES[layer].includes(layerClass)) {
    throw usageError(
      `--layer-class "${layerClass}" is not a class of ${layer}. There is ${LAYER_CLASSES[layer].join(', ')}.`,
    );
  }
  const publisher = files.length === 0 ? null : await publisherOf(files[0], layer);
  const named = {
    ...options,
    sourceName: options.sourceName ?? publisher?.name ?? null,
    license: options.license ?? publisher?.license ?? null,
  };
  return importAreas(deps, named, {
    kind: layer,
    shapes: LAYER_SHAPES[layer],
    read: (properties) => readMapFeature(layer, layerClass, properties),
    keyOf: ({ id = null }) => (typeof id === 'string' ? id : ''),
    sharesKeys: true,
  });
}

/** OpenStreetMap must be named on maps, so that its name is not left to the operator. */
async function publisherOf(path: string, layer: MapLayerKind) {
  let read = 0;
  for await (const { properties } of await openFeatures(path, () => {}, LAYER_SHAPES[layer])) {
    const { publisher } = classOf(layer, properties);
    if (publisher !== null) return PUBLISHERS[publisher];
    if (++read === PEEKED) break;
  }
  return null;
}

function readMapFeature(
  layer: MapLayerKind,
  layerClass: string | null,
  properties: Feature['properties'],
): JsonObject {
  const textOf = columnsOf(properties);
  const found = mapClassOf(layer, textOf);
  const name = firstOf(NAME_COLUMNS, textOf);
  if (name !== null && /\p{Cc}/u.test(name)) reject('control_character', 'name', name);
  const id = firstOf(ID_COLUMNS, textOf);
  return {
    class: found.name ?? classOfOthers(layer, layerClass, found, textOf),
    ...(name !== null && { name: name.slice(0, LONGEST_NAME) }),
    ...(id !== null && { id }),
  };
}

function classOfOthers(
  layer: MapLayerKind,
  layerClass: string | null,
  { column, value }: MapClass,
  textOf: (column: string) => string | null,
): string {
  if (column !== null) skip('other_class', column, value ?? '');
  // An extract of OpenStreetMap has features of every layer, each with its own tags.
  if (textOf('@id') !== null) skip('other_class', '@id', textOf('@id') ?? '');
  if (layerClass !== null) return layerClass;
  if (layer !== 'roads') return LAYER_CLASSES[layer][0];
  return reject('unknown_class', classColumnsOf(layer), '');
}

function classOf(layer: MapLayerKind, properties: Feature['properties']): MapClass {
  return mapClassOf(layer, columnsOf(properties));
}

/** Texts by lowercase column name; null for empty cells. */
function columnsOf(properties: Feature['properties']): (column: string) => string | null {
  const byName = new Map(Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value]));
  return (column) => {
    const text = String(byName.get(column) ?? '').trim();
    return text === '' ? null : text;
  };
}

function firstOf(columns: readonly string[], textOf: (column: string) => string | null): string | null {
  return columns.map(textOf).find((text) => text !== null) ?? null;
}
