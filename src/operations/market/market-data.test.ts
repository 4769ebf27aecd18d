import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { OPERATOR } from '../../cli/compose.ts';
import { attributesOf } from '../../domain/property.ts';
import { dayOf, formatDay } from '../../domain/day.ts';
import { importSales } from '../../load/import-records.ts';
import { BY_COMMAND_LINE, readAudit } from '../../store/audit-log.ts';
import { checkBlob } from '../../store/blobs.ts';
import { abandonedDatasets, deleteAll, supersededRows } from '../../store/delete-datasets.ts';
import { currentDataset } from '../../store/datasets.ts';
import { listModels } from '../../store/models.ts';
import { insertSales, readSales } from '../../store/property-records.ts';
import { beginDataset, publishDataset } from '../../store/publish-dataset.ts';
import { beginRun } from '../../store/runs.ts';
import type { Store } from '../../store/store.ts';
import { unusedBlobs, unusedPieces, UNUSED_KEPT_MS } from '../../store/unused-blobs.ts';
import { openImportFixture, type ImportFixture } from '../../../test/harness/load/import-files.ts';
import { trainQuickly, withOperations } from '../../../test/harness/operations/quick-market.ts';
import { engines, type TestEngine } from '../../../test/harness/store/engines.ts';
import { completeAddress, locate } from '../locate-place.ts';
import { openMarkets } from '../market-data/markets.ts';
import { reviewSale } from './review-sales.ts';
import { readValuation, replayValuation } from '../past/past-valuations.ts';
import type { PropertyValuationRequest } from '../valuation-types.ts';
import { value } from '../value.ts';
import { deleteMarket, readMarketContents } from './delete-market.ts';
import { planPrune, pruneMarket, type PruneRequest } from './prune-market.ts';

const HEADER =
  'record_id,parcel_id,sale_date,sale_price,latitude,longitude,property_type,living_area,year_built';
const START = dayOf(2024, 1, 1);
const TODAY = dayOf(2026, 1, 31);
/** A sale every other day, at about $200 a sqft. */
const ROWS = Array.from({ length: 240 }, (_, i) => {
  const area = 1_200 + 10 * (i % 60);
  const price = area * (190 + (i % 21));
  return `r${i},p${i},${formatDay(START + 2 * i)},${price},${43 + (i % 12) / 1_000},${-88 + (i % 7) / 1_000},houses,${area},1960`;
});
const AT_ONCE = async (): Promise<void> => {};

/** Imports the first rows of a file, so that a longer one is a new version. */
function importRows({ deps, file }: ImportFixture, marketId: string, count: number) {
  const rows = [HEADER, ...ROWS.slice(0, count), ''].join('\n');
  return importSales(deps, { marketId, files: [file(`${count}.csv`, rows)] });
}

function requestAt(asOf: number): PropertyValuationRequest {
  return {
    location: { address: null, lat: 43.005, lon: -88.002, mapsPlace: null },
    search: { radiusMi: 5, lookbackMonths: null, numComps: 2 },
    asOf,
    propertyType: 'houses',
    attributes: attributesOf({ bedrooms: 3, bathrooms: 2, livingAreaSqft: 1500 }),
    warnings: [],
  };
}

const valueAsOf = (store: Store, asOf: number): Promise<string> =>
  withOperations(store, async (operations) => {
    const { response } = await value(operations, 'property', requestAt(asOf), OPERATOR);
    return response.valuation.valuationId;
  });

const replay = (store: Store, valuationId: string): Promise<boolean> =>
  withOperations(
    store,
    async (operations) => (await replayValuation(operations, valuationId, OPERATOR)).agrees,
  );

async function countRows(
  { db }: Store,
  table: 'sales' | 'address_points' | 'datasets' | 'blobs' | 'blob_pieces',
) {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
  return rows[0].n;
}

/** What a later pass of the retention deletes. */
async function deleteUnused(store: Store): Promise<void> {
  const later = { ...store, clock: () => new Date(store.clock().getTime() + 2 * UNUSED_KEPT_MS) };
  await deleteAll(later, unusedBlobs(later));
  await deleteAll(later, unusedPieces(later), 50);
}

async function withFixture(
  engine: TestEngine,
  work: (fixture: ImportFixture) => Promise<void>,
): Promise<void> {
  const fixture = await openImportFixture(engine);
  try {
    await work(fixture);
  } finally {
    await fixture.close();
  }
}

