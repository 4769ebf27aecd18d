/**
 * Compares two backtests of the same sales, such as of two commits, sale by sale:
 *
 *   plumbline backtest --market wi-milwaukee … --out before
 *   plumbline backtest --market wi-milwaukee … --out now
 *   node bench/compare-backtests.ts before now
 *
 * The difference is that of the absolute errors (ln × 100, capped at 50) with its standard error. Negative is better.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parse } from 'csv-parse/sync';
import { median } from '../src/valuation/order-statistics.ts';

const [before, now] = process.argv.slice(2).map((folder) => {
  const rows: Record<string, string>[] = parse(readFileSync(join(folder, 'sales.csv')), { columns: true });
  return new Map(rows.map((row) => [row.record_id, Number(row.value) / Number(row.price)]));
});
assert.ok(before && now, 'Give two folders that `plumbline backtest --out` has written.');
const pairs = [...now].flatMap(([id, ratio]) => {
  const earlier = before.get(id);
  return earlier ? [[earlier, ratio]] : [];
});
const sizeOf = (ratio: number): number => 100 * Math.min(0.5, Math.abs(Math.log(ratio)));
const differences = pairs.map(([earlier, ratio]) => sizeOf(ratio) - sizeOf(earlier));
const mean = differences.reduce((sum, each) => sum + each, 0) / differences.length;
const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / differences.length;
const mdape = (of: 0 | 1): string => (100 * median(pairs.map((pair) => Math.abs(pair[of] - 1)))).toFixed(2);
console.log(
  `${pairs.length} sales: MdAPE ${mdape(0)} → ${mdape(1)}, difference ${mean.toFixed(3)} ± ${Math.sqrt(variance / pairs.length).toFixed(3)}`,
);
