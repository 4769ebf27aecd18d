import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { Scope } from '../accounts/scopes.ts';
import type { BodyLimits } from './request/input-guard.ts';
import type { RandomBytes } from '../accounts/api-key.ts';
import type { KeyStore } from '../accounts/authenticate.ts';
import type { RunCharged } from '../accounts/credits.ts';
import type { FailureLimit } from '../accounts/failure-limit.ts';
import type { IdentityProvider } from '../accounts/identity-provider.ts';
import type { UserDeps } from '../accounts/sessions.ts';
import type { Plans } from '../accounts/plans.ts';
import type { RateLimit } from '../accounts/rate-limit.ts';
import type { Clock, MonotonicClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { ObjectStore } from '../egress/stored-object.ts';
import type { Batches } from '../jobs/batches.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { OperationDeps } from '../operations/deps.ts';
import type { MapTiles } from '../operations/map/map-tiles.ts';
import type { BasemapArchive } from '../operations/map/basemap-archive.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Overload } from './overload.ts';
import type { LargeReads } from './send-text.ts';

/**
 * Everything that the HTTP layer needs, provided by the composition root. It is plain values and functions,
 * so tests can provide their own.
 */
export interface ApiDeps {
  readonly config: Pick<
    Config,
    | 'maxConnections'
    | 'responseSeconds'
    | 'metricsToken'
    | 'trustedProxies'
    | 'mapTilesUrl'
    | 'publicUrl'
    | 'dataDir'
  >;
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
  readonly basemap: BasemapArchive | null;
  readonly batches: Batches;
  /** Where files of sweeps are kept; null = nowhere. */
  readonly objectStore: ObjectStore | null;
  readonly webhooks: Webhooks;
  /** Users who sign in to the console, and their permissions. */
  readonly people: UserDeps;
  /** By which users can sign in, in addition to their password. */
  readonly identityProvider: IdentityProvider | null;
  /** Decides which requests to reject while the process is overloaded. */
  readonly overload: Pick<Overload, 'rejection' | 'count'>;
  readonly largeReads: LargeReads;
  /** Requests for unknown share links by address, and openings of each link, in a minute. */
  readonly shareLimits: { readonly misses: FailureLimit; readonly openings: FailureLimit };
  readonly readiness: () => Promise<Readiness>;
}

/** Whether the service can handle requests, and the status of each part. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/** An operation in the section of the documentation that it belongs to. */
export interface Route extends Operation {
  readonly tag: string;
}

/** One operation of the API: its handler and its documentation. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `{name}` stands for one path segment, as in OpenAPI. */
  readonly path: string;
  readonly operationId: string;
  /** The scope that a key needs. `public` needs no key; `metrics` needs METRICS_TOKEN. */
  readonly access: Scope | 'public' | 'metrics';
  /** What a 2xx response costs, in words. */
  readonly credits: string;
  readonly summary: string;
  readonly description?: string;
  readonly body?: TSchema;
  /** The body's schema in its flat query form. */
  readonly query?: TSchema;
  readonly response: TSchema | null;
  /** The status of a success, if not 200. */
  readonly responseStatus?: 202;
  readonly responseType?: string;
  /** Media types of files that the operation may return instead of `responseType`. */
  readonly otherTypes?: readonly string[];
  /** The alternative media type that `Accept` may request, with the schema of one line. */
  readonly lines?: { readonly type: string; readonly schema: TSchema };
  /** Limits of the body, if larger than those of a single request. */
  readonly bodyLimits?: BodyLimits;
  /** Deadline of the response, if longer than usual: for streams whose pace the client sets, and for long work. */
  readonly responseTimeoutMs?: number;
  /**
   * The operation starts a job, so the plan must include batches. It supports `Idempotency-Key`, and charges
   * as the job progresses.
   */
  readonly startsJob?: true;
  /** Descriptions of other responses with the same schema, by status. */
  readonly otherResponses?: Readonly<Record<number, string>>;
  /** Error codes of this route, in addition to those that all routes with the same access can return. */
  readonly problems: readonly ErrorCode[];
  readonly handle: Handle;
  /** What differs where the console mounts the operation. */
  readonly inConsole?: { readonly handle: Handle };
}

/** The part of a route that is needed to serve it. The rest is documentation and access. */
export type ServedRoute = Omit<
  Operation,
  'access' | 'credits' | 'summary' | 'description' | 'otherResponses' | 'problems'
>;

export type Handle = (deps: ApiDeps, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
