import { isScope, SCOPES } from './scopes.ts';
import { isRecord } from '../domain/json.ts';
import type { AccountLimits } from '../store/tables/accounts.ts';

/** The windows over which requests are counted. */
export const WINDOWS = ['second', 'minute', 'day'] as const;
export type RateWindow = (typeof WINDOWS)[number];

export const WINDOW_MS: Readonly<Record<RateWindow, number>> = {
  second: 1000,
  minute: 60_000,
  day: 86_400_000,
};

/** Requests allowed per window. A window without an entry has no limit. */
export type Rates = Readonly<Partial<Record<RateWindow, number>>>;

/** What an account may use. */
export interface Plan {
  readonly name: string;
  /** The operations it includes, as scopes of keys. */
  readonly scopes: readonly string[];
  /** Limits for all keys of the account together. */
  readonly rates: Rates;
  /** Limits for each key separately. */
  readonly keyRates: Rates;
  /** Credits per calendar month; null means that credits are counted but not limited. */
  readonly creditsPerMonth: number | null;
  readonly isBatchAllowed: boolean;
  /** How many batches may be queued or running at once; null means no limit. */
  readonly openJobs: number | null;
  /** How many items its batches may have in a UTC day; null means no limit. */
  readonly batchItemsPerDay: number | null;
  /** Megabytes of valuations and requests of batches that the account may keep; null means no limit. */
  readonly storedMb: number | null;
}

export type Plans = ReadonlyMap<string, Plan>;

const EVERYTHING = {
  scopes: ['*'],
  keyRates: {},
  creditsPerMonth: null,
  batchItemsPerDay: null,
  storedMb: null,
} as const;

/** `unlimited` is the plan of a self-hosted installation's own account. */
const STANDARD_PLANS: readonly Plan[] = [
  {
    ...EVERYTHING,
    name: 'free',
    rates: { second: 1, minute: 20, day: 500 },
    isBatchAllowed: false,
    openJobs: null,
  },
  {
    ...EVERYTHING,
    name: 'standard',
    rates: { second: 5, minute: 100, day: 5000 },
    isBatchAllowed: true,
    openJobs: 10,
  },
  {
    ...EVERYTHING,
    name: 'professional',
    rates: { second: 15, minute: 500, day: 25_000 },
    isBatchAllowed: true,
    openJobs: 50,
  },
  { ...EVERYTHING, name: 'unlimited', rates: {}, isBatchAllowed: true, openJobs: null },
];

export const BUILT_IN_PLANS: Plans = new Map(STANDARD_PLANS.map((plan) => [plan.name, plan]));

/** A plan with the limits of one account in place of its own. */
export function withLimits(plan: Plan, limits: AccountLimits): Plan {
  const { perSecond, perMinute, perDay, creditsPerMonth, openJobs, batchItemsPerDay, storedMb } = limits;
  return {
    ...plan,
    rates: {
      ...plan.rates,
      ...(perSecond !== undefined && { second: perSecond }),
      ...(perMinute !== undefined && { minute: perMinute }),
      ...(perDay !== undefined && { day: perDay }),
    },
    creditsPerMonth: creditsPerMonth ?? plan.creditsPerMonth,
    openJobs: openJobs ?? plan.openJobs,
    batchItemsPerDay: batchItemsPerDay ?? plan.batchItemsPerDay,
    storedMb: storedMb ?? plan.storedMb,
  };
}

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const MEMBERS = [
  'endpoints',
  'requests',
  'requests_per_key',
  'credits_per_month',
  'batch',
  'open_jobs',
  'batch_items_per_day',
  'stored_mb',
] as const;
const RATE_MEMBERS: Readonly<Record<RateWindow, string>> = {
  second: 'per_second',
  minute: 'per_minute',
  day: 'per_day',
};

/**
 * Reads a plans file and adds its plans to the built-in ones. A plan with the name of a built-in plan replaces it:
 * `{"plans": {"partner": {"endpoints": ["avm:*"], "requests": {"per_minute": 60}, "credits_per_month": 50000, "batch": true}}}`
 *
 * @throws Error with a sentence that names the member that cannot be used
 */
export function parsePlans(json: unknown): Plans {
  const file = objectAt('the file', json, ['plans']);
  const plans = Object.entries(objectAt('plans', file.plans)).map(([name, given]) => readPlan(name, given));
  return new Map([...BUILT_IN_PLANS, ...plans.map((plan): [string, Plan] => [plan.name, plan])]);
}

function readPlan(name: string, given: unknown): Plan {
  const at = `plans.${name}`;
  if (!NAME.test(name)) {
    throw new Error(`${at}: a plan's name is 1 to 63 lowercase letters, digits and hyphens.`);
  }
  const plan = objectAt(at, given, MEMBERS);
  const { endpoints, batch, credits_per_month: credits } = plan;
  const orNoLimit = (member: string): number | null => {
    const limit = plan[member] ?? null;
    return limit === null ? null : wholeAt(`${at}.${member}`, limit, 1, ', or null for no limit');
  };
  if (typeof batch !== 'boolean') throw new Error(`${at}.batch ${mustBe(batch, 'true or false')}`);
  return {
    name,
    scopes: readScopes(`${at}.endpoints`, endpoints),
    rates: readRates(`${at}.requests`, plan.requests),
    keyRates:
      plan.requests_per_key === undefined ? {} : readRates(`${at}.requests_per_key`, plan.requests_per_key),
    creditsPerMonth:
      credits === null ? null : wholeAt(`${at}.credits_per_month`, credits, 0, ', or null for no cap'),
    isBatchAllowed: batch,
    openJobs: orNoLimit('open_jobs'),
    batchItemsPerDay: orNoLimit('batch_items_per_day'),
    storedMb: orNoLimit('stored_mb'),
  };
}

function readScopes(at: string, given: unknown): readonly string[] {
  if (!Array.isArray(given)) throw new Error(`${at} ${mustBe(given, `a list of ${SCOPES.join(', ')}`)}`);
  return given.map((scope: unknown, i) => {
    if (typeof scope === 'string' && isScope(scope)) return scope;
    throw new Error(`${at}[${i}] ${mustBe(scope, `one of ${SCOPES.join(', ')}`)}`);
  });
}

function readRates(at: string, given: unknown): Rates {
  const rates = objectAt(at, given, Object.values(RATE_MEMBERS));
  return Object.fromEntries(
    WINDOWS.flatMap((window) => {
      const member = RATE_MEMBERS[window];
      return rates[member] === undefined ? [] : [[window, wholeAt(`${at}.${member}`, rates[member], 1)]];
    }),
  );
}

/** A larger number is more than any account can use, so it is probably a typing error. */
export const MOST = 1_000_000_000_000;

function wholeAt(at: string, given: unknown, least: number, otherwise = ''): number {
  if (typeof given === 'number' && Number.isInteger(given) && given >= least && given <= MOST) return given;
  throw new Error(`${at} ${mustBe(given, `a whole number from ${least}${otherwise}`)}`);
}

function objectAt(
  at: string,
  given: unknown,
  members?: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isRecord(given)) throw new Error(`${at} ${mustBe(given, 'an object')}`);
  const unknown = Object.keys(given).find((name) => members && !members.includes(name));
  if (unknown === undefined) return given;
  throw new Error(`${at} has the unknown member "${unknown}". Known members: ${members?.join(', ')}.`);
}

function mustBe(given: unknown, wanted: string): string {
  return `${given === undefined ? 'is missing' : `is ${JSON.stringify(given)}`}; it must be ${wanted}.`;
}
