import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { importParcels } from '../src/load/import-parcels.ts';
import { openBrowser, startConsole } from './console-fixture.ts';
import { addSweep } from './harness/jobs/add-sweep.ts';
import { engines } from './harness/store/engines.ts';
import { addTestMarket } from './tiny-market.ts';

const PARCELS = [
  'parcel_id,latitude,longitude,property_type,bedrooms,bathrooms,living_area',
  'p1,43,-88,houses,3,2,1500',
  'p2,43.001,-88,houses,3,2,1600',
  '',
].join('\n');

const VALUE = {
  valueUsd: 200_000,
  lowUsd: 150_000,
  highUsd: 250_000,
  fsd: 0.2430515236776681,
  errorCode: null,
};
const NO_VALUE = {
  valueUsd: null,
  lowUsd: null,
  highUsd: null,
  fsd: null,
  errorCode: 'outside_coverage',
};

for (const engine of engines) {
  test(`${engine.name}: an administrator values all parcels of a market, sees those of the account only, and downloads the values`, async () => {
    const console = await startConsole(engine);
    const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-sweeps-'));
    try {
      const { store } = console;
      await addTestMarket(store);
      const parcels = join(dataDir, 'parcels.csv');
      writeFileSync(parcels, PARCELS);
      const deps = { store, dataDir, clock: console.people.clock };
      await importParcels(deps, { marketId: 'town', files: [parcels] });
      await console.addAccount('tenant');
      await console.addUser('olga', 'administrator');
      await console.addUser('tom', 'administrator', 'tenant');
      await console.addUser('mia', 'member');
      const [olga, tom, mia] = [openBrowser(console), openBrowser(console), openBrowser(console)];
      await olga.signIn('olga');
      await tom.signIn('tom');
      await mia.signIn('mia');
      const request = { market: 'town', date: '2026-01-01' };
      const dryRun = { headers: { 'x-dry-run': 'true' } };
      assert.deepEqual((await olga.ask('POST', 'sweeps', request, dryRun)).body, {
        dry_run: true,
        credits_max: 2,
      });
      const old = await olga.ask('POST', 'sweeps', { ...request, date: '2000-01-01' }, dryRun);
      assert.equal(old.body.code, 'insufficient_data', 'no model is that old');
      const list = async () => (await olga.ask('GET', 'markets/town/sweeps')).body.sweeps;
      assert.deepEqual(await list(), []);
      const started = await olga.ask('POST', 'sweeps', request);
      assert.equal(started.status, 202, started.text);
      const id = started.body.sweep_id;
      assert.deepEqual(await list(), [started.body]);
      assert.equal((await olga.ask('GET', `sweeps/${id}/values?format=csv`)).body.code, 'conflict');
      console.passMs(1000);
      assert.equal((await olga.ask('POST', `sweeps/${id}/cancel`, {})).body.status, 'cancelled');
      type Entry = Readonly<Record<string, unknown>>;
      const lines: readonly Entry[] = (await olga.ask('GET', 'audit')).body.entries;
      assert.deepEqual(
        lines.filter(({ subject }) => subject === id).map(({ action }) => action),
        ['batch.cancelled', 'sweep.submitted'],
      );

      const values = [
        { parcelId: 'p1', ...VALUE },
        { parcelId: 'p2', ...NO_VALUE },
      ];
      const theirs = await addSweep(store, 'tenant', { marketId: 'town', values, endedAt: 1 });
      const elsewhere = await addSweep(store, 'tenant', { marketId: 'other', endedAt: 1 });
      assert.deepEqual(
        (await list()).map((sweep: Record<string, unknown>) => sweep.sweep_id),
        [id],
      );
      const tenants = (await tom.ask('GET', 'markets/town/sweeps')).body.sweeps;
      assert.deepEqual(
        tenants.map((sweep: Record<string, unknown>) => sweep.sweep_id),
        [theirs],
        elsewhere,
      );
      assert.equal(
        (await tom.ask('GET', `sweeps/${theirs}/values?format=csv`)).text,
        [
          '\u{feff}parcel_id,as_of_date,point_value,estimated_value_low,estimated_value_high,fsd,error_code',
          'p1,1970-01-01,200000,150000,250000,0.2431,',
          'p2,1970-01-01,,,,,outside_coverage',
          '',
        ].join('\n'),
      );
      for (const refused of [
        await mia.ask('POST', 'sweeps', request),
        await mia.ask('GET', 'markets/town/sweeps'),
        await mia.ask('GET', `sweeps/${id}/values?format=csv`),
      ])
        assert.deepEqual([refused.status, refused.body.code], [403, 'role_forbidden']);
    } finally {
      await console.close();
      rmSync(dataDir, { recursive: true });
    }
  });
}
