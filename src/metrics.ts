import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds in seconds: one valuation takes about a millisecond, a request a few. */
const REQUEST_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const VALUATION_BUCKETS_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5];
const COMPS_BUCKETS = [0, 1, 3, 5, 10, 15, 20];

/** All metrics of the process. No label contains values from callers: no key, account, address or URL. */
export type Metrics = ReturnType<typeof createMetrics>;

/** A separate registry, so that two servers in one test process do not share counts. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = <const Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers });
  const histogram = <const Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: Label[]
  ) => new Histogram<Label>({ name, help, labelNames, buckets, registers });
  return {
    registry,
    httpRequestSeconds: histogram(
      'http_request_duration_seconds',
      'Time from request to response',
      REQUEST_BUCKETS_SECONDS,
      'route',
      'method',
      'status',
    ),
    valuationSeconds: histogram(
      'valuation_duration_seconds',
      'Time to value one subject, including its wait for a thread, without HTTP and without the commit',
      VALUATION_BUCKETS_SECONDS,
      'kind',
    ),
    /** The codes are a closed list (docs/errors.md). */
    valuationWarnings: counter('valuation_warnings_total', 'Warnings of valuations, by code', 'code'),
    locateOutcomes: counter(
      'locate_outcome_total',
      'Match levels of located subjects, or error codes',
      'outcome',
    ),
    compsFound: histogram('comps_found', 'Comparables per response that requested any', COMPS_BUCKETS),
    creditsCharged: counter('credits_charged_total', 'Credits charged'),
    /** Plans are named by the operator, so there are few. */
    rateLimited: counter('rate_limited_total', 'Requests rejected by a limit of their plan', 'plan'),
    webhookAttempts: counter(
      'webhook_attempts_total',
      'Attempts to deliver a webhook, by outcome: delivered, retry or failed',
      'outcome',
    ),
    jobsOpen: new Gauge({
      name: 'jobs_open',
      help: 'Batches that are queued or running, of all processes, counted every minute',
      registers,
    }),
    jobItemSeconds: histogram(
      'job_item_duration_seconds',
      'Time to value one item of a batch, by outcome: complete, error or returned',
      REQUEST_BUCKETS_SECONDS,
      'outcome',
    ),
    jobLeasesLost: counter(
      'job_lease_lost_total',
      'Items valued here that another worker had taken over, or that were cancelled meanwhile',
    ),
    objectStoreRequests: counter(
      'object_store_requests_total',
      'Requests to object storage, by operation (put, get, head, delete) and outcome: ok, missing or failed',
      'operation',
      'outcome',
    ),
    loadShed: counter(
      'load_shed_total',
      'Requests rejected because the process was overloaded, by overloaded resource',
      'reason',
    ),
  };
}
