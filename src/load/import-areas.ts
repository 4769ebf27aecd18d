import { createHash } from 'node:crypto';
import type { JsonObject } from '../domain/json.ts';
import { usageError } from '../errors.ts';
import { decodeAreaLayer, encodeAreaLayer, shapesOf } from '../geo/areas/area-layer.ts';
import { buildAreaMap } from '../geo/areas/area-map.ts';
import type { AreaShape } from '../geo/areas/area-shape.ts';
import { getBlob } from '../store/blobs.ts';
import type { Dataset } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';
import type { MapLayerKind } from '../domain/map-layer.ts';
import type { Feature, WantedShapes } from './features/feature.ts';
import { openFeatures } from './features/open-features.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import { currentVersion, runImport } from './import-run.ts';
import { checkRejects } from './nothing-loaded.ts';
import { startPass, type OpenFile, type Pass } from './read-files.ts';
import { reject, RowRejection } from './rejections.ts';

/** The parts of an import that differ between kinds of areas. */
interface AreaKind {
  readonly kind: 'census-areas' | 'flood' | 'parcel-areas' | MapLayerKind;
  /** Areas if missing. */
  readonly shapes?: WantedShapes;
  /** Reads a feature's properties. Throws a RowRejection if they are invalid or out of scope. */
  readonly read: (properties: Feature['properties'], path: string) => JsonObject;
  /** The key by which a later import replaces an area. */
  readonly keyOf: (record: JsonObject) => string;
  /** Whether several different areas of one import may share a key; all of them are replaced together. */
  readonly sharesKeys?: boolean;
  /** Throws if the keys of the files cannot be right. */
  readonly check?: (keys: readonly string[]) => Promise<void>;
}

type Area = ReturnType<typeof areaOf>;

/** While a layer is built, memory holds it three times: 20 M vertices are 1 GB. The block groups of California have 3 M. */
const MAX_LAYER_VERTICES = 20_000_000;
/** The smallest area takes half a KB. The United States have 242,000 block groups. */
const MAX_LAYER_AREAS = 500_000;

/**
 * Imports areas as one layer in one blob. Current areas that no file replaces are kept, unless `--replace`. Areas are
 * sorted by key, so that the same areas give the same bytes in any order of files.
 */
export async function importAreas(
  deps: ImportDeps,
  options: ImportOptions,
  areaKind: AreaKind,
): Promise<ImportReport> {
  return runImport(deps, options, areaKind.kind, async (run) => {
    const pass = await startPass(run, `Reading ${run.kind}`, openAreas(areaKind));
    const { areas, rowsRepeated } = await collectAreas(pass);
    await checkRejects(run, pass, areas.size);
    await areaKind.check?.(Array.from(areas.values(), ({ key }) => key));
    const current = await currentVersion(run);
    const kept = options.replace || !current ? [] : await keptAreas(deps.store, current, areaKind, areas);
    const all = [...areas.values(), ...kept].sort((a, b) => (a.identity < b.identity ? -1 : 1));
    const map = buildAreaMap(all.map(({ shape }) => shape));
    checkLayerSize(map.count, map.arrays.points.length / 2);
    const bytes = encodeAreaLayer({ records: all.map(({ record }) => record), map });
    const found = {
      counts: pass,
      contentHash: createHash('sha256').update(bytes).digest('hex'),
      rowsLoaded: areas.size,
      rowsRepeated,
      rowsKept: kept.length,
      snapshot: () => bytes,
      bounds: map.bounds,
    };
    return { current, found, write: async () => found };
  });
}

function openAreas(areaKind: AreaKind): OpenFile<Feature, Area> {
  return async (path, onBytes) => {
    return {
      batches: oneByOne(path, await openFeatures(path, onBytes, areaKind.shapes)),
      unread: [],
      read: ({ properties, shape }) => {
        // Features that are too large to read have no properties either.
        const isUnread = 'fault' in shape && Object.keys(properties).length === 0;
        const record = isUnread ? {} : areaKind.read(properties, path);
        if ('fault' in shape) return reject(shape.fault, 'geometry', isUnread ? '' : areaKind.keyOf(record));
        return areaOf(areaKind, shape.isLine ? { ...record, line: true } : record, shape);
      },
    };
  };
}

/** Batches of one: a feature can have five million vertices. */
async function* oneByOne(path: string, features: AsyncIterable<Feature>): AsyncGenerator<[Feature]> {
  let isEmpty = true;
  for await (const feature of features) {
    isEmpty = false;
    yield [feature];
  }
  if (isEmpty) throw usageError(`${path} has no features.`);
}

async function collectAreas(pass: Pass<Area>): Promise<{ areas: Map<string, Area>; rowsRepeated: number }> {
  const areas = new Map<string, Area>();
  let vertices = 0;
  let rowsRepeated = 0;
  for await (const batch of pass.batches) {
    for (const { value: area, ...at } of batch) {
      const earlier = areas.get(area.identity);
      if (earlier === undefined) {
        areas.set(area.identity, area);
        vertices += area.shape.polygons.flat().reduce((sum, ring) => sum + ring.length / 2, 0);
        checkLayerSize(areas.size, vertices);
      } else if (textOf(area) === textOf(earlier)) {
        rowsRepeated++;
      } else {
        pass.log.add(at, new RowRejection('rejected', 'area_repeated', null, area.key));
      }
    }
  }
  return { areas, rowsRepeated };
}

function checkLayerSize(areas: number, vertices: number): void {
  if (areas <= MAX_LAYER_AREAS && vertices <= MAX_LAYER_VERTICES) return;
  throw usageError(
    `A market has at most ${MAX_LAYER_AREAS} areas, with ${MAX_LAYER_VERTICES} vertices together. ` +
      'Nothing was loaded: simplify them, or import them into several markets.',
  );
}

/** An area's identity is its key, and its content if areas share keys. */
function areaOf({ keyOf, sharesKeys }: AreaKind, record: JsonObject, shape: AreaShape) {
  const key = keyOf(record);
  return { key, identity: sharesKeys ? `${key} ${textOf({ record, shape })}` : key, record, shape };
}

function textOf({ record, shape }: { record: JsonObject; shape: AreaShape }): string {
  const sha256 = createHash('sha256');
  for (const ring of shape.polygons.flat()) sha256.update(ring);
  return JSON.stringify(record) + sha256.digest('hex');
}

/** Current areas that no new area replaces. */
async function keptAreas(
  store: Store,
  { snapshotSha256 }: Dataset,
  areaKind: AreaKind,
  areas: ReadonlyMap<string, Area>,
): Promise<Area[]> {
  if (snapshotSha256 === null) return [];
  const layer = decodeAreaLayer(await getBlob(store, snapshotSha256));
  const replaced = new Set([...areas.values()].map(({ key }) => key));
  return shapesOf(layer)
    .map((shape, i) => areaOf(areaKind, layer.records[i], shape))
    .filter(({ key }) => !replaced.has(key));
}
