import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { engines } from '../../test/harness/store/engines.ts';
import { trainQuickly } from '../../test/harness/operations/quick-market.ts';
import { dayOf, formatDay } from '../domain/day.ts';
import { importParcels } from '../load/import-parcels.ts';
import { importSales } from '../load/import-records.ts';
import { openStore } from '../store/open-store.ts';

const run = promisify(execFile);
const COUNT = 120;

/** Homes 150 m apart. */
const homes = Array.from({ length: COUNT }, (_, i) => {
  const place = [43 + Math.floor(i / 11) * 0.0014, -88 + (i % 11) * 0.0019];
  return { id: `p${i}`, facts: [...place, 'houses', 2 + (i % 3), 2, 900 + ((i * 70) % 1500), 1950], no: i };
});
const FACTS = 'latitude,longitude,property_type,bedrooms,bathrooms,living_area,year_built';
const PARCEL_FILE = [
  `parcel_id,as_of_date,${FACTS}`,
  ...homes.map(({ id, facts }) => [id, '2025-01-01', ...facts].join(',')),
];
const SALE_FILE = [
  `record_id,parcel_id,sale_date,sale_price,${FACTS}`,
  ...homes.map(({ id, facts, no }) =>
    [`r${id}`, id, formatDay(dayOf(2024, 1, 1) + no * 5), 200_000 + no * 1000, ...facts].join(','),
  ),
];

for (const engine of engines) {
  test(`${engine.name}: the sweep command prints its result only, and writes a new file of all parcels`, async (t) => {
    const database = await engine.create();
    t.after(() => database.drop());
    const { databaseUrl, dataDir } = database.settings;
    const store = await openStore(database.settings);
    const deps = { store, dataDir, clock: () => new Date('2026-01-31T12:00:00Z') };
    const file = (name: string, lines: readonly string[]): string => {
      writeFileSync(join(dataDir, name), `${lines.join('\n')}\n`);
      return join(dataDir, name);
    };
    await importParcels(deps, { marketId: 'town', files: [file('parcels.csv', PARCEL_FILE)] });
    await importSales(deps, { marketId: 'town', files: [file('sales.csv', SALE_FILE)] });
    await trainQuickly(deps, 'town', dayOf(2026, 1, 10));
    await store.close();

    const out = join(dataDir, 'values.csv');
    const sweep = ['src/main.ts', 'sweep', '--market', 'town', '--as-of', '2026-01-15', '--json'];
    const env = {
      ...process.env,
      PLUMBLINE_DATA: dataDir,
      DATABASE_URL: databaseUrl ?? '',
      LOG_LEVEL: 'info',
    };
    const { stdout, stderr } = await run(process.execPath, [...sweep, '--out', out], { env });
    assert.equal(JSON.parse(stdout).parcels, COUNT, 'standard output is JSON and nothing else');
    assert.match(stderr, /batch complete/, 'the log is on standard error');
    assert.equal(readFileSync(out, 'utf8').trim().split('\n').length, COUNT + 1);

    const refused = (path: string, message: RegExp) =>
      assert.rejects(
        run(process.execPath, [...sweep, '--out', path], { env }),
        ({ stdout: text, stderr: why }) => {
          assert.match(why, message);
          assert.doesNotMatch(why, /Valuing/, 'it is rejected before the sweep');
          return text === '';
        },
      );
    await refused(out, /values\.csv exists already\. Delete it/);
    await refused(join(dataDir, 'none', 'values.csv'), /there is no folder .*none\. Create it/);
    assert.equal(existsSync(`${out}.part`), false);
  });
}
