import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { FastifyInstance } from 'fastify';
import { rejectUnknownPlans } from '../accounts/manage-accounts.ts';
import { buildServer } from '../api/build-server.ts';
import { openLoadGauges, createOverload, SHEDDING } from '../api/overload.ts';
import { describeConfig, type Config } from '../config.ts';
import { checkSealedSecrets } from '../doctor/sealed-secrets.ts';
import { systemCodeOf, usageError } from '../errors.ts';
import { createBatches } from '../jobs/batches.ts';
import { createRetention, resultsKeptMsOf } from '../jobs/retention.ts';
import { createHousekeeping } from '../jobs/housekeeping.ts';
import { createLog } from '../log.ts';
import { openTracing } from '../tracing.ts';
import type { Store } from '../store/store.ts';
import { describeAssumptions } from '../valuation/multifamily/assumptions.ts';
import type { DeliverySender } from '../webhooks/deliver.ts';
import { composeServed, composeWebhooks, openObjectStore, type ServedOperations } from './compose.ts';
import { openGeocoder } from './compose-operations.ts';
import { composeSecrets } from './compose-people.ts';
import { SERVING_LIMITS, withServedStore } from './configured-store.ts';
import { registerServiceGauges } from '../operations/service-gauges.ts';
import { openBasemapArchive } from '../operations/map/basemap-archive.ts';
import { apiDeps } from './compose-api.ts';
import { openWork, type Work } from './work.ts';
import { readAssumptions, readPlans } from './read-files.ts';
import { closeWhenStopped, FINISH_MS, type StopCause } from './stop-cause.ts';

/**
 * A load balancer notices the failing readiness check within this time. After that, no new requests arrive.
 */
const DRAIN_MS = 3000;

export function registerServe(program: Command): void {
  program.command('serve').action(() =>
    withServedStore(async (store, config) => {
      const server = await listen(store, config);
      await server.stopped;
    }, SERVING_LIMITS),
  );
}

interface RunningServer {
  /** `http://127.0.0.1:8080` */
  readonly url: string;
  /**
   * Resolves after the process was asked to stop and all requests in flight are answered and recorded. If an
   * error caused the stop, it rejects at the same point.
   */
  readonly stopped: Promise<void>;
}

/**
 * Serves until SIGTERM or SIGINT: readiness fails first, requests in flight finish, then the valuation log closes.
 * The caller closes the store. `onBound` runs as soon as the port belongs to this process. Use it for actions that
 * would disturb a server that already runs, such as revoking its key.
 */
export async function listen(
  store: Store,
  config: Config,
  onBound: (url: string) => Promise<void> = async () => {},
): Promise<RunningServer> {
  const log = createLog(config.logLevel);
  const geocoder = openGeocoder(config, (trouble) => log.warn({ trouble }, 'geocoder'));
  const assumptions = readAssumptions(config);
  const plans = readPlans(config);
  await rejectUnknownPlans({ store, plans });
  const secrets = composeSecrets(store, config);
  const served = composeServed(store, config, geocoder, assumptions, (trouble) =>
    log.error({ trouble }, 'model'),
  );
  const tracing = await openTracing(config);
  const operations = { ...served.deps, tracing };
  const { webhooks, deliverySender } = composeWebhooks(operations, secrets, config, log);
  const { metrics } = operations;
  registerServiceGauges({
    ...operations,
    config,
    measureNewerSales: served.measureNewerSales,
    memory: served.memory,
    onTrouble: (error) => log.warn({ err: error }, 'metrics'),
  });
  const threads = openWork(store, config, assumptions, served.memory, {
    log,
    metrics,
    onJobDone: deliverySender.wake,
  });
  const state = { isDraining: false };
  const gauges = openLoadGauges(served.valueWaitMs);
  const overload = createOverload(gauges);
  const { basemapPmtiles } = config;
  const basemap = basemapPmtiles === null ? null : await openBasemapArchive(basemapPmtiles);
  const app = buildServer({
    ...apiDeps(operations, plans, config, log, state),
    basemap,
    objectStore: openObjectStore(config, metrics),
    webhooks,
    batches: createBatches({
      ...operations,
      resultsKeptMs: resultsKeptMsOf(config),
      wake: threads.wake,
      wakeDeliverySender: deliverySender.wake,
    }),
    overload,
  });
  for (const line of describeConfig(config)) log.info({ setting: line }, 'setting');
  for (const line of describeAssumptions(assumptions)) log.info({ assumptions: line }, 'income assumptions');
  const url = await begin(served, app, config, onBound);
  log.info({ url }, 'listening');
  const housekeeping = createHousekeeping({
    ...operations,
    log,
    dataDir: config.dataDir,
    plans,
    wake: threads.wake,
    trainSchedule: config,
  });
  housekeeping.start();
  const retention = createRetention({ ...operations, log, retention: config.retention });
  retention.start();
  // Webhooks and sign-ins with these secrets fail later, one by one.
  for (const { what, where, remedy } of await checkSealedSecrets(store, config)) {
    log.warn({ secrets: where, advice: remedy }, what);
  }
  if (config.databaseUrl !== null && config.webhookKey === null) {
    const advice =
      'webhook secrets and sign-ins are encrypted with this machine’s webhook-key file; set WEBHOOK_KEY if several machines serve';
    log.warn({ advice }, 'webhooks');
  }
  const sampling = setInterval(overload.sample, SHEDDING.sampleMs);
  deliverySender.start();
  threads.start();
  const stopped = closeWhenStopped(log, async (cause) => {
    await housekeeping.close();
    await retention.close();
    clearInterval(sampling);
    gauges.close();
    state.isDraining = true;
    await finish(app, deliverySender, threads, cause);
    await served.close();
    await tracing.close().catch((error: unknown) => log.warn({ err: error }, 'traces were lost'));
  });
  return { url, stopped };
}

/** Waits for load balancers to drain, answers requests in flight, and records pending deliveries. */
async function finish(
  app: FastifyInstance,
  deliverySender: DeliverySender,
  threads: Work,
  { reason }: StopCause,
): Promise<void> {
  const worked = threads.close();
  const delivered = deliverySender.close();
  if (reason !== 'SIGINT') await sleep(DRAIN_MS);
  const cut = setTimeout(() => app.server.closeAllConnections(), FINISH_MS);
  const late = sleep(FINISH_MS, undefined, { ref: false });
  await app.close();
  clearTimeout(cut);
  // A delivery that is cut off becomes due again when its lease expires.
  await Promise.race([Promise.all([delivered, worked]), late]);
}

/** If the server cannot start, ends its threads, because they would keep the process alive. */
async function begin(
  served: ServedOperations,
  app: FastifyInstance,
  config: Config,
  onBound: (url: string) => Promise<void>,
): Promise<string> {
  try {
    await served.preload();
    const url = await bind(app, config);
    await onBound(url).catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
    return url;
  } catch (error) {
    await served.close();
    throw error;
  }
}

async function bind(app: FastifyInstance, config: Config): Promise<string> {
  try {
    return await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await app.close();
    const code = systemCodeOf(error) ?? '';
    const place = `${config.host}:${config.port}`;
    const advice: Readonly<Record<string, string>> = {
      EADDRINUSE: `${place} is in use by another program. Stop it, or choose another port with PORT.`,
      EACCES: `This user may not listen on ${place}. Choose a port of 1024 or above with PORT.`,
      EADDRNOTAVAIL: `${config.host} is not an address of this machine. Set HOST to one of its own, or to 0.0.0.0 for all.`,
    };
    throw code in advice ? usageError(advice[code]) : error;
  }
}
