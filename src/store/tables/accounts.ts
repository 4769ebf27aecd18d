import type { Day } from '../../domain/day.ts';
import type { BillingPeriod } from '../../domain/billing-period.ts';
import type { Role } from '../../domain/role.ts';
import type { Logo, ReportVersion } from '../../domain/report.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';

/** Tables of accounts, their users and keys, valuations and credits. Instants are ms since 1970. */
export type AccountTables = {
  readonly accounts: Omit<Account, 'limits'> & {
    /** JSON. */ readonly limits: string | null;
    readonly deletedAt: number | null;
    readonly erasedAt: number | null;
  };
  readonly api_keys: Omit<ApiKeyRecord, 'scopes'> & { /** JSON. */ readonly scopes: string };
  readonly users: User & {
    readonly foldedName: string;
    readonly passwordHash: string;
    /** Sealed. */ readonly secondFactorSecret: string | null;
    readonly secondFactorStep: number | null;
    /** JSON. */ readonly recoveryCodes: string | null;
    readonly identityIssuer: string | null;
    readonly identitySubject: string | null;
    /** JSON. */ readonly reportPreparer: string | null;
  };
  readonly sessions: SessionRecord;
  readonly devices: DeviceRecord;
  readonly sign_in_attempts: { readonly subject: string; readonly firstAt: number; readonly tries: number };
  readonly audit_log: AuditLogTable;
  readonly valuations: ValuationTable;
  readonly report_shares: ReportShare & {
    /** SHA-256 of the secret in the link, in hex. */ readonly secretSha256: string;
    /** JSON. */ readonly preparation: string | null;
  };
  readonly account_logos: AccountLogo;
  readonly challenges: ChallengeRecord;
  readonly saved_valuations: SavedValuationTable;
  readonly webhook_endpoints: WebhookEndpointTable;
  readonly rate_buckets: RateBucketTable;
  readonly free_changes: FreeChanges;
  readonly stored_bytes: StoredBytes;
  readonly credit_ledger: LedgerEntry & { readonly step: number };
  readonly credit_balances: CreditBalanceTable;
  readonly credit_holds: Omit<Hold, 'createdAt'>;
  readonly credit_usage: MonthlyUsage & { readonly accountId: string };
  readonly credit_usage_days: DailyUsage & { readonly accountId: string; readonly period: BillingPeriod };
};

export interface Account {
  readonly accountId: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: number;
  /** Null: those of the plan. */
  readonly limits: AccountLimits | null;
}

/** What an account can have limits of, and the names of these in requests and plans files. */
export const ACCOUNT_LIMITS = [
  ['perSecond', 'per_second'],
  ['perMinute', 'per_minute'],
  ['perDay', 'per_day'],
  ['creditsPerMonth', 'credits_per_month'],
  ['openJobs', 'open_jobs'],
  ['batchItemsPerDay', 'batch_items_per_day'],
  ['storedMb', 'stored_mb'],
] as const;

/** Limits of one account. Those left out are the plan's. */
export type AccountLimits = { readonly [Name in (typeof ACCOUNT_LIMITS)[number][0]]?: number };

