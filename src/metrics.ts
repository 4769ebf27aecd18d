import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** All metrics of the process. No label contains values from callers: no key, account, address or URL. */
export interface Metrics {
  readonly registry: Registry;
  readonly httpRequestSeconds: Histogram<'route' | 'method' | 'status'>;
  readonly valuationSeconds: Histogram<'kind'>;
  readonly locateOutcomes: Counter<'outcome'>;
  readonly compsFound: Histogram;
  readonly creditsCharged: Counter;
  /** Plans are named by the operator, so there are few. */
  readonly rateLimited: Counter<'plan'>;
  readonly webhookAttempts: Counter<'outcome'>;
  readonly loadShed: Counter<'reason'>;
  readonly jobsOpen: Gauge;
  readonly jobItemSeconds: Histogram<'outcome'>;
  readonly jobLeasesLost: Counter;
}

/** Upper bounds in seconds: one valuation takes about a millisecond, a request a few. */
const REQUEST_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const VALUATION_BUCKETS_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5];
const COMPS_BUCKETS = [0, 1, 3, 5, 10, 15, 20];

/** A separate registry, so that two servers in one test process do not share counts. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    httpRequestSeconds: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from request to response',
      labelNames: ['route', 'method', 'status'],
      buckets: REQUEST_BUCKETS_SECONDS,
      registers,
    }),
    valuationSeconds: new Histogram({
      name: 'valuation_duration_seconds',
      help: 'Time to value one subject, its wait for a thread included, without HTTP and without the commit',
      labelNames: ['kind'],
      buckets: VALUATION_BUCKETS_SECONDS,
      registers,
    }),
    locateOutcomes: new Counter({
      name: 'locate_outcome_total',
      help: 'How closely subjects were located, or the code of the error',
      labelNames: ['outcome'],
      registers,
    }),
    compsFound: new Histogram({
      name: 'comps_found',
      help: 'Comparables listed in an answer that asked for some',
      buckets: COMPS_BUCKETS,
      registers,
    }),
    creditsCharged: new Counter({
      name: 'credits_charged_total',
      help: 'Credits charged',
      registers,
    }),
    rateLimited: new Counter({
      name: 'rate_limited_total',
      help: 'Requests refused by a limit of their plan',
      labelNames: ['plan'],
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'webhook_attempts_total',
      help: 'Attempts to deliver a webhook, by what followed: delivered, retry or failed',
      labelNames: ['outcome'],
      registers,
    }),
    jobsOpen: new Gauge({
      name: 'jobs_open',
      help: 'Batches that are queued or under way, of all processes, counted every minute',
      registers,
    }),
    jobItemSeconds: new Histogram({
      name: 'job_item_duration_seconds',
      help: 'Time to value one item of a batch, by what came of it: complete, error or returned',
      labelNames: ['outcome'],
      buckets: REQUEST_BUCKETS_SECONDS,
      registers,
    }),
    jobLeasesLost: new Counter({
      name: 'job_lease_lost_total',
      help: 'Items valued here that another worker had taken over, or that were cancelled meanwhile',
      registers,
    }),
    loadShed: new Counter({
      name: 'load_shed_total',
      help: 'Requests refused because the process could not have answered them in time, by what was scarce',
      labelNames: ['reason'],
      registers,
    }),
  };
}
