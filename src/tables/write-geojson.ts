import type { Cell } from './write-csv.ts';
import type { PointColumns, TableColumn } from './table-column.ts';

/** Rows as a GeoJSON collection (RFC 7946), one feature on each line. Rows without coordinates have no geometry. */
export async function* writeGeoJson(
  columns: readonly TableColumn[],
  point: PointColumns,
  rows: AsyncIterable<readonly Cell[]>,
): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[';
  let before = '\n';
  for await (const row of rows) {
    const [lat, lon] = [row[point.lat], row[point.lon]];
    const geometry = lat === null || lon === null ? null : { type: 'Point', coordinates: [lon, lat] };
    const others = columns.flatMap(({ name }, i) =>
      i === point.lat || i === point.lon ? [] : [[name, row[i]] as const],
    );
    yield before + JSON.stringify({ type: 'Feature', geometry, properties: Object.fromEntries(others) });
    before = ',\n';
  }
  yield '\n]}\n';
}
