import type { JsonValue } from '../../domain/json.ts';
import { openParquetFile, readRows, textOfValue, type ParquetFile } from '../../tables/read-parquet.ts';
import type { OnBytes } from '../../tables/table.ts';
import { checkCrsName } from './check-crs.ts';
import { fileFault, propertiesOf, type Feature, type WantedShapes } from './feature.ts';
import { shapeOf } from './read-geojson.ts';

/** Rows decoded at a time: polygons are larger than cells of a table. */
const SLICE_ROWS = 2000;

/** Reads the features of a GeoParquet file: its first geometry column in WKB, and the other flat columns as text. */
export async function* readGeoParquet(
  path: string,
  onBytes: OnBytes,
  wanted: WantedShapes,
): AsyncGenerator<Feature> {
  const opened = await openParquetFile(path, onBytes, true);
  const names = opened.columns.map(({ name }) => name);
  const geometryAt = names.indexOf(geometryColumn(opened));
  for await (const { rows, rowStart } of readRows(opened, SLICE_ROWS)) {
    for (const [i, row] of rows.entries()) {
      const geometry = row[geometryAt];
      const texts = names.flatMap((name, at): [string, JsonValue][] => {
        if (at === geometryAt) return [];
        const value = row[at];
        return [[name, value === null || value === undefined ? null : textOfValue(value)]];
      });
      const line = rowStart + i + 1;
      yield {
        line,
        properties: propertiesOf(path, line, undefined, Object.fromEntries(texts)),
        shape: shapeOf(isGeometry(geometry) ? geometry : null, wanted),
      };
    }
  }
}

/** Whether a Parquet file has a geometry column. */
export async function hasGeometry(path: string): Promise<boolean> {
  const { columns } = await openParquetFile(path, () => {}, true);
  return columns.some(isGeometryColumn);
}

function isGeometryColumn({ logical_type: type }: ParquetFile['columns'][number]): boolean {
  return type?.type === 'GEOMETRY' || type?.type === 'GEOGRAPHY';
}

function geometryColumn({ path, columns }: ParquetFile): string {
  const column = columns.find(isGeometryColumn);
  if (!column) throw fileFault(path, 'it is a Parquet file without a geometry column in WKB');
  const { name, logical_type: type } = column;
  if (type && 'crs' in type && type.crs) checkCrsName(path, type.crs);
  return name;
}

function isGeometry(value: unknown): value is JsonValue {
  return typeof value === 'object' && value !== null && 'type' in value;
}
