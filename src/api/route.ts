import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { Scope } from '../accounts/scopes.ts';
import type { BodyLimits } from './request/input-guard.ts';
import type { RandomBytes } from '../accounts/api-key.ts';
import type { KeyStore } from '../accounts/authenticate.ts';
import type { RunCharged } from '../accounts/credits.ts';
import type { PeopleDeps } from '../accounts/people.ts';
import type { Plans } from '../accounts/plans.ts';
import type { RateLimit } from '../accounts/rate-limit.ts';
import type { Clock, MonotonicClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Batches } from '../jobs/batches.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { OperationDeps } from '../operations/deps.ts';
import type { MapTiles } from '../operations/map/map-tiles.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Overload } from './overload.ts';
import type { LargeReads } from './large-reads.ts';

/** Everything the HTTP side needs, given by the composition root. Plain values and functions: tests give their own. */
export interface ApiDeps {
  readonly config: Pick<Config, 'maxConnections' | 'metricsToken' | 'trustedProxies' | 'mapTilesUrl'>;
  readonly clock: Clock;
  readonly monotonicClock: MonotonicClock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly randomBytes: RandomBytes;
  readonly keys: KeyStore;
  readonly plans: Plans;
  readonly rateLimit: RateLimit;
  readonly runCharged: RunCharged;
  readonly operations: OperationDeps;
  readonly mapTiles: MapTiles;
  readonly batches: Batches;
  readonly webhooks: Webhooks;
  /** Who signs in to the console, and what they may. */
  readonly people: PeopleDeps;
  /** Whom to reject while the process is overloaded. */
  readonly overload: Pick<Overload, 'rejection' | 'count'>;
  readonly largeReads: LargeReads;
  readonly readiness: () => Promise<Readiness>;
}

/** Whether requests can be served, and what each part says of itself. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/** One operation as the routes page lists it: what serves it and what the documentation says of it. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** `{name}` stands for one path segment, as in OpenAPI. */
  readonly path: string;
  readonly operationId: string;
  /** The scope a key needs; `public` needs no key, `metrics` the token of METRICS_TOKEN. */
  readonly access: Scope | 'public' | 'metrics';
  /** What a 2xx costs, in words. */
  readonly credits: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly body?: TSchema;
  /** The body's schema in its flat query form. */
  readonly query?: TSchema;
  readonly response: TSchema | null;
  /** Of success, where it is not 200. */
  readonly responseStatus?: 202;
  readonly responseType?: string;
  /** What `Accept` may ask for instead, and what one line of it is. */
  readonly lines?: { readonly type: string; readonly schema: TSchema };
  /** Of the body, where it may be more than a single request's. */
  readonly bodyLimits?: BodyLimits;
  /** How long an answer may take, where it is a stream that its reader sets the pace of. */
  readonly responseTimeoutMs?: number;
  /** Takes work on for later: only where the plan includes batches. It heeds an `Idempotency-Key`, and charges as it gets on. */
  readonly startsJob?: true;
  /** What else it answers with the same schema, by status. */
  readonly otherResponses?: Readonly<Record<number, string>>;
  /** Problems of its own, beyond those every route of its access can answer. */
  readonly problems: readonly ErrorCode[];
  readonly handle: Handle;
}

/** Of a route what serving it takes; the rest is for the documentation, and for who may. */
export type ServedRoute = Pick<
  Route,
  | 'method'
  | 'path'
  | 'operationId'
  | 'body'
  | 'query'
  | 'response'
  | 'responseStatus'
  | 'responseType'
  | 'lines'
  | 'bodyLimits'
  | 'responseTimeoutMs'
  | 'startsJob'
  | 'handle'
>;

export type Handle = (deps: ApiDeps, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
