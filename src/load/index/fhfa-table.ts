import { prepended, type Table } from '../../tables/table.ts';

/** FHFA's all-transactions file of metros has no header. */
const HEADERLESS = ['name', 'cbsa', 'yr', 'qtr', 'index_nsa', 'se'];
const METRO = ['cbsa', 'yr', 'qtr', 'index_nsa'];

/**
 * FHFA's files of metros with the column of its `hpi_master.csv` that they lack: `hpi_flavor`. The all-transactions
 * index alone has standard errors (`se`), and of files of metros the purchase-only index alone is seasonally adjusted.
 * Other tables stay as they are.
 */
export function completeFhfaTable(table: Table): Table {
  const [first, isHeaderless] = [table.columns, isFigure(table.columns)];
  const columns = isHeaderless ? HEADERLESS : table.columns;
  const flavor = flavorOf(columns.map((name) => name.toLowerCase()));
  if (flavor === null) return table;
  const batches = isHeaderless
    ? prepended([[{ line: 1, cells: first }]], table.batches[Symbol.asyncIterator]())
    : table.batches;
  return { ...table, columns: [...columns, 'hpi_flavor'], batches: withFlavor(batches, flavor) };
}

/** `Abilene, TX`, `10180`, `1975`, `2`, `-`, `-` */
function isFigure([, cbsa, year, quarter, ...figures]: readonly string[]): boolean {
  return /^\d{5}$/.test(cbsa) && /^\d{4}$/.test(year) && /^[1-4]$/.test(quarter) && figures.length === 2;
}

function flavorOf(columns: readonly string[]): string | null {
  if (columns.includes('hpi_flavor') || METRO.some((name) => !columns.includes(name))) return null;
  if (columns.includes('se')) return 'all-transactions';
  return columns.includes('index_sa') ? 'purchase-only' : null;
}

async function* withFlavor(batches: Table['batches'], flavor: string): Table['batches'] {
  for await (const rows of batches) {
    yield rows.map(({ line, cells }) => ({ line, cells: [...cells, flavor] }));
  }
}
