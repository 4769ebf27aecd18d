import { placeOf } from '../../geo/areas/place-shape.ts';
import { firstBytes } from '../../tables/open-table.ts';
import { isGzip, readChunks } from '../../tables/read-chunks.ts';
import { BATCH_ROWS, type OnBytes, type Table, type TableFormat, type TableRow } from '../../tables/table.ts';
import { openZip } from '../../tables/zip-archive.ts';
import { notDegrees } from './check-crs.ts';
import { fileFault, MAX_PROPERTIES, MAX_RATIO, type Feature } from './feature.ts';
import { openFeatures } from './open-features.ts';
import { hasGeometry } from './read-geoparquet.ts';

type FeatureFormat = Extract<TableFormat['kind'], 'geojson' | 'shapefile' | 'geoparquet'>;

/** Of an archive, only the names are read. */
const ZIP_LIMITS = { entries: 1000, ratio: MAX_RATIO, ratioFromBytes: MAX_RATIO * 1024 };

/** How a file holds features, by its first bytes; null for other files, which may be tables. */
export async function featureFormatOf(path: string): Promise<FeatureFormat | null> {
  const start = await firstBytes(path);
  const text = start.toString('latin1');
  if (text === 'PAR1') return (await hasGeometry(path)) ? 'geoparquet' : null;
  if (start.length === 4 && start.readInt32BE(0) === 9994) return 'shapefile';
  if (text.startsWith('PK')) return (await hasShapefile(path)) ? 'shapefile' : null;
  for await (const chunk of readChunks(path, isGzip(start), () => {})) {
    return /^\ufeff?\s*\{/.test(Buffer.from(chunk).toString('utf8', 0, 100)) ? 'geojson' : null;
  }
  return null;
}

async function hasShapefile(path: string): Promise<boolean> {
  const zip = await openZip(path, ZIP_LIMITS, (what, cause) => fileFault(path, what, cause));
  try {
    return zip.entries.some(({ name }) => /\.shp$/i.test(name));
  } finally {
    zip.close();
  }
}

/**
 * Opens a file of features as a table: its properties, and where the feature is in `latitude` and `longitude`, which are
 * empty for one that is neither a point nor an area. The file is read twice: any feature may have further properties.
 */
export async function openFeatureTable(path: string, kind: FeatureFormat, onBytes: OnBytes): Promise<Table> {
  const names = await namesOf(path);
  const isOurs = (name: string): boolean => /^(latitude|longitude)$/i.test(name);
  // The file's own numbers keep their name.
  const prefix = names.some(isOurs) ? 'geometry_' : '';
  const features = await openFeatures(path, onBytes, 'places');
  return {
    columns: [...names, `${prefix}latitude`, `${prefix}longitude`],
    batches: inBatches(features, names),
    format: () => ({ kind }),
  };
}

/** The names of all properties. Throws `usage` if most coordinates are feet or meters. */
async function namesOf(path: string): Promise<string[]> {
  const names = new Set<string>();
  let features = 0;
  let outside = 0;
  for await (const { line, properties, shape } of await openFeatures(path, () => {}, 'places')) {
    features++;
    if ('fault' in shape && shape.fault === 'out_of_range') outside++;
    for (const name in properties) names.add(name);
    if (names.size > MAX_PROPERTIES) {
      throw fileFault(
        path,
        `its features have more than ${MAX_PROPERTIES} different properties, counted up to feature ${line}`,
      );
    }
  }
  if (outside > features / 2) throw notDegrees(path);
  return [...names];
}

async function* inBatches(
  features: AsyncIterable<Feature>,
  names: readonly string[],
): AsyncGenerator<readonly TableRow[]> {
  let rows: TableRow[] = [];
  for await (const { line, properties, shape } of features) {
    const place = 'fault' in shape ? null : placeOf(shape);
    rows.push({
      line,
      cells: [
        ...names.map((name) => String(properties[name] ?? '')),
        String(place?.lat ?? ''),
        String(place?.lon ?? ''),
      ],
    });
    if (rows.length < BATCH_ROWS) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}
