import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { JsonObject } from '../domain/json.ts';
import { PlumblineError } from '../errors.ts';
import { decodeAreaLayer, encodeAreaLayer, shapesOf, type AreaLayer } from '../geo/areas/area-layer.ts';
import { buildAreaMap } from '../geo/areas/area-map.ts';
import type { AreaShape } from '../geo/areas/area-shape.ts';
import { getBlob, putBlob } from '../store/blobs.ts';
import { currentDataset, publishDataset, type Dataset } from '../store/datasets.ts';
import type { Feature } from './features/feature.ts';
import { openFeatures } from './features/open-features.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import {
  beginRun,
  checkRejects,
  finishRun,
  isUnchanged,
  startCounts,
  stopIfHopeless,
  type ImportRun,
  type PassCounts,
} from './import-run.ts';
import { reject, RowRejection } from './rows/row-rejection.ts';
import { writeVersion } from './write-version.ts';

/** The parts of an import that differ between kinds of areas. */
export interface AreaKind<Record extends JsonObject> {
  readonly kind: 'census-areas' | 'flood';
  /** Reads a feature's properties. Throws a RowRejection if they are invalid or of no use. */
  readonly read: (properties: Feature['properties'], path: string) => Record;
  /** The key by which a later import replaces an area. */
  readonly keyOf: (record: JsonObject) => string;
  /** Whether several different areas of one import may share a key; all of them are replaced together. */
  readonly sharesKeys?: boolean;
}

interface Area {
  readonly key: string;
  /** The key, and where areas share keys their content: what tells one area from another. */
  readonly identity: string;
  readonly record: JsonObject;
  readonly shape: AreaShape;
}

/** A layer is in memory while it is built, three times over: 20 M vertices are 1 GB. The block groups of California have 3 M. */
const MOST_LAYER_VERTICES = 20_000_000;
/** An area costs half a KB however small it is. The United States have 242,000 block groups. */
const MOST_LAYER_AREAS = 500_000;
/** Areas between two reports of progress. */
const PROGRESS_AREAS = 500;

/**
 * Loads areas as one layer in one blob: all of the files or nothing. Areas in force that no file replaces are kept,
 * unless `--replace`. Sorted by key, so that the same areas give the same bytes whatever the order of the files.
 */
export async function importAreas<Record extends JsonObject>(
  deps: ImportDeps,
  options: ImportOptions,
  areaKind: AreaKind<Record>,
): Promise<ImportReport> {
  const run = await beginRun(deps, options, areaKind.kind);
  const current = await currentDataset(deps.store, options.marketId, areaKind.kind);
  const pass = await startCounts(run);
  const { areas, rowsRepeated } = await readAreas(run, pass, areaKind);
  await checkRejects(run, pass, areas.size);
  const kept = options.replace || !current ? [] : await areasInForce(deps, current, areaKind, areas);
  const layer = layerOf([...areas.values(), ...kept]);
  const bytes = encodeAreaLayer(layer);
  const contentHash = createHash('sha256').update(bytes).digest('hex');
  const unchanged = current !== null && isUnchanged(run, current, contentHash);
  return finishRun(run, pass, {
    datasetId: unchanged && current ? current.datasetId : await publishLayer(run, layer, bytes, contentHash),
    unchanged,
    rowsLoaded: areas.size,
    rowsRepeated,
    rowsKept: kept.length,
    rowsTotal: layer.map.count,
    flags: null,
    datePrecision: null,
  });
}

