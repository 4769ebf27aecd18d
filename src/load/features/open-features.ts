import { fileBytes, firstBytes } from '../../tables/open-table.ts';
import { isGzip, readChunks } from '../../tables/read-chunks.ts';
import { prepended, type OnBytes } from '../../tables/table.ts';
import { fileFault, MAX_RATIO, type Feature, type WantedShapes } from './feature.ts';
import { readGeoJson } from './read-geojson.ts';
import { readBareShapefile, readZippedShapefile } from './read-shapefile.ts';
import { readGeoParquet } from './read-geoparquet.ts';
import { readTopoJson } from './read-topojson.ts';

/** Bytes searched for what distinguishes GeoJSON from TopoJSON. */
const HEAD_BYTES = 65_536;
/** The first of these members decides, whatever their order. */
const FORMAT_MEMBER = /"(Topology|FeatureCollection|features|arcs|objects)"/;
/** Small files may be blank enough to shrink more than a map does. */
const RATIO_FROM_BYTES = 16 * 1024 * 1024;

/**
 * Opens a local file of areas or lines, recognized by its first bytes: GeoJSON or TopoJSON (plain or gzip), GeoParquet,
 * a zipped shapefile, or a .shp next to its .dbf. Faults of the file as a whole are `usage` errors, some of them thrown while reading.
 */
export async function openFeatures(
  path: string,
  onBytes: OnBytes,
  wanted: WantedShapes = 'areas',
): Promise<AsyncIterable<Feature>> {
  const start = await firstBytes(path);
  if (start.length === 0) throw fileFault(path, 'it is empty');
  if (start.toString('latin1') === 'PAR1') return readGeoParquet(path, onBytes, wanted);
  if (start.toString('latin1', 0, 2) === 'PK') return readZippedShapefile(path, onBytes, wanted);
  if (start.length === 4 && start.readInt32BE(0) === 9994) {
    return readBareShapefile(path, onBytes, wanted);
  }
  const chunks = limitRatio(path, await fileBytes(path), readChunks(path, isGzip(start), onBytes));
  const read: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < HEAD_BYTES) {
    const next = await chunks.next();
    if (next.done) break;
    read.push(next.value);
    bytes += next.value.length;
  }
  const head = Buffer.concat(read).toString('utf8', 0, HEAD_BYTES);
  if (!/^(\ufeff)?\s*\{/.test(head)) {
    throw fileFault(
      path,
      'it is neither GeoJSON, nor TopoJSON, nor GeoParquet, nor a shapefile (.zip, or .shp with .dbf)',
    );
  }
  const whole = prepended(read, chunks);
  const isTopology = /^(Topology|arcs|objects)$/.test(FORMAT_MEMBER.exec(head)?.[1] ?? '');
  if (isTopology && wanted === 'lines') {
    throw fileFault(path, 'it is TopoJSON, of which only areas are read; convert it to GeoJSON');
  }
  return isTopology ? readTopoJson(path, whole) : readGeoJson(path, whole, wanted);
}

async function* limitRatio(
  path: string,
  fileSize: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > RATIO_FROM_BYTES && bytes > MAX_RATIO * fileSize) {
      throw fileFault(
        path,
        `it unpacks to more than ${MAX_RATIO} times its size, as no map does (a zip bomb)`,
      );
    }
    yield chunk;
  }
}
