import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { fileBytes } from '../../tables/open-table.ts';
import { readChunks, readWhole } from '../../tables/read-chunks.ts';
import type { OnBytes } from '../../tables/table.ts';
import { openZip, type SizedBytes, type ZipLimits } from '../../tables/zip-archive.ts';
import { projectionOfPrj } from './check-crs.ts';
import { fileFault, MAX_FEATURES, MAX_RATIO, type Feature, type WantedShapes } from './feature.ts';
import { readDbf, readShp } from './shapefile-parts.ts';

/** A longer .prj or .cpg is something else. */
const MAX_TEXT_BYTES = 65_536;
/** A shapefile has 4 to 8 parts; the Census Bureau's archives add two descriptions. */
const ZIP_LIMITS: ZipLimits = { entries: 10, ratio: MAX_RATIO, ratioFromBytes: MAX_RATIO * 1024 };

/** The files that are read with a .shp. */
const SIDECARS = ['.dbf', '.prj', '.cpg'] as const;

/** Reads the only shapefile of a zip archive, which is never unpacked to disk. */
export async function* readZippedShapefile(
  path: string,
  onBytes: OnBytes,
  wanted: WantedShapes,
): AsyncGenerator<Feature> {
  const zip = await openZip(path, ZIP_LIMITS, (what, cause) => fileFault(path, what, cause));
  try {
    const { entries } = zip;
    const shapes = entries.filter(({ name }) => /\.shp$/i.test(name));
    if (shapes.length !== 1) {
      const has = entries.map(({ name }) => name).join(', ') || 'nothing';
      throw fileFault(
        path,
        `a zipped shapefile has one .shp; this archive has ${shapes.length} (it holds ${has})`,
      );
    }
    const [shp] = shapes;
    const stem = shp.name.slice(0, -4).toLowerCase();
    const counting = { ...shp, chunks: counted(shp.chunks, onBytes) };
    yield* readParts(path, counting, wanted, (extension) =>
      entries.find(({ name }) => name.toLowerCase() === stem + extension),
    );
  } finally {
    zip.close();
  }
}

/** Reads a .shp next to its .dbf. */
export async function* readBareShapefile(
  path: string,
  onBytes: OnBytes,
  wanted: WantedShapes,
): AsyncGenerator<Feature> {
  const folder = dirname(path);
  const stem = basename(path, extname(path)).toLowerCase();
  const parts: SizedBytes[] = [];
  const sidecars = SIDECARS.map((extension) => stem + extension);
  for (const name of await readdir(folder)) {
    if (!sidecars.includes(name.toLowerCase())) continue;
    const part = join(folder, name);
    parts.push({ name, byteCount: await fileBytes(part), chunks: readChunks(part, false, () => {}) });
  }
  const chunks = readChunks(path, false, onBytes);
  const shp = { name: basename(path), byteCount: await fileBytes(path), chunks };
  yield* readParts(path, shp, wanted, (extension) =>
    parts.find(({ name }) => name.toLowerCase() === stem + extension),
  );
}

/** Shapes and rows belong together only by their order, so their counts must agree. */
async function* readParts(
  path: string,
  shp: SizedBytes,
  wanted: WantedShapes,
  partOf: (extension: string) => SizedBytes | undefined,
): AsyncGenerator<Feature> {
  const [dbf, prj, cpg] = SIDECARS.map(partOf);
  if (!dbf) throw fileFault(path, 'there is no .dbf of the same name with the .shp; both are needed');
  const projection = prj ? projectionOfPrj(path, await smallText(path, prj)) : null;
  const encoding = cpg ? (await smallText(path, cpg)).trim() || null : null;
  const shapes = readShp(path, shp, projection, wanted);
  const rows = readDbf(path, dbf, encoding);
  try {
    for (let line = 1; ; line++) {
      const row = await rows.next();
      const shape = await shapes.next();
      if (row.done !== shape.done) {
        const [shorter, longer] = row.done ? [dbf.name, shp.name] : [shp.name, dbf.name];
        throw fileFault(
          path,
          `${shorter} ends after ${line - 1} records, ${longer} does not: they do not belong together`,
        );
      }
      if (row.done || shape.done) return;
      if (line > MAX_FEATURES) {
        throw fileFault(path, `it has more than ${MAX_FEATURES} features; split it`);
      }
      if (row.value !== null) yield { line, properties: row.value, shape: shape.value };
    }
  } finally {
    await shapes.return(undefined);
    await rows.return(undefined);
  }
}

async function smallText(path: string, part: SizedBytes): Promise<string> {
  const bytes = await readWhole(part.chunks, MAX_TEXT_BYTES);
  if (bytes === null) throw fileFault(path, `${part.name} is longer than any such file`);
  return bytes.toString('utf8');
}

async function* counted(chunks: AsyncIterable<Uint8Array>, onBytes: OnBytes): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}
