import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf, formatDay, type Day } from '../../domain/day.ts';
import { importSales } from '../../load/import-records.ts';
import { OPERATOR } from '../../cli/compose.ts';
import { attributesOf } from '../../domain/property.ts';
import { readAudit, BY_COMMAND_LINE } from '../../store/audit-log.ts';
import { getBlob } from '../../store/blobs.ts';
import { inTransaction } from '../../store/transaction.ts';
import { insertUser } from '../../store/users.ts';
import { isUsable } from '../../valuation/columns/sale-columns.ts';
import { decodeColumns } from '../../valuation/columns/snapshots.ts';
import { textAt } from '../../valuation/typed-columns.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { trainQuickly, withOperations } from '../../../test/harness/operations/quick-market.ts';
import { openImportFixture } from '../../../test/harness/load/import-files.ts';
import type { OperationDeps } from '../deps.ts';
import { replayValuation } from '../past/past-valuations.ts';
import { readStudyColumns } from '../studies/study-columns.ts';
import type { PropertyValuationRequest } from '../valuation-types.ts';
import { value } from '../value.ts';
import { listSalesToReview, reviewSale } from './review-sales.ts';

const MARKET = 'xx-test';
const HEADER =
  'record_id,parcel_id,sale_date,sale_price,latitude,longitude,property_type,living_area,year_built';
const START = dayOf(2024, 1, 1);
/** A sale every other day, at about $200 a sqft. */
const ROWS = Array.from({ length: 240 }, (_, i) => {
  const area = 1_200 + 10 * (i % 60);
  const price = area * (190 + (i % 21));
  return `r${i},p${i},${formatDay(START + 2 * i)},${price},${43 + (i % 12) / 1_000},${-88 + (i % 7) / 1_000},houses,${area},1960`;
});
const LOT = `lot,lot,${formatDay(START + 300)},50000,43.001,-88.001,houses,1500,2024`;
const TODAY = dayOf(2026, 1, 31);