/** A key as stored: never the key itself, only its SHA-256 and what identifies it in lists. */
export interface ApiKeyRecord {
  /** The public 8-character id inside the key. */
  readonly keyId: string;
  readonly accountId: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly scopes: readonly string[];
  readonly secretSha256: string;
  readonly lastCharacters: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

/** A user of the console. */
export interface User {
  readonly userId: string;
  readonly accountId: string;
  /** Unique in the whole installation, regardless of case. */
  readonly name: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly passwordChangedAt: number;
  readonly disabledAt: number | null;
  /** Since when sign-in asks for a code; null: it does not. */
  readonly secondFactorSince: number | null;
  /** Since when a user of the identity provider signs in as this user; null: not linked. */
  readonly identitySince: number | null;
}

/** A signed-in user, in one browser. */
export interface SessionRecord {
  readonly sessionId: string;
  /** SHA-256 of the secret in the cookie, in hex. */
  readonly secretSha256: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** The latest end, regardless of activity. */
  readonly expiresAt: number;
  /** Address and browser of the sign-in, by which the user recognizes the session. */
  readonly address: string;
  readonly userAgent: string;
}

/** A browser that a user has signed in from. */
export interface DeviceRecord {
  readonly deviceId: string;
  /** SHA-256 of the secret in the cookie, in hex. */
  readonly secretSha256: string;
  readonly userId: string;
  readonly signedInAt: number;
}

export interface AuditLogTable {
  readonly auditId: string;
  readonly accountId: string;
  readonly at: number;
  readonly actorKind: 'user' | 'command_line' | 'key' | 'service';
  readonly actorId: string | null;
  readonly actorName: string;
  readonly action: string;
  readonly subject: string;
  /** JSON. */
  readonly detail: string;
  /** Folded words of actor, action and subject, for searching. */
  readonly words: string;
}

/** A valuation as it was returned, with everything needed to compute it again. Append-only. */
export interface ValuationRecord {
  readonly valuationId: string;
  readonly accountId: string;
  readonly keyId: string | null;
  readonly kind: ValuationKind;
  readonly createdAt: number;
  /** The validated request, as JSON text. */
  readonly request: string;
  /** The valuation inputs as JSON text: model, snapshot, dataset, as-of date, search, subject, warnings. */
  readonly inputs: string;
  /** The exact text of the response. */
  readonly response: string;
  readonly credits: number;
}

/** The texts of a row with `packed` are there, and empty in their own columns. */
export type ValuationTable = ValuationRecord & {
  /** The batch that it is an item of. */
  readonly jobId: string | null;
  readonly packed: Uint8Array | null;
};

/** A link that shows the report of one valuation to anyone who has it. */
export interface ReportShare {
  readonly shareId: string;
  readonly accountId: string;
  readonly valuationId: string;
  readonly version: ReportVersion;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  /** How often it was opened. */
  readonly opened: number;
  readonly lastOpenedAt: number | null;
}

/** The picture at the head of an account's reports. */
export interface AccountLogo extends Logo {
  readonly accountId: string;
}

/** A valuation that someone saved, with what lists show of it. */
export interface SavedValuation {
  readonly valuationId: string;
  readonly accountId: string;
  readonly kind: ValuationKind;
  readonly name: string;
  readonly tags: readonly string[];
  readonly note: string;
  readonly address: string | null;
  readonly asOfDate: string;
  readonly valueUsd: number;
  readonly savedAt: number;
  readonly savedBy: string;
}

export type SavedValuationTable = Omit<SavedValuation, 'tags'> & {
  /** JSON. */ readonly tags: string;
  /** What searches match. */ readonly words: string;
};

/** A changed valuation of another one's home, and what was decided about it. */
export interface ChallengeRecord {
  readonly valuationId: string;
  readonly originalId: string;
  readonly accountId: string;
  /** 1, 2, 3 … of the original. */
  readonly version: number;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly note: string | null;
  readonly originalUsd: number;
  readonly changedUsd: number;
  /** Of the home; null where it has none. */
  readonly address: string | null;
  /** Null until it is decided, like the members that follow. */
  readonly decision: 'accepted' | 'rejected' | null;
  readonly decidedAt: number | null;
  readonly decidedBy: string | null;
  readonly decisionReason: string | null;
}

/** A receiver of webhooks about events that no request names a receiver for. */
export interface WebhookEndpointTable {
  readonly endpointId: string;
  readonly accountId: string;
  readonly url: string;
  /** JSON: the types of events. */
  readonly events: string;
  readonly createdAt: number;
  /** Null while it is in use. */
  readonly removedAt: number | null;
}

interface RateBucketTable {
  readonly bucketId: string;
  readonly secondAt: number;
  readonly minuteAt: number;
  readonly dayAt: number;
}

/** The cost of a request that was answered, and the account that pays it. */
export interface Charge {
  readonly accountId: string;
  /** The service's own id of the request, the key of its charge: writing the charge again does not charge twice. */
  readonly requestId: string;
  readonly keyId: string | null;
  /** The scope of the operation: `avm:property`. */
  readonly operation: string;
  readonly period: BillingPeriod;
  readonly credits: number;
  readonly createdAt: number;
}

/** Bytes of the valuations and of the requests of batches that an account keeps, or how many more it keeps. */
export interface StoredBytes {
  readonly accountId: string;
  readonly bytes: number;
}

/** How often a property may still be valued without a charge, and until when (ms). */
export interface FreeChanges {
  readonly accountId: string;
  readonly property: string;
  readonly endsAt: number;
  readonly changesLeft: number;
}

/** A line of the ledger; never changed. */
export interface LedgerEntry extends Charge {
  readonly entry: 'grant' | 'reserve' | 'charge' | 'settle' | 'release' | 'refund';
  /** The change of the month's balance; 0 for accounts without a cap, and for charges from an existing hold. */
  readonly balanceChange: number;
}

export interface CreditBalanceTable {
  readonly accountId: string;
  readonly period: BillingPeriod;
  readonly granted: number;
  readonly balance: number;
}

/** Credits reserved for a request whose cost is not known yet: the maximum it can be. */
export interface Hold extends Charge {
  /** When any process may release it, because its own has died by then. Null for a job's hold, released at its end. */
  readonly expiresAt: number | null;
}

/** The usage of one operation. */
export interface OperationUsage {
  readonly operation: string;
  readonly requests: number;
  readonly credits: number;
}

/** The usage of one operation by one key on one day. */
export interface DailyUsage extends OperationUsage {
  readonly day: Day;
  /** `user:…` for a user of the console; empty if it is unknown. */
  readonly keyId: string;
}

/** The usage of one operation in one month. */
export interface MonthlyUsage extends OperationUsage {
  readonly period: BillingPeriod;
}
