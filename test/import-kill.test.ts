import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { currentDataset } from '../src/store/datasets.ts';
import { openStore } from '../src/store/open-store.ts';
import { readSales } from '../src/store/property-records.ts';
import { casesOf } from './harness/cases.ts';
import { engines, type TestDatabase } from './harness/store/engines.ts';

const CHILD = fileURLToPath(new URL('import-child.ts', import.meta.url));
const OLD_ROWS = 50;
const NEW_ROWS = 6_000;
/** After the first line of a step, and so many milliseconds. */
const MOMENTS = [
  ['Writing', 40],
  ['Writing', 0],
  ['Reading', 0],
] as const;

/**
 * Runs an import in another process. With `kill`, sends SIGKILL `afterMs` after the process has printed
 * `lines` lines that start with `step`.
 */
async function importInChild(
  settings: TestDatabase['settings'],
  file: string,
  kill: { step: string; lines: number; afterMs: number } | null,
): Promise<NodeJS.Signals | number | null> {
  const child = spawn(process.execPath, [CHILD, JSON.stringify(settings), 'sales', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (!kill) return;
    said += text.split('\n').filter((line) => line.startsWith(kill.step)).length;
    if (said >= kill.lines) setTimeout(() => child.kill('SIGKILL'), kill.afterMs);
  });
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
}

function writeSales(folder: string, name: string, rows: number, price: number): string {
  const lines = Array.from(
    { length: rows },
    (_, i) => `r${i},2021-03-${String(1 + (i % 28)).padStart(2, '0')},${price + i},${i} Main St,43.${i},-88`,
  );
  const path = join(folder, name);
  writeFileSync(path, ['record_id,sale_date,sale_price,address,latitude,longitude', ...lines, ''].join('\n'));
  return path;
}

async function pricesOf(settings: TestDatabase['settings']): Promise<number[]> {
  const store = await openStore(settings);
  const current = await currentDataset(store, 'xx-test', 'sales');
  const prices: number[] = [];
  if (current) {
    for await (const page of readSales(store, current.rowsId))
      prices.push(...page.map((sale) => sale.priceUsd));
  }
  await store.close();
  return prices;
}

for (const engine of engines) {
  test(`${engine.name}: an import killed at any moment leaves the old version complete, and can run again`, async () => {
    const database = await engine.create();
    const { settings } = database;
    const before = writeSales(settings.dataDir, 'before.csv', OLD_ROWS, 100_000);
    const after = writeSales(settings.dataDir, 'after.csv', NEW_ROWS, 200_000);
    assert.equal(await importInChild(settings, before, null), 0);
    for (const [step, afterMs] of MOMENTS.slice(0, casesOf(MOMENTS.length))) {
      assert.equal(await importInChild(settings, after, { step, lines: 1, afterMs }), 'SIGKILL');
      const prices = await pricesOf(settings);
      assert.equal(prices.length, OLD_ROWS, `killed ${afterMs} ms after ${step}`);
      assert.ok(prices.every((price) => price < 200_000));
    }
    assert.equal(await importInChild(settings, after, null), 0);
    const prices = await pricesOf(settings);
    assert.equal(prices.length, NEW_ROWS);
    assert.ok(prices.every((price) => price >= 200_000));
    await database.drop();
  });
}