for (const engine of engines) {
  test(`${engine.name}: a review is applied by the next training, survives imports and changes no earlier model`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    try {
      const importRows = (name: string, rows: readonly string[]) =>
        importSales(deps, { marketId: MARKET, files: [file(name, [HEADER, ...rows, ''].join('\n'))] });
      await importRows('first.csv', [...ROWS, LOT]);
      const flagged = async () => {
        const request = { marketId: MARKET, flag: null, find: '', today: TODAY, skip: 0, most: 99 };
        const { sales, flags, total } = await listSalesToReview(store, request);
        // The choice of a flag says how many sales the list without one has.
        assert.equal(
          flags.reduce((sum, of) => sum + of.sales, 0),
          total,
        );
        return sales.map(({ recordId, flag, isUsed, review }) => [recordId, flag, isUsed, review?.reason]);
      };
      assert.deepEqual(await flagged(), [['lot', 'before_construction', false, undefined]]);

      const trainNow = () => trainQuickly(deps, MARKET, TODAY);
      const usableIn = async (snapshotSha256: string, recordId: string, asOf = TODAY) => {
        const columns = decodeColumns(await getBlob(store, snapshotSha256));
        const row = [...columns.flag.keys()].findIndex((at) => textAt(columns.recordId, at) === recordId);
        return isUsable(columns, row, asOf);
      };
      const before = await trainNow();

      const review = (recordId: string, isUsed: boolean, reason: string, fromDay = TODAY) =>
        reviewSale(store, BY_COMMAND_LINE, MARKET, { recordId, isUsed, fromDay, reason });
      await review('lot', true, 'a finished shell');
      await review('r7', false, 'sold to a relative');
      const reviewed = [
        ['r7', 'excluded_by_review', false, 'sold to a relative'],
        ['lot', 'before_construction', true, 'a finished shell'],
      ].sort();
      assert.deepEqual((await flagged()).sort(), reviewed);
      const { items } = await readAudit(store, {
        accountId: null,
        find: 'sale.reviewed r7',
        limit: 5,
        cursor: null,
      });
      assert.deepEqual(
        items.map(({ action, subject, detail }) => [action, subject, detail.use, detail.reason]),
        [['sale.reviewed', `${MARKET}/r7`, false, 'sold to a relative']],
      );

      const after = await trainNow();
      assert.notEqual(after.sha256, before.sha256);
      assert.deepEqual(await usable(after.snapshotSha256), [true, false]);
      // The model from before keeps its sales, by which its valuations are replayed.
      assert.deepEqual(await usable(before.snapshotSha256), [false, true]);
      assert.equal((await trainNow()).sha256, after.sha256);

      await importRows('second.csv', [
        ...ROWS,
        LOT,
        `new,new,${formatDay(START + 2 * ROWS.length)},300000,43.002,-88.002,houses,1500,1970`,
      ]);
      assert.deepEqual((await flagged()).sort(), reviewed);
      assert.deepEqual(await usable((await trainNow()).snapshotSha256), [true, false]);

      await review('lot', true, 'known from the start', START + 300);
      const earlier = await trainNow();
      assert.equal(await usableIn(earlier.snapshotSha256, 'lot', START + 400), true);
      assert.equal(await usableIn(after.snapshotSha256, 'lot', START + 400), false);
      const studied = await readStudyColumns(store, MARKET, 0);
      assert.ok(studied.reviews, 'a backtest follows the reviews too');

      async function usable(snapshotSha256: string): Promise<boolean[]> {
        return [await usableIn(snapshotSha256, 'lot'), await usableIn(snapshotSha256, 'r7')];
      }
    } finally {
      await close();
    }
  });

  test(`${engine.name}: valuations from before a review replay byte for byte, and those as of an earlier day are the same after it`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    try {
      const rows = file('sales.csv', [HEADER, ...ROWS, LOT, ''].join('\n'));
      await importSales(deps, { marketId: MARKET, files: [rows] });
      const earlierDay = TODAY - 60;
      await trainQuickly(deps, MARKET, earlierDay);
      await trainQuickly(deps, MARKET, TODAY);
      const valuesAsOf = async (operations: OperationDeps, asOf: number) => {
        const valued = Array.from({ length: 12 }, (_, i) =>
          value(operations, 'property', requestAt(43 + i / 1_000, asOf), OPERATOR),
        );
        return (await Promise.all(valued)).map(({ response }) => response.valuation);
      };
      const before = await withOperations(store, async (operations) => ({
        today: await valuesAsOf(operations, TODAY),
        earlier: await valuesAsOf(operations, earlierDay),
      }));

      const reviewed = { isUsed: true, fromDay: TODAY, reason: 'a finished shell' };
      await reviewSale(store, BY_COMMAND_LINE, MARKET, { ...reviewed, recordId: 'lot' });
      for (let i = 0; i < 20; i++) {
        const excluded = { ...reviewed, recordId: `r${i * 11}`, isUsed: false };
        await reviewSale(store, BY_COMMAND_LINE, MARKET, excluded);
      }
      // Of two models of a day, the one that was created later is used.
      const later = { ...deps, clock: () => new Date(deps.clock().getTime() + 1000) };
      await trainQuickly(later, MARKET, earlierDay);
      await trainQuickly(later, MARKET, TODAY);
      const after = await withOperations(store, async (operations) => {
        for (const { valuationId } of [...before.today, ...before.earlier]) {
          const { agrees } = await replayValuation(operations, valuationId, OPERATOR);
          assert.equal(agrees, true, valuationId);
        }
        return {
          today: await valuesAsOf(operations, TODAY),
          earlier: await valuesAsOf(operations, earlierDay),
        };
      });
      // The newer model of the earlier day has a hash of its own, because its snapshot has the reviews.
      const valuesOf = (valued: typeof before.today) =>
        valued.map((one) => JSON.stringify({ ...one, valuationId: null, model: null }));
      assert.deepEqual(valuesOf(after.earlier), valuesOf(before.earlier));
      const changed = after.today.filter(({ pointValue }, i) => pointValue !== before.today[i].pointValue);
      assert.ok(changed.length > 0, 'the new model follows the reviews');
    } finally {
      await close();
    }
  });

  test(`${engine.name}: models and comparables of each day follow the decision that counted on it, also of a disabled user`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    try {
      await importSales(deps, {
        marketId: MARKET,
        files: [file('sales.csv', [HEADER, ...ROWS, ''].join('\n'))],
      });
      const reviewer = { kind: 'user', id: 'u1', name: 'ann' } as const;
      await inTransaction(store, (transaction) =>
        insertUser(transaction, {
          userId: reviewer.id,
          accountId: BY_COMMAND_LINE.accountId,
          name: reviewer.name,
          role: 'administrator',
          createdAt: 0,
          passwordChangedAt: 0,
          disabledAt: null,
          passwordHash: '',
          secondFactorSince: null,
          identitySince: null,
        }),
      );
      const by = { ...BY_COMMAND_LINE, actor: reviewer };
      const [excludedOn, usedOn] = [TODAY - 40, TODAY - 20];
      // Made on one day, and the later decision first: what counts is the day that each gives.
      await reviewSale(store, by, MARKET, {
        recordId: 'r7',
        isUsed: false,
        fromDay: excludedOn,
        reason: 'kin',
      });
      await reviewSale(store, by, MARKET, {
        recordId: 'r7',
        isUsed: true,
        fromDay: usedOn,
        reason: 'a will',
      });
      const days = [excludedOn - 1, usedOn - 1, TODAY];
      for (const day of days) await trainQuickly(deps, MARKET, day);
      const used = await withOperations(store, async (operations) => {
        const search = { radiusMi: 5, lookbackMonths: null, numComps: 25 };
        const request = { ...requestAt(43 + 7 / 1_000, TODAY), search };
        const valued = days.map((asOf) => value(operations, 'property', { ...request, asOf }, OPERATOR));
        return (await Promise.all(valued)).map(({ response }) =>
          response.comparables.items.some(({ compId }) => compId === 'r7'),
        );
      });
      assert.deepEqual(used, [true, false, true]);

      assert.deepEqual(
        [(await reviewOf(usedOn - 1))?.reason, (await reviewOf(usedOn))?.reason],
        ['kin', 'a will'],
      );
      assert.equal((await reviewOf(usedOn))?.isByDisabledUser, false);
      await store.db.updateTable('users').set({ disabledAt: 1 }).where('userId', '=', reviewer.id).execute();
      assert.equal((await reviewOf(usedOn))?.isByDisabledUser, true);
      async function reviewOf(today: Day) {
        const request = { marketId: MARKET, flag: null, find: 'r7', today, skip: 0, most: 99 };
        const { sales } = await listSalesToReview(store, request);
        return sales.find(({ recordId }) => recordId === 'r7')?.review;
      }
    } finally {
      await close();
    }
  });

  test(`${engine.name}: a review needs a sale of the market, a reason and a day on which it was sold`, async () => {
    const { store, deps, file, close } = await openImportFixture(engine);
    try {
      const set = (recordId: string, reason: string, fromDay = TODAY) =>
        reviewSale(store, BY_COMMAND_LINE, MARKET, { recordId, isUsed: false, fromDay, reason });
      await assert.rejects(set('lot', 'why'), /has no sales/);
      await importSales(deps, { marketId: MARKET, files: [file('f.csv', [HEADER, LOT, ''].join('\n'))] });
      await assert.rejects(set('other', 'why'), /Market "xx-test" has no sale "other"/);
      await assert.rejects(set('lot', ' '), /Give a reason/);
      await assert.rejects(set('lot', 'why', START), /closed on 2024-10-27/);
    } finally {
      await close();
    }
  });
}

function requestAt(lat: number, asOf: Day): PropertyValuationRequest {
  return {
    location: { address: null, lat, lon: -88, mapsPlace: null },
    asOf,
    search: { radiusMi: 5, lookbackMonths: null, numComps: 5 },
    warnings: [],
    propertyType: 'houses',
    attributes: attributesOf({ bedrooms: 3, bathrooms: 2, livingAreaSqft: 1_500, yearBuilt: 1970 }),
  };
}
