import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { fileBytes } from '../../tables/open-table.ts';
import { readChunks } from '../../tables/read-chunks.ts';
import type { OnBytes } from '../../tables/table.ts';
import { projectionOfPrj } from './check-crs.ts';
import { fileFault, MOST_FEATURES, type Feature } from './feature.ts';
import { readDbf } from './read-dbf.ts';
import { readShp, type SizedBytes } from './read-shp.ts';
import { openZip } from './zip-entries.ts';

/** A .prj or .cpg of more is something else. */
const MOST_TEXT_BYTES = 65_536;

/** What a shapefile consists of. */
interface Parts {
  readonly shp: SizedBytes;
  readonly dbf: SizedBytes;
  readonly prj: SizedBytes | null;
  readonly cpg: SizedBytes | null;
}

/** Reads the one shapefile of a zip archive. */
export async function* readZippedShapefile(path: string, onBytes: OnBytes): AsyncGenerator<Feature> {
  const zip = await openZip(path);
  try {
    const entries = zip.entries.filter(({ name }) => !/(^|\/)(__MACOSX\/|\.)/.test(name));
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
    const beside = (ending: string): SizedBytes | null =>
      entries.find(({ name }) => name.toLowerCase() === stem + ending) ?? null;
    yield* readParts(path, {
      shp: { ...shp, chunks: counted(shp.chunks, onBytes) },
      ...besides(path, beside),
    });
  } finally {
    zip.close();
  }
}

/** Reads a .shp that lies beside its .dbf. */
export async function* readBareShapefile(path: string, onBytes: OnBytes): AsyncGenerator<Feature> {
  const folder = dirname(path);
  const stem = basename(path, extname(path)).toLowerCase();
  const names = await readdir(folder);
  const sizes = new Map<string, number>();
  for (const name of names.filter((found) => found.toLowerCase().startsWith(`${stem}.`))) {
    sizes.set(name, await fileBytes(join(folder, name)));
  }
  const shp = {
    name: basename(path),
    byteCount: await fileBytes(path),
    chunks: readChunks(path, false, onBytes),
  };
  const beside = (ending: string): SizedBytes | null => {
    const name = [...sizes.keys()].find((found) => found.toLowerCase() === stem + ending);
    if (name === undefined) return null;
    return { name, byteCount: sizes.get(name) ?? 0, chunks: readChunks(join(folder, name), false, () => {}) };
  };
  yield* readParts(path, { shp, ...besides(path, beside) });
}

function besides(path: string, beside: (ending: string) => SizedBytes | null): Omit<Parts, 'shp'> {
  const dbf = beside('.dbf');
  if (dbf === null) throw fileFault(path, 'there is no .dbf of the same name with the .shp; both are needed');
  return { dbf, prj: beside('.prj'), cpg: beside('.cpg') };
}

/** Shapes and rows side by side; they belong together by their order alone, so that their counts must agree. */
async function* readParts(path: string, { shp, dbf, prj, cpg }: Parts): AsyncGenerator<Feature> {
  const projection = prj ? projectionOfPrj(path, await smallText(path, prj)) : null;
  const encoding = cpg ? (await smallText(path, cpg)).trim() || null : null;
  const shapes = readShp(path, shp, projection);
  const rows = readDbf(path, dbf, encoding);
  try {
    for (let ordinal = 1; ; ordinal++) {
      const row = await rows.next();
      const shape = await shapes.next();
      if (row.done !== shape.done) {
        const [shorter, longer] = row.done ? [dbf.name, shp.name] : [shp.name, dbf.name];
        throw fileFault(
          path,
          `${shorter} ends after ${ordinal - 1} records, ${longer} does not: they do not belong together`,
        );
      }
      if (row.done || shape.done) return;
      if (ordinal > MOST_FEATURES)
        throw fileFault(path, `it has more than ${MOST_FEATURES} features; split it`);
      if (row.value !== null) yield { ordinal, properties: row.value, shape: shape.value };
    }
  } finally {
    await shapes.return(undefined);
    await rows.return(undefined);
  }
}

async function smallText(path: string, part: SizedBytes): Promise<string> {
  if (part.byteCount > MOST_TEXT_BYTES) throw fileFault(path, `${part.name} is longer than any such file`);
  const pieces: Uint8Array[] = [];
  for await (const piece of part.chunks) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

async function* counted(chunks: AsyncIterable<Uint8Array>, onBytes: OnBytes): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}