async function readAreas(
  run: ImportRun,
  pass: PassCounts,
  areaKind: AreaKind<JsonObject>,
): Promise<{ areas: Map<string, Area>; rowsRepeated: number }> {
  const areas = new Map<string, Area>();
  const total = run.files.reduce((sum, file) => sum + file.bytes, 0);
  let done = 0;
  let vertices = 0;
  let rowsRepeated = 0;
  for (const { path } of run.files) {
    const before = pass.rowsRead;
    const { features } = await openFeatures(path, (bytes) => {
      done += bytes;
    });
    for await (const feature of features) {
      pass.rowsRead++;
      const area = readArea(feature, path, areaKind, pass);
      if (area && areas.has(area.identity)) {
        if (isSameArea(area, areas.get(area.identity))) rowsRepeated++;
        else logRejection(pass, path, feature, new RowRejection('rejected', 'area_repeated', null, area.key));
      } else if (area) {
        areas.set(area.identity, area);
        vertices += verticesOf(area.shape);
        if (vertices > MOST_LAYER_VERTICES || areas.size > MOST_LAYER_AREAS) throw tooLarge(path);
      }
      if (pass.rowsRead % PROGRESS_AREAS === 0) {
        run.deps.progress?.(`Reading ${run.kind}`, Math.min(done, total), total);
        await pass.log.flush();
        await stopIfHopeless(run, pass);
      }
    }
    if (pass.rowsRead === before) throw new PlumblineError('usage', `${path} holds no feature.`);
  }
  run.deps.progress?.(`Reading ${run.kind}`, total, total);
  return { areas, rowsRepeated };
}

function readArea(
  feature: Feature,
  path: string,
  areaKind: AreaKind<JsonObject>,
  pass: PassCounts,
): Area | null {
  try {
    const record = areaKind.read(feature.properties, path);
    const { shape } = feature;
    if ('fault' in shape) return reject(shape.fault, 'geometry', areaKind.keyOf(record));
    return areaOf(areaKind, record, shape);
  } catch (error) {
    if (!(error instanceof RowRejection)) throw error;
    logRejection(pass, path, feature, error);
    return null;
  }
}

function areaOf({ keyOf, sharesKeys }: AreaKind<JsonObject>, record: JsonObject, shape: AreaShape): Area {
  const key = keyOf(record);
  return { key, identity: sharesKeys ? `${key} ${textOf({ record, shape })}` : key, record, shape };
}

function logRejection(pass: PassCounts, path: string, { ordinal }: Feature, rejection: RowRejection): void {
  pass.log.add(basename(path), ordinal, rejection);
}

function isSameArea(area: Area, other: Area | undefined): boolean {
  return other !== undefined && textOf(area) === textOf(other);
}

function textOf({ record, shape }: Pick<Area, 'record' | 'shape'>): string {
  const sha256 = createHash('sha256');
  for (const ring of shape.polygons.flat()) sha256.update(ring);
  return JSON.stringify(record) + sha256.digest('hex');
}

function verticesOf(shape: AreaShape): number {
  return shape.polygons.flat().reduce((sum, ring) => sum + ring.length / 2, 0);
}

function tooLarge(path: string): PlumblineError {
  return new PlumblineError(
    'usage',
    `${path}: a market has at most ${MOST_LAYER_AREAS} areas, with ${MOST_LAYER_VERTICES} vertices together. ` +
      'Nothing was loaded: simplify them, or import them into several markets.',
  );
}

async function areasInForce(
  { store }: ImportDeps,
  { snapshotSha256 }: Dataset,
  areaKind: AreaKind<JsonObject>,
  areas: ReadonlyMap<string, Area>,
): Promise<Area[]> {
  if (snapshotSha256 === null) return [];
  const layer = decodeAreaLayer(await getBlob(store, snapshotSha256));
  const replaced = new Set([...areas.values()].map(({ key }) => key));
  return shapesOf(layer)
    .map((shape, i) => areaOf(areaKind, layer.records[i], shape))
    .filter(({ key }) => !replaced.has(key));
}

function layerOf(areas: Area[]): AreaLayer {
  areas.sort((a, b) => (a.identity < b.identity ? -1 : 1));
  return {
    records: areas.map(({ record }) => record),
    map: buildAreaMap(areas.map(({ shape }) => shape)),
  };
}

async function publishLayer(
  run: ImportRun,
  layer: AreaLayer,
  bytes: Uint8Array,
  contentHash: string,
): Promise<number> {
  const { store } = run.deps;
  return writeVersion(run, async (datasetId) => {
    const snapshotSha256 = await putBlob(store, bytes);
    const { count, bounds } = layer.map;
    await publishDataset(store, datasetId, { rows: count, contentHash, snapshotSha256, bounds });
    return datasetId;
  });
}
