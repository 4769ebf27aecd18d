import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { openTable } from '../../tables/open-table.ts';

/**
 * Makes src/domain/census/acs-tables.json of the metadata of every table of a 5-year release:
 *
 *   node src/load/census-values/distil-tables.ts COLUMN_METADATA TABLE_METADATA
 *
 * Column metadata: table_id, line_number, column_id, column_title, indent, parent_column_id. Table metadata: table_id,
 * simple_table_title, subject_area, universe, denominator_column_id.
 */
const SOURCE = 'American Community Survey 2023 5-year, column and table metadata';

/** The tables that describe homes, who lives in them and what they pay: some of 1,082. */
const TABLES = `
  B01001 B01002 B01003 B02001 B03002 B07013 B08013 B08201 B08301 B08303 B11001 B11005 B11016 B15003 B17001 C17002
  B19001 B19013 B19025 B19083 B19113 B19301 B22010 B23025 B25001 B25002 B25003 B25004 B25008 B25010 B25014 B25017
  B25018 B25024 B25031 B25032 B25034 B25035 B25038 B25039 B25040 B25041 B25042 B25044 B25057 B25058 B25059 B25063
  B25064 B25070 B25071 B25075 B25076 B25077 B25078 B25081 B25088 B25091 B25092 B25103 B25104 B25105 B25106 B25107
  B25111 B28002`
  .trim()
  .split(/\s+/);

type Row = Readonly<Record<string, string>>;

async function readRows(path: string): Promise<Row[]> {
  const table = await openTable(path, () => {});
  const rows: Row[] = [];
  for await (const batch of table.batches) {
    for (const { cells } of batch) {
      rows.push(Object.fromEntries(table.columns.map((name, i) => [name, cells[i]])));
    }
  }
  return rows;
}

/** What a table's estimates are. Only counts have percentages: a median's share of anything means nothing. */
function measureOf(table: Row, lines: readonly Row[]): string {
  const text = `${table.simple_table_title} ${lines[0].column_title}`;
  if (table.denominator_column_id !== '' || /^(Total Population|Housing Units) /.test(text)) return 'count';
  if (/as a percentage of/i.test(text)) return 'percent';
  if (/gini/i.test(text)) return 'number';
  return /dollars|income|rent|value|earnings|taxes|costs/i.test(text) ? 'dollars' : 'number';
}

/** The year of the dollars is the year of the data, which differs from the metadata's. */
function titleOf(text: string): string {
  return text.replace(/\(in \d{4} inflation-adjusted dollars\)/i, '(inflation-adjusted dollars)');
}

const [columnPath, tablePath] = process.argv.slice(2);
if (!columnPath || !tablePath) throw new Error('Name the column metadata file and the table metadata file.');
const columns = Map.groupBy(await readRows(columnPath), (row) => row.table_id);
const tables = new Map((await readRows(tablePath)).map((row) => [row.table_id, row]));

const subjects: Record<string, string> = {};
for (const { table_id, subject_area } of tables.values()) subjects[table_id.slice(1, 3)] ??= subject_area;

const distilled = TABLES.map((id) => {
  const table = tables.get(id);
  const lines = columns.get(id);
  if (!table || !lines) throw new Error(`The metadata lacks table ${id}.`);
  return {
    id,
    title: table.simple_table_title.replace(/ \(Dollars\)$/, ''),
    universe: table.universe,
    measure: measureOf(table, lines),
    denominator: table.denominator_column_id === '' ? null : Number(table.denominator_column_id.slice(-3)),
    lines: lines.map((row) => [Number(row.line_number), Number(row.indent), titleOf(row.column_title)]),
  };
});

const target = join(import.meta.dirname, '../../domain/census/acs-tables.json');
const sorted = Object.fromEntries(Object.entries(subjects).sort(([a], [b]) => a.localeCompare(b)));
await writeFile(
  target,
  `${JSON.stringify({ source: SOURCE, subjects: sorted, tables: distilled }, null, 2)}\n`,
);