for (const engine of engines) {
  test(`${engine.name}: a deleted market is gone everywhere within a second; its valuations are read, but not replayed, and other markets stay`, () =>
    withFixture(engine, async (fixture) => {
      const { store, deps } = fixture;
      await importRows(fixture, 'one', 200);
      await importRows(fixture, 'one', 240);
      await trainQuickly(deps, 'one', TODAY);
      await importRows(fixture, 'other', 240);
      const valuationId = await valueAsOf(store, TODAY);
      assert.equal(await replay(store, valuationId), true);
      let now = Date.now();
      const serving = openMarkets(store, () => new Date(now));
      assert.equal((await serving.list()).length, 2);

      const contents = await readMarketContents(store, 'one');
      const { datasets, models, valuations } = contents;
      assert.deepEqual(datasets, [{ kind: 'sales', versions: 2, rows: 240 }]);
      assert.deepEqual([models, valuations], [1, 1]);
      await deleteMarket(store, contents, BY_COMMAND_LINE, AT_ONCE);
      now += 1001;
      assert.deepEqual(
        (await serving.list()).map(({ marketId }) => marketId),
        ['other'],
      );
      await assert.rejects(readMarketContents(store, 'one'), { code: 'not_found' });
      assert.equal(await countRows(store, 'sales'), 240, 'of the other market');
      await deleteUnused(store);
      assert.equal(await countRows(store, 'blobs'), 1);
      const [{ snapshotSha256 }] = await store.db.selectFrom('datasets').select('snapshotSha256').execute();
      assert.equal(
        await checkBlob(store, snapshotSha256 ?? ''),
        null,
        'the other market has the same snapshot',
      );
      await withOperations(store, async (operations) => {
        const { valuation } = await readValuation(operations, valuationId, OPERATOR);
        assert.equal(valuation.valuationId, valuationId);
      });
      await assert.rejects(replay(store, valuationId), { code: 'gone' });
      const audit = await readAudit(store, {
        accountId: null,
        find: 'market.deleted',
        limit: 5,
        cursor: null,
      });
      assert.deepEqual(
        audit.items.map(({ subject }) => subject),
        ['one'],
      );
      await importRows(fixture, 'one', 240);
    }));

  test(`${engine.name}: a market is not deleted while an import or training of it runs, and an interrupted deletion is completed`, () =>
    withFixture(engine, async (fixture) => {
      const { store } = fixture;
      await importRows(fixture, 'one', 240);
      const contents = await readMarketContents(store, 'one');
      await beginRun(store, { runId: 'run', task: 'train', marketId: 'one', kind: null });
      const deletion = () =>
        deleteMarket(store, contents, BY_COMMAND_LINE, async () => {
          throw new Error('killed');
        });
      await assert.rejects(deletion(), { code: 'conflict' });
      assert.equal((await readMarketContents(store, 'one')).datasets.length, 1);
      await store.db.deleteFrom('runs').execute();
      await assert.rejects(deletion(), /killed/);
      assert.equal(await countRows(store, 'sales'), 240);
      await deleteAll(store, abandonedDatasets(store), 100);
      assert.deepEqual([await countRows(store, 'sales'), await countRows(store, 'datasets')], [0, 0]);
      await deleteMarket(store, await readMarketContents(store, 'one'), BY_COMMAND_LINE, AT_ONCE);
      await assert.rejects(readMarketContents(store, 'one'), { code: 'not_found' });
    }));

  test(`${engine.name}: a prune keeps the newest models and data and those that kept valuations need, and replays stay the same to the byte`, () =>
    withFixture(engine, async (fixture) => {
      const { store, deps } = fixture;
      const days = [TODAY - 30, TODAY - 20, TODAY - 10, TODAY];
      const ids: string[] = [];
      const valued: string[] = [];
      for (const [i, day] of days.entries()) {
        await importRows(fixture, 'one', 210 + 10 * i);
        ids.push((await trainQuickly(deps, 'one', day)).modelId);
        if (i !== 1) valued.push(await valueAsOf(store, day));
      }
      const request: PruneRequest = { marketId: 'one', keep: 2, since: null, givesUpReplays: false };
      const modelIds = async () => (await listModels(store)).map(({ modelId }) => modelId);
      const plan = await planPrune(store, request);
      assert.deepEqual(
        plan.models.map(({ modelId }) => modelId),
        [ids[1]],
      );
      assert.deepEqual(plan.needed, { models: 1, versions: 1 });
      assert.deepEqual([plan.versions.length, plan.valuations], [1, 0]);
      assert.equal((await planPrune(store, { ...request, since: days[1] })).models.length, 0);
      assert.equal((await modelIds()).length, 4, 'planning deletes nothing');

      await pruneMarket(store, plan, BY_COMMAND_LINE, AT_ONCE);
      await deleteUnused(store);
      assert.deepEqual(await modelIds(), [ids[0], ids[2], ids[3]]);
      for (const id of valued) assert.equal(await replay(store, id), true, id);

      const rest = await planPrune(store, { ...request, keep: 1, givesUpReplays: true });
      assert.deepEqual([rest.models.length, rest.valuations], [2, 2]);
      assert.deepEqual([rest.earliestBefore, rest.earliest], [days[0], days[3]].map(formatDay));
      await pruneMarket(store, rest, BY_COMMAND_LINE, AT_ONCE);
      await deleteUnused(store);
      assert.deepEqual(await modelIds(), [ids[3]]);
      await assert.rejects(replay(store, valued[0]), { code: 'gone' });
      await assert.rejects(replay(store, valued[1]), { code: 'gone' });
      assert.equal(await replay(store, valued[2]), true);
      assert.equal(await countRows(store, 'blobs'), 2, 'the model and the snapshot in use');
    }));

  test(`${engine.name}: what an import added to the rows of the version before is found by address, parcel and sale, in its market`, () =>
    withFixture(engine, async (fixture) => {
      const { store, deps, file } = fixture;
      await importRows(fixture, 'other', 200);
      await importRows(fixture, 'one', 200);
      const header = HEADER.replace('parcel_id,', 'parcel_id,address,');
      const [recordId, parcelId, ...rest] = ROWS[239].split(',');
      const added = [recordId, parcelId, '7777 W Added St', ...rest].join(',');
      await importSales(deps, { marketId: 'one', files: [file('added.csv', `${header}\n${added}\n`)] });
      const { datasetId, rowsId } = (await currentDataset(store, 'one', 'sales')) ?? assert.fail();
      assert.notEqual(rowsId, datasetId);
      await withOperations(store, async (operations) => {
        const [found, ...others] = await completeAddress(operations, '7777 W Add', 5);
        assert.deepEqual([found.formattedAddress, found.marketId, others], ['7777 W Added St', 'one', []]);
        const request = { address: '7777 W Added St', lat: null, lon: null, mapsPlace: null };
        const located = await locate(operations, request, 'home', TODAY);
        assert.deepEqual([located.lat, located.lon], [found.latitude, found.longitude]);
      });
      await reviewSale(store, BY_COMMAND_LINE, 'one', {
        recordId,
        isUsed: false,
        fromDay: TODAY,
        reason: 'Sold to a relative',
      });
    }));

  test(`${engine.name}: rows of earlier versions are deleted an hour after the next version, which values do not need`, () =>
    withFixture(engine, async (fixture) => {
      const { store, deps } = fixture;
      await importRows(fixture, 'one', 200);
      await trainQuickly(deps, 'one', TODAY);
      const valuationId = await valueAsOf(store, TODAY);
      const current = (await currentDataset(store, 'one', 'sales')) ?? assert.fail();
      const { snapshotSha256, rowsId, source } = current;
      const { value: sales = [] } = await readSales(store, rowsId).next();
      const id = await beginDataset(store, { marketId: 'one', kind: 'sales', source });
      await insertSales(store, id, sales.slice(60));
      await publishDataset(store, id, { rows: 140, contentHash: 'other', snapshotSha256 });
      const published = store.clock().getTime();
      assert.equal(await countRows(store, 'sales'), 340);
      await deleteAll(store, supersededRows(store, published - 1000), 70);
      assert.equal(await countRows(store, 'sales'), 340);
      await deleteAll(store, supersededRows(store, published + 1), 70);
      assert.equal(await countRows(store, 'sales'), 140);
      assert.equal(await replay(store, valuationId), true);
    }));
}
