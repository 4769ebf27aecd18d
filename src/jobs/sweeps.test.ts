import assert from 'node:assert/strict';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { test, type TestContext } from 'node:test';
import { engines, type TestEngine } from '../../test/harness/store/engines.ts';
import { RESULTS_KEPT_MS } from '../../test/app-config.ts';
import { testBatch, testPayer } from '../../test/harness/jobs/jobs.ts';
import { openImportFixture } from '../../test/harness/load/import-files.ts';
import { trainQuickly } from '../../test/harness/operations/quick-market.ts';
import { OPERATOR } from '../cli/compose.ts';
import { composeOperations } from '../cli/compose-operations.ts';
import { newId } from '../cli/configured-store.ts';
import { dayOf, formatDay } from '../domain/day.ts';
import { attributesOf } from '../domain/property.ts';
import { PlumblineError } from '../errors.ts';
import { importParcels } from '../load/import-parcels.ts';
import { importSales } from '../load/import-records.ts';
import { createLog } from '../log.ts';
import { value } from '../operations/value.ts';
import { readBalance } from '../store/credit-balances.ts';
import { checkLedger } from '../store/credit-ledger.ts';
import { claimChunk } from '../store/job-queue.ts';
import { findAnyJob } from '../store/jobs.ts';
import { SWEEP_TASK } from '../store/tables/jobs.ts';
import type { ParcelValue } from '../store/tables/sweeps.ts';
import { seededRandom } from '../valuation/random.ts';
import { writeValues } from '../operations/sweep/values-file.ts';
import { deleteAll } from '../store/delete-datasets.ts';
import { sweptValues } from '../store/sweeps.ts';
import { createBatchLoop } from './batch-loop.ts';
import { createBatches } from './batches.ts';
import { createSweeps, type Sweep, type Sweeps } from './sweeps.ts';
import { workChunk, type WorkDeps } from './work-chunk.ts';

const MARKET = 'xx-test';
const NOW = '2026-01-31';
const AS_OF = dayOf(2026, 1, 15);
const PARCELS = 430;
const FAR_PARCEL = 'p0429';
const LEASE_MS = 1000;

const random = seededRandom(7);
const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));

/** Parcels 150 m apart, the last of them far from every sale. */
const parcels = Array.from({ length: PARCELS }, (_, i) => {
  const parcelId = `p${String(i).padStart(4, '0')}`;
  const isFar = parcelId === FAR_PARCEL;
  const lat = (isFar ? 44 : 43) + Math.floor(i / 22) * 0.0014;
  const lon = -88 + (i % 22) * 0.0019;
  const type = i % 9 === 0 ? 'condos' : 'houses';
  return { parcelId, lat, lon, type, bedrooms: between(2, 4), area: between(9, 30) * 100 };
});

const PARCEL_FILE = [
  'parcel_id,latitude,longitude,property_type,bedrooms,bathrooms,living_area,year_built,as_of_date',
  ...parcels.map(({ parcelId, lat, lon, type, bedrooms, area }) =>
    // A third of the records lack the area, so that it is imputed.
    [parcelId, lat, lon, type, bedrooms, 2, area % 300 === 0 ? '' : area, 1950, '2025-01-01'].join(','),
  ),
  '',
].join('\n');

const SALE_FILE = [
  'record_id,parcel_id,sale_date,sale_price,latitude,longitude,property_type,bedrooms,bathrooms,living_area,year_built',
  ...Array.from({ length: 300 }, (_, i) => {
    const { parcelId, lat, lon, type, bedrooms, area } = parcels[between(0, PARCELS - 2)];
    const closedOn = formatDay(dayOf(2024, 1, 1) + between(0, 700));
    const price = area * between(150, 220);
    return [`r${i}`, parcelId, closedOn, price, lat, lon, type, bedrooms, 2, area, 1950].join(',');
  }),
  '',
].join('\n');

/** A trained market with parcels, its sweeps, and a worker whose clock the test moves. */
async function openSwept(engine: TestEngine, t: TestContext) {
  const { store, deps, file, close } = await openImportFixture(engine, NOW);
  await importParcels(deps, { marketId: MARKET, files: [file('parcels.csv', PARCEL_FILE)] });
  await importSales(deps, { marketId: MARKET, files: [file('sales.csv', SALE_FILE)] });
  await trainQuickly(deps, MARKET, dayOf(2026, 1, 10));
  const state = { now: Date.parse(`${NOW}T12:00:00Z`) };
  const clock = () => new Date(state.now);
  const operations = composeOperations(store);
  t.after(async () => {
    await operations.valuationLog.close();
    await close();
  });
  const ignore = (): void => {};
  const worker: WorkDeps = {
    operations,
    store,
    clock,
    leaseMs: LEASE_MS,
    log: createLog('fatal'),
    events: { onItem: ignore, onBusy: ignore, onLost: ignore, onJobDone: ignore },
  };
  const shared = { ...operations, clock, newId };
  return {
    store,
    operations,
    worker,
    sweeps: createSweeps(shared),
    batches: createBatches({
      ...shared,
      resultsKeptMs: RESULTS_KEPT_MS,
      wake: ignore,
      wakeDeliverySender: ignore,
    }),
    passMs: (ms: number) => void (state.now += ms),
    claim: (tasks: readonly string[] = [SWEEP_TASK]) =>
      claimChunk(store, { tasks, now: state.now, leaseUntil: state.now + LEASE_MS, most: 1 }),
  };
}

