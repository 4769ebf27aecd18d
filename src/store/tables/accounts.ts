import type { Role } from '../../domain/role.ts';

/** Tables of accounts, keys, users and the audit log. Instants are ms since 1970. */

export interface Account {
  readonly accountId: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: number;
}

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

export interface ApiKeyTable extends Omit<ApiKeyRecord, 'scopes'> {
  /** JSON. */
  readonly scopes: string;
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
}

export interface UserTable extends User {
  readonly foldedName: string;
  readonly passwordHash: string;
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

export interface SignInAttemptTable {
  readonly subject: string;
  readonly firstAt: number;
  readonly tries: number;
}

export interface AuditLogTable {
  readonly auditId: string;
  readonly accountId: string;
  readonly at: number;
  readonly actorKind: 'user' | 'command_line' | 'key';
  readonly actorId: string | null;
  readonly actorName: string;
  readonly action: string;
  readonly subject: string;
  /** JSON. */
  readonly detail: string;
  readonly words: string;
}
