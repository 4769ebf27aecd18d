import { statfs } from 'node:fs/promises';
import { Counter, Gauge } from 'prom-client';
import { dayOfInstant, MS_PER_DAY } from '../domain/day.ts';
import { VALUATION_KINDS } from '../domain/valuation-kind.ts';
import type { Config } from '../config.ts';
import type { Metrics } from '../metrics.ts';
import { readBacklog } from '../store/jobs.ts';
import { readDeliveryBacklog } from '../store/deliveries.ts';
import { listCoverage, newestOf, type MarketCoverage } from './market/coverage.ts';
import type { OperationDeps } from './deps.ts';
import type { MeasureNewerSales } from './market/newer-sales.ts';
import {
  allModelsOf,
  DATASET_OF,
  MARKET_KINDS,
  modelsOf,
  newestInputs,
} from './market-data/market-catalog.ts';
import { cached, cachedFor } from '../promise-cache.ts';
import type { OwnedMemory } from '../threads/shared-memory.ts';
import { accuracyOfModel } from './valuation/value-members.ts';

/** Several scrapers share a reading; Prometheus reads every 15 to 60 seconds. */
const READ_MS = 10_000;
/** Pairs of a model and its data whose accuracy is kept. */
const MEASURED_KEPT = 64;

interface GaugeDeps extends Pick<OperationDeps, 'store' | 'markets' | 'clock'> {
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly measureNewerSales: MeasureNewerSales;
  readonly config: Pick<Config, 'dataDir'>;
  readonly memory: Pick<OwnedMemory, 'sizes'>;
  /** A market whose newer sales cannot be measured; its other figures are still reported. */
  readonly onTrouble: (error: unknown) => void;
}

type Labels = Readonly<Record<string, string>>;
/** Gauge, value and labels. */
type Figure = readonly [name: GaugeName, value: number, labels?: Labels];

/** What the gauges say and their labels. docs/operations/http-api.md explains them. */
const GAUGES = {
  database_up: ['1 if the database answered when the gauges were read', []],
  database_bytes: ['Size of the database', []],
  database_connections_waiting: ['Requests that wait for a connection (PostgreSQL)', []],
  disk_free_bytes: ['Free space of the disk of the data folder', []],
  jobs_waiting_seconds: ['Age of the oldest job that has not started', []],
  webhooks_pending: ['Webhooks that are not delivered and have attempts left', []],
  webhooks_overdue_seconds: ['How long the oldest due webhook has waited', []],
  market_data_age_days: ['Days since the newest sale or listing', ['market', 'kind']],
  market_import_age_days: ['Days since the newest import of sales or listings', ['market', 'kind']],
  market_model_age_days: ['Days since the training day of the model in use', ['market', 'kind']],
  market_holdout_error: ['Median relative error of the model in use on its holdout', ['market', 'kind']],
  market_holdout_coverage: ['Share of holdout prices in the 90% interval', ['market', 'kind']],
  market_newer_sales: ['Newest sales, up to 400, known since the training and measured', ['market', 'kind']],
  market_newer_error: ['Median relative error on sales known since the training', ['market', 'kind']],
  market_memory_bytes: ['Memory of the sales and models of a market in this process', ['market']],
  market_newer_coverage: ['Share of prices since the training in the 90% interval', ['market', 'kind']],
} as const satisfies Record<string, readonly [help: string, labels: readonly string[]]>;

type GaugeName = keyof typeof GAUGES;

/**
 * Registers gauges about the database, the queues and the markets. They are read when /metrics is. While the database does
 * not answer, `database_up` is 0 and the others are absent.
 */
export function registerServiceGauges(deps: GaugeDeps): void {
  const { store, clock } = deps;
  const { registry } = deps.metrics;
  const measure = cached(MEASURED_KEPT, deps.measureNewerSales);
  const read = cachedFor(READ_MS, clock, () => readFigures(deps, measure));
  for (const [name, [help, labelNames]] of Object.entries(GAUGES)) {
    const gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [],
      async collect() {
        this.reset();
        // A gauge without labels would be 0 when nothing is known.
        if (labelNames.length === 0) this.remove();
        for (const [figure, value, labels = {}] of await read()) if (figure === name) this.set(labels, value);
      },
    });
    registry.registerMetric(gauge);
  }
  const waited = new Counter({
    name: 'database_connection_wait_seconds_total',
    help: 'Time that requests waited for a connection (PostgreSQL)',
    registers: [],
    collect() {
      this.reset();
      this.inc(store.connections().waitedSeconds);
    },
  });
  registry.registerMetric(waited);
}

