import type { Clock } from '../clock.ts';
import type { RandomBytes } from '../accounts/api-key.ts';
import type { KeyStore } from '../accounts/authenticate.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { MarketEntry } from '../operations/markets.ts';
import type { PropertyValuation, PropertyValuationRequest } from '../operations/property-valuation.ts';

/** Everything the HTTP side needs, given by the composition root. Plain values and functions: tests give their own. */
export interface ApiDeps {
  readonly config: Pick<Config, 'metricsToken' | 'trustedProxies'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly randomBytes: RandomBytes;
  readonly keys: KeyStore;
  readonly operations: Operations;
  readonly readiness: () => Promise<Readiness>;
}

/** The operations that routes call, each already holding its own deps. */
export interface Operations {
  readonly valueProperty: (request: PropertyValuationRequest) => Promise<ValuedProperty>;
  /** Resolves once the answer is committed; only then may it leave the house. */
  readonly keepValuation: (kept: KeptValuation) => Promise<void>;
  readonly findValuation: (valuationId: string) => Promise<KeptValuation | null>;
  readonly replayProperty: (kept: KeptValuation) => Promise<PropertyValuation>;
  readonly listMarkets: () => Promise<readonly MarketEntry[]>;
}

export interface ValuedProperty {
  readonly answer: PropertyValuation;
  /** What a replay needs to compute the same again: model, snapshot, the request as understood. */
  readonly pins: unknown;
}

/** A valuation as it was given. */
export interface KeptValuation {
  readonly valuationId: string;
  readonly accountId: string;
  readonly keyId: string | null;
  readonly kind: 'property';
  readonly createdAt: Date;
  readonly request: PropertyValuationRequest;
  readonly pins: unknown;
  /** The body of the answer, byte for byte. */
  readonly response: string;
  readonly credits: number;
}

/** Whether requests can be served, and what is missing if not. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, string>>;
}
