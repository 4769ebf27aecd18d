type Cell = string | number | null;

/** Rows as a CSV file: names and numbers without commas or quotes need no escaping. */
export function csvOf(rows: readonly Readonly<Record<string, Cell>>[]): string {
  const [first] = rows;
  if (!first) return '';
  const lines = rows.map((row) => Object.values(row).map(cellText).join(','));
  return [Object.keys(first).join(','), ...lines, ''].join('\r\n');
}

/** Spreadsheets run a cell that begins like this as a formula; numbers are no texts. */
const FORMULA = /^[=+\-@\t]/;

function cellText(cell: Cell): string {
  if (cell === null) return '';
  const text = typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function saveCsv(name: string, rows: Parameters<typeof csvOf>[0]): void {
  saveText(name, 'text/csv', csvOf(rows));
}

/** A feature of a GeoJSON file. */
interface SavedFeature {
  readonly geometry:
    | { readonly type: 'Point'; readonly coordinates: readonly [number, number] }
    | { readonly type: 'MultiPolygon'; readonly coordinates: unknown };
  readonly properties: Readonly<Record<string, Cell>>;
}

export function saveGeoJson(name: string, features: readonly SavedFeature[]): void {
  const collection = {
    type: 'FeatureCollection',
    features: features.map((feature) => ({ type: 'Feature', ...feature })),
  };
  saveText(name, 'application/geo+json', JSON.stringify(collection));
}

function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