type Swept = Awaited<ReturnType<typeof openSwept>>;

async function workAll({ claim, worker }: Swept): Promise<void> {
  for (let chunk = await claim(); chunk !== null; chunk = await claim()) {
    await workChunk(worker, chunk, new AbortController().signal);
  }
}

async function valuesOf(sweeps: Sweeps, sweep: Sweep): Promise<ParcelValue[]> {
  const all = [];
  for await (const page of sweeps.values(sweep)) all.push(...page);
  return all;
}

/** The values as another program reads them from the Parquet file. */
async function rowsOfParquet(sweeps: Sweeps, sweep: Sweep): Promise<unknown[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeValues('parquet', AS_OF, sweeps.values(sweep))) {
    pieces.push(Buffer.from(piece));
  }
  const bytes = Buffer.concat(pieces);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return (await parquetReadObjects({ file, compressors })).map((row) => {
    assert.equal(row.as_of_date, formatDay(AS_OF));
    return {
      parcelId: row.parcel_id,
      valueUsd: row.point_value,
      lowUsd: row.estimated_value_low,
      highUsd: row.estimated_value_high,
      fsd: row.fsd,
      errorCode: row.error_code,
    };
  });
}

for (const engine of engines) {
  test(`${engine.name}: parcels that are deleted during a sweep are counted as gone, and a deleted market leaves no values`, async (t) => {
    const swept = await openSwept(engine, t);
    const { sweeps, store } = swept;
    const { sweep } = await sweeps.submit(testPayer(), { marketId: MARKET, asOf: AS_OF });
    await store.rows.deleteFrom('parcels').where('parcel_id', '=', 'p0007').execute();
    await workAll(swept);
    const { job, valued, errors } = await sweeps.read('self', sweep.job.jobId);
    assert.deepEqual([job.status, job.failed], ['complete', 1]);
    assert.deepEqual([valued, errors], [PARCELS - 51, { gone: 50, outside_coverage: 1 }]);
    assert.equal((await deleteAll(store, sweptValues(store, MARKET), 100)) > 0, true);
    for (const table of ['parcel_values', 'sweeps'] as const) {
      assert.deepEqual(await store.db.selectFrom(table).selectAll().execute(), []);
    }
  });

  test(`${engine.name}: a sweep whose market is deleted while it runs ends, and only the values that it had were charged`, async (t) => {
    const swept = await openSwept(engine, t);
    const { sweeps, store, claim, worker } = swept;
    const { sweep } = await sweeps.submit(testPayer(), { marketId: MARKET, asOf: AS_OF });
    const chunk = await claim();
    assert.ok(chunk);
    await workChunk(worker, chunk, new AbortController().signal);
    const { creditsUsed } = (await sweeps.read('self', sweep.job.jobId)).job;
    await deleteAll(store, sweptValues(store, MARKET), 100);
    await workAll(swept);
    const job = await findAnyJob(store.db, sweep.job.jobId);
    assert.deepEqual([job?.status, job?.completed, job?.creditsUsed], ['complete', 1, creditsUsed]);
    assert.ok(creditsUsed > 0 && job?.failed === sweep.job.total - 1);
    const results = store.db.selectFrom('job_results').select('errorCode').distinct();
    assert.deepEqual(new Set((await results.execute()).map((row) => row.errorCode)), new Set([null, 'gone']));
  });

  test(`${engine.name}: a sweep gives each parcel the value of a single valuation at its point, or its error`, async (t) => {
    const swept = await openSwept(engine, t);
    const { sweeps, operations } = swept;
    const submission = await sweeps.submit(testPayer(), { marketId: MARKET, asOf: AS_OF });
    await workAll(swept);
    const sweep = await sweeps.read('self', submission.sweep.job.jobId);
    assert.equal(sweep.job.status, 'complete');
    assert.deepEqual([sweep.valued, sweep.errors], [PARCELS - 1, { outside_coverage: 1 }]);
    const values = await valuesOf(sweeps, sweep);
    assert.deepEqual(
      values.map(({ parcelId }) => parcelId),
      parcels.map(({ parcelId }) => parcelId),
    );
    for (let i = 0; i < PARCELS; i += 13) {
      const { lat, lon } = parcels[i];
      assert.deepEqual(values[i], await singleValue(operations, lat, lon, values[i].parcelId));
    }
    assert.deepEqual(await rowsOfParquet(sweeps, sweep), await valuesOf(sweeps, sweep));
    const far = parcels[PARCELS - 1];
    assert.deepEqual(values.at(-1), await singleValue(operations, far.lat, far.lon, FAR_PARCEL));
    const history = await sweeps.history('self', MARKET, 'p0007');
    assert.deepEqual(
      history.map(({ asOf, valueUsd }) => [asOf, valueUsd]),
      [[AS_OF, values[7].valueUsd]],
    );
  });

  test(`${engine.name}: after a worker is lost, another values its parcels: none is lost, doubled or charged twice`, async (t) => {
    const swept = await openSwept(engine, t);
    const { sweeps, store, worker, claim, passMs } = swept;
    const payer = testPayer('self', { creditsPerMonth: 10_000 });
    const { sweep, isResumed } = await sweeps.submit(payer, { marketId: MARKET, asOf: AS_OF });
    assert.deepEqual([sweep.sweep.parcelCount, sweep.job.total, isResumed], [PARCELS, 9, false]);
    const stalled = await claim();
    assert.ok(stalled);
    passMs(LEASE_MS);
    // A command that is run again continues the sweep.
    const again = await sweeps.submit(payer, { marketId: MARKET, asOf: AS_OF });
    assert.deepEqual([again.sweep.job.jobId, again.isResumed], [sweep.job.jobId, true]);
    await workAll(swept);
    // The first worker wakes up and tries to write the same parcels.
    await workChunk(worker, stalled, new AbortController().signal);
    const ended = await sweeps.read('self', sweep.job.jobId);
    assert.deepEqual([ended.job.status, ended.job.creditsUsed], ['complete', PARCELS - 1]);
    assert.equal((await valuesOf(sweeps, ended)).length, PARCELS);
    const balance = await readBalance(store, 'self', '2026-01');
    assert.equal(balance?.balance, 10_000 - (PARCELS - 1));
    assert.deepEqual((await checkLedger(store)).differences, []);
    const next = await sweeps.submit(payer, { marketId: MARKET, asOf: AS_OF });
    assert.equal(next.isResumed, false, 'an ended sweep is not continued');
    const cancelled = await sweeps.cancel(payer, next.sweep.job.jobId);
    assert.deepEqual([cancelled.valued, cancelled.errors], [0, { cancelled: PARCELS }]);
    await assert.rejects(sweeps.cancel(payer, sweep.job.jobId), { code: 'conflict' });
  });

  test(`${engine.name}: the ranges of a sweep are claimed when no batch waits`, async (t) => {
    const swept = await openSwept(engine, t);
    const { sweeps, batches, worker } = swept;
    const { sweep } = await sweeps.submit(testPayer(), { marketId: MARKET, asOf: AS_OF });
    const { job } = await batches.submit(testPayer(), testBatch(12));
    const ended: string[] = [];
    const loop = createBatchLoop({
      ...worker,
      events: {
        ...worker.events,
        onItem: () => void ended.push('item'),
        onJobDone: () => void ended.push('job'),
      },
    });
    loop.start();
    while ((await sweeps.read('self', sweep.job.jobId)).job.finishedAt === null) loop.wake();
    await loop.close();
    assert.equal((await batches.read('self', job.jobId)).status, 'complete');
    assert.deepEqual(ended, [
      ...Array<string>(12).fill('item'),
      'job',
      ...Array<string>(9).fill('item'),
      'job',
    ]);
  });

  test(`${engine.name}: a sweep needs a market with parcels and a model, and its own account to be read`, async (t) => {
    const { sweeps } = await openSwept(engine, t);
    const submit = (marketId: string, asOf = AS_OF) => sweeps.submit(testPayer(), { marketId, asOf });
    await assert.rejects(submit('xx-none'), { code: 'not_found' });
    await assert.rejects(submit(MARKET, dayOf(2020, 1, 1)), { code: 'insufficient_data' });
    const { sweep } = await submit(MARKET);
    await assert.rejects(sweeps.read('another', sweep.job.jobId), { code: 'not_found' });
    const few = testPayer('self', { creditsPerMonth: 100 });
    await assert.rejects(sweeps.submit(few, { marketId: MARKET, asOf: AS_OF + 1 }), {
      code: 'quota_exceeded',
    });
  });
}

/** The figures of a single valuation by coordinates. */
async function singleValue(
  operations: Swept['operations'],
  lat: number,
  lon: number,
  parcelId: string,
): Promise<ParcelValue> {
  const request = {
    location: { address: null, lat, lon, mapsPlace: null },
    asOf: AS_OF,
    search: { radiusMi: 3, lookbackMonths: 24, numComps: 5 },
    warnings: [],
    propertyType: null,
    attributes: attributesOf({}),
  };
  try {
    const { response } = await value(operations, 'property', request, OPERATOR);
    const { pointValue, estimatedValueLow, estimatedValueHigh, fsd } = response.valuation;
    const range = { lowUsd: estimatedValueLow, highUsd: estimatedValueHigh };
    return { parcelId, valueUsd: pointValue, ...range, fsd, errorCode: null };
  } catch (error) {
    assert.ok(error instanceof PlumblineError, String(error));
    return { parcelId, valueUsd: null, lowUsd: null, highUsd: null, fsd: null, errorCode: error.code };
  }
}