async function readFigures(deps: GaugeDeps, measure: MeasureNewerSales): Promise<Figure[]> {
  const { store, clock, config } = deps;
  const disk = await statfs(config.dataDir).catch(() => null);
  const free: Figure[] = disk ? [['disk_free_bytes', disk.bavail * disk.bsize]] : [];
  const waiting: Figure = ['database_connections_waiting', store.connections().waiting];
  const now = clock().getTime();
  const secondsSince = (instant: number | null) => (instant === null ? 0 : Math.max(0, now - instant) / 1000);
  try {
    const jobs = await readBacklog(store.db);
    const deliveries = await readDeliveryBacklog(store.db, now);
    const markets = await listCoverage(deps);
    const accuracies = await Promise.all(markets.map((market) => accuraciesOf(deps, measure, market)));
    return [
      ...free,
      waiting,
      ['database_up', 1],
      ['database_bytes', await store.byteCount()],
      ['jobs_waiting_seconds', secondsSince(jobs.oldestWaitingAt)],
      ['webhooks_pending', deliveries.pending],
      ['webhooks_overdue_seconds', secondsSince(deliveries.oldestDueAt)],
      ...markets.flatMap((market) => agesOf(market, now)),
      ...memoryOf(deps.memory.sizes(), markets),
      ...accuracies.flat(),
    ];
  } catch (error) {
    deps.onTrouble(error);
    return [...free, waiting, ['database_up', 0]];
  }
}

/** The parts of a market are named by the hashes of its sales and models. Others, such as map layers, have no market. */
function memoryOf(sizes: ReadonlyMap<string, number>, markets: readonly MarketCoverage[]): Figure[] {
  return markets.map(({ entry }) => {
    const hashes = allModelsOf(entry).flatMap((model) => [
      model.sha256,
      model.snapshotSha256,
      newestInputs(entry, model).snapshotSha256,
    ]);
    let bytes = 0;
    for (const [name, size] of sizes) if (hashes.some((hash) => name.includes(hash))) bytes += size;
    return ['market_memory_bytes', bytes, { market: entry.marketId }];
  });
}

function agesOf({ entry, saleTypes, rentTypes }: MarketCoverage, now: number): Figure[] {
  const today = dayOfInstant(new Date(now));
  const rows = MARKET_KINDS.flatMap((kind): Figure[] => {
    const labels = { market: entry.marketId, kind: DATASET_OF[kind] };
    const newest = newestOf(kind === 'property' ? saleTypes : rentTypes);
    const publishedAt = entry[DATASET_OF[kind]]?.publishedAt ?? null;
    return [
      ...(newest === null ? [] : [['market_data_age_days', today - newest, labels] as const]),
      ...(publishedAt === null
        ? []
        : [['market_import_age_days', (now - publishedAt) / MS_PER_DAY, labels] as const]),
    ];
  });
  const models = VALUATION_KINDS.flatMap((kind): Figure[] => {
    const model = modelsOf(entry, kind).at(-1);
    const labels = { market: entry.marketId, kind };
    return model ? [['market_model_age_days', today - model.trainedOn, labels]] : [];
  });
  return [...rows, ...models];
}

async function accuraciesOf(
  deps: GaugeDeps,
  measure: MeasureNewerSales,
  { entry }: MarketCoverage,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const kind of MARKET_KINDS) {
    const model = modelsOf(entry, kind).at(-1);
    if (!model) continue;
    const labels = { market: entry.marketId, kind };
    const holdout = accuracyOfModel(model).find(({ stratum }) => stratum === 'all');
    if (holdout) {
      figures.push(['market_holdout_error', holdout.mdape, labels]);
      if (holdout.coverage90 !== null) figures.push(['market_holdout_coverage', holdout.coverage90, labels]);
    }
    const newer = await measure(newestInputs(entry, model)).catch(deps.onTrouble);
    figures.push(['market_newer_sales', newer?.n ?? 0, labels]);
    if (!newer) continue;
    figures.push(['market_newer_error', newer.mdape, labels]);
    figures.push(['market_newer_coverage', newer.coverage90, labels]);
  }
  return figures;
}
