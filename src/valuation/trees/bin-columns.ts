import { countBelow } from '../order-statistics.ts';

/** Most bins of values per column; one more bin (code 0) holds missing values. */
const MAX_BINS = 127;

/**
 * Columns as small codes: 0 = missing, 1 … edges+1 = the bin of the value. Column-major, so that a
 * column's histogram (4 KB) stays in the first-level cache while its rows are read.
 */
export interface BinnedTable {
  readonly n: number;
  readonly codes: readonly Uint8Array[];
  /** edges[f][b] separates bin b+1 (≤) from bin b+2 (>); ascending. */
  readonly edges: readonly Float64Array[];
}

/** Cuts every column at its own quantiles; a column with few values has a bin for each. */
export function binColumns(columns: readonly Float64Array[], n: number): BinnedTable {
  const edges = columns.map((column) => edgesOf(column, n));
  return { n, edges, codes: columns.map((column, f) => codesOf(column, n, edges[f])) };
}

export function appendColumns(table: BinnedTable, columns: readonly Float64Array[]): BinnedTable {
  const further = binColumns(columns, table.n);
  const codes = [...table.codes, ...further.codes];
  return { n: table.n, codes, edges: [...table.edges, ...further.edges] };
}

export function takeRows(table: BinnedTable, rows: Int32Array): BinnedTable {
  const codes = table.codes.map((column) => {
    const taken = new Uint8Array(rows.length);
    for (let i = 0; i < rows.length; i++) taken[i] = column[rows[i]];
    return taken;
  });
  return { n: rows.length, edges: table.edges, codes };
}

function edgesOf(column: Float64Array, n: number): Float64Array {
  const sorted = column.slice(0, n).sort();
  // NaN sorts last.
  let known = n;
  while (known > 0 && Number.isNaN(sorted[known - 1])) known--;
  const values: number[] = [];
  const counts: number[] = [];
  for (let i = 0; i < known; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) {
      values.push(sorted[i]);
      counts.push(1);
    } else counts[counts.length - 1]++;
  }
  return values.length <= MAX_BINS ? everyMidpoint(values) : quantileMidpoints(values, counts, known);
}

function everyMidpoint(values: readonly number[]): Float64Array {
  const edges = new Float64Array(Math.max(0, values.length - 1));
  for (let i = 0; i < edges.length; i++) edges[i] = midpoint(values[i], values[i + 1]);
  return edges;
}

function quantileMidpoints(values: readonly number[], counts: readonly number[], known: number) {
  const edges: number[] = [];
  let seen = 0;
  let goal = known / MAX_BINS;
  for (let i = 0; i + 1 < values.length && edges.length < MAX_BINS - 1; i++) {
    seen += counts[i];
    if (seen < goal) continue;
    edges.push(midpoint(values[i], values[i + 1]));
    goal = seen + (known - seen) / (MAX_BINS - edges.length);
  }
  return Float64Array.from(edges);
}

/** Between a and b and never equal to b, so that `value <= edge` separates even adjacent floats. */
function midpoint(a: number, b: number): number {
  const middle = a + (b - a) / 2;
  return middle < b ? middle : a;
}

function codesOf(column: Float64Array, n: number, edges: Float64Array): Uint8Array {
  const codes = new Uint8Array(n);
  for (let i = 0; i < n; i++) codes[i] = Number.isNaN(column[i]) ? 0 : countBelow(edges, column[i]) + 1;
  return codes;
}
