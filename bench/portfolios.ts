/**
 * Time of a portfolio of 20,000 homes with one worker thread, on SQLite and PostgreSQL: creating it, valuing its homes by a
 * made-up model, and comparing the values and writing one alert for each home:
 *
 *   node bench/portfolios.ts          about three minutes
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../src/cli/configured-store.ts';
import { systemClock } from '../src/clock.ts';
import { createPortfolios } from '../src/jobs/portfolios.ts';
import { MOST_PORTFOLIO_HOMES } from '../src/schemas/portfolios.ts';
import { openStore } from '../src/store/open-store.ts';
import { engineOf } from '../test/faults/fault-engines.ts';
import { startWork } from '../test/faults/work-process.ts';
import { testItems, testPayer } from '../test/harness/jobs/jobs.ts';
import { addTestMarket } from '../test/tiny-market.ts';

/** Each home owes more than it is worth. */
const RULES = {
  revalueEvery: 'never',
  changePct: null,
  isOutsideRange: false,
  ltvPct: 50,
  soldWithinMi: null,
} as const;

const homes = testItems(MOST_PORTFOLIO_HOMES).map(({ propertyId, request }, i) => ({
  propertyId,
  balanceUsd: 1e9,
  request: {
    ...request,
    location: { ...request.location, lat: 43.02 + (i % 400) / 20_000, lon: -87.95 },
  },
}));

for (const name of ['sqlite', 'postgres'] as const) {
  const database = await engineOf(name).create();
  const store = await openStore(database.settings);
  await addTestMarket(store);
  const portfolios = createPortfolios({ store, clock: systemClock, newId, wake: () => {} });
  const begunAt = Date.now();
  const { row } = await portfolios.create(testPayer(), { name: 'Loans', rules: RULES, homes });
  const createdAt = Date.now();
  const worker = await startWork(database, 'plumbline work');
  for (;;) {
    const { finishedAt, comparedAt, alertCount } = (await portfolios.read('self', row.portfolioId)).runs[0];
    if (finishedAt !== null && comparedAt !== null) {
      const [created, valued, compared] = [
        createdAt - begunAt,
        finishedAt - createdAt,
        comparedAt - finishedAt,
      ];
      console.log(
        `${name}: ${homes.length} homes created in ${created} ms, valued in ${valued} ms, ${alertCount} alerts written in ${compared} ms`,
      );
      break;
    }
    await sleep(200);
  }
  await worker.stop();
  await store.close();
  await database.drop();
}
