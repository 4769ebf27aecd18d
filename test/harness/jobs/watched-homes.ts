import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { TestEngine } from '../store/engines.ts';
import { testPayer } from './jobs.ts';
import { openImportFixture } from '../load/import-files.ts';
import { trainQuickly } from '../operations/quick-market.ts';
import { BUILT_IN_PLANS, type Plan } from '../../../src/accounts/plans.ts';
import { composeOperations } from '../../../src/cli/compose-operations.ts';
import { newId } from '../../../src/cli/configured-store.ts';
import { dayOf, formatDay } from '../../../src/domain/day.ts';
import type { PortfolioRules } from '../../../src/domain/portfolio.ts';
import { attributesOf } from '../../../src/domain/property.ts';
import { importSales } from '../../../src/load/import-records.ts';
import { createLog } from '../../../src/log.ts';
import { insertAccount } from '../../../src/store/accounts.ts';
import { claimChunk } from '../../../src/store/job-queue.ts';
import { listAlerts } from '../../../src/store/portfolio-alerts.ts';
import { seededRandom } from '../../../src/valuation/random.ts';
import { alertMembers, compareOneRun } from '../../../src/jobs/compare-run.ts';
import { queueDueRuns } from '../../../src/jobs/due-runs.ts';
import { createPortfolios, type NewHome } from '../../../src/jobs/portfolios.ts';
import { workChunk, type WorkDeps } from '../../../src/jobs/work-chunk.ts';

const MARKET = 'xx-test';
const NOW = '2026-01-31';
export const ACCOUNT = 'lender';
const LEASE_MS = 1000;
export const DAY_MS = 86_400_000;
/** A worker uses newer data after this time, by the real clock. */
export const CATALOG_MS = 1100;

const random = seededRandom(11);
const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
const placeOf = (i: number) => ({ lat: 43 + Math.floor(i / 20) * 0.0014, lon: -88 + (i % 20) * 0.0019 });

interface TestSale {
  readonly id: string;
  readonly lat: number;
  readonly lon: number;
  readonly soldOn: string;
  readonly price: number;
  readonly area: number;
}

const SALES: readonly TestSale[] = Array.from({ length: 400 }, (_, i) => {
  const area = between(9, 30) * 100;
  const soldOn = formatDay(dayOf(2024, 1, 1) + between(0, 700));
  return { id: `r${i}`, ...placeOf(i), soldOn, price: area * between(150, 220), area };
});

/** Newer sales near the first homes, 10% more expensive than most and beside the homes sold before, so that none is flagged. */
export const NEW_SALES: readonly TestSale[] = Array.from({ length: 60 }, (_, i) => {
  const area = between(12, 24) * 100;
  const { lat, lon } = placeOf(i);
  const soldOn = formatDay(dayOf(2026, 1, 5) + (i % 12));
  return { id: `n${i}`, lat: lat + 0.0007, lon, soldOn, price: Math.round(area * 204), area };
});

function saleFile(sales: readonly TestSale[]): string {
  const rows = sales.map(({ id, lat, lon, soldOn, price, area }) =>
    [id, soldOn, price, lat, lon, 'houses', 3, 2, area, 1950].join(','),
  );
  const head =
    'record_id,sale_date,sale_price,latitude,longitude,property_type,bedrooms,bathrooms,living_area,year_built';
  return [head, ...rows, ''].join('\n');
}

export function homeAt(lat: number, lon: number, balanceUsd: number | null = null, name = 'home'): NewHome {
  return {
    propertyId: name,
    balanceUsd,
    request: {
      location: { address: null, lat, lon, mapsPlace: null },
      search: { radiusMi: 1, lookbackMonths: null, numComps: 0 },
      asOf: 0,
      propertyType: 'houses',
      attributes: attributesOf({ bedrooms: 3, bathrooms: 2, livingAreaSqft: 1500 }),
      warnings: [],
    },
  };
}

export const RULES: PortfolioRules = {
  revalueEvery: 'day',
  changePct: 0.01,
  isOutsideRange: true,
  ltvPct: 80,
  soldWithinMi: 0.25,
};
export const HOMES = [
  homeAt(43.0005, -87.9995, 1_000_000, 'owes more than it is worth'),
  homeAt(43.0015, -87.998, 1000, 'owes little'),
  homeAt(43.02, -87.975, null, 'far from new sales'),
  homeAt(50, -100, null, 'outside every market'),
];

export async function openWatched(engine: TestEngine, t: TestContext) {
  const { store, deps, file, close } = await openImportFixture(engine, NOW);
  await importSales(deps, { marketId: MARKET, files: [file('sales.csv', saleFile(SALES))] });
  await trainQuickly(deps, MARKET, dayOf(2026, 1, 10));
  await insertAccount(store, { accountId: ACCOUNT, name: ACCOUNT, plan: 'unlimited', createdAt: 0 });
  const state = { now: Date.parse(`${NOW}T12:00:00Z`) };
  const clock = () => new Date(state.now);
  const operations = { ...composeOperations(store), clock };
  t.after(async () => {
    await operations.valuationLog.close();
    await close();
  });
  const ignore = (): void => {};
  const log = createLog('fatal');
  const events = { onItem: ignore, onBusy: ignore, onLost: ignore, onJobDone: ignore };
  const worker: WorkDeps = { operations, store, clock, leaseMs: LEASE_MS, log, events };
  const submitDeps = { ...operations, newId, wake: ignore };
  const workItems = async (): Promise<void> => {
    for (;;) {
      const claim = { tasks: ['property'], now: state.now, leaseUntil: state.now + LEASE_MS, most: 10 };
      const chunk = await claimChunk(store, claim);
      if (chunk === null) return;
      await workChunk(worker, chunk, new AbortController().signal);
    }
  };
  return {
    store,
    operations,
    portfolios: createPortfolios(submitDeps),
    passMs: (ms: number) => void (state.now += ms),
    workItems,
    compare: () => compareOneRun({ operations, log, leaseMs: LEASE_MS }),
    queueDue: (plans: ReadonlyMap<string, Plan> = BUILT_IN_PLANS) => queueDueRuns({ ...submitDeps, plans }),
    retrain: () => trainQuickly(deps, MARKET, dayOf(2026, 2, 1)),
    importNewSales: () =>
      importSales(deps, { marketId: MARKET, files: [file('new.csv', saleFile(NEW_SALES))] }),
  };
}

type Watched = Awaited<ReturnType<typeof openWatched>>;

export async function alertsOf({ store }: Watched, portfolioId: string, runNo: number | null = null) {
  const search = { kind: null, runNo, status: 'all', limit: 1000, cursor: null } as const;
  return (await listAlerts(store.db, portfolioId, search)).items.map(alertMembers).reverse();
}

export async function createRun(watched: Watched, homes = HOMES, rules = RULES): Promise<string> {
  const { portfolios, workItems, compare } = watched;
  const { row } = await portfolios.create(testPayer(ACCOUNT), { name: 'Loans', rules, homes });
  await workItems();
  assert.equal(await compare(), true);
  assert.equal(await compare(), false);
  return row.portfolioId;
}
