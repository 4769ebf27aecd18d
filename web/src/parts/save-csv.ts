type Cell = string | number | null;

/** Rows as a CSV file: names and numbers without commas or quotes need no escaping. */
export function csvOf(rows: readonly Readonly<Record<string, Cell>>[]): string {
  const [first] = rows;
  if (!first) return '';
  const lines = rows.map((row) => Object.values(row).map(cellText).join(','));
  return [Object.keys(first).join(','), ...lines, ''].join('\r\n');
}

function cellText(cell: Cell): string {
  const text = cell === null ? '' : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function saveCsv(name: string, rows: Parameters<typeof csvOf>[0]): void {
  const url = URL.createObjectURL(new Blob([csvOf(rows)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
