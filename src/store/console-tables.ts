import type { Role } from '../domain/role.ts';

/** The tables of people, their sessions and the audit log, as `Database` has them. */

export interface UserTable {
  user_id: string;
  account_id: string;
  name: string;
  folded_name: string;
  role: Role;
  password_hash: string;
  created_at: number;
  password_changed_at: number;
  disabled_at: number | null;
}

export interface SessionTable {
  secret_sha256: string;
  session_id: string;
  user_id: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  address: string;
  user_agent: string;
}

export interface DeviceTable {
  device_id: string;
  secret_sha256: string;
  user_id: string;
  signed_in_at: number;
}

export interface SignInAttemptTable {
  subject: string;
  first_at: number;
  tries: number;
}

export interface AuditLogTable {
  audit_id: string;
  account_id: string;
  at: number;
  actor_kind: 'user' | 'command_line' | 'key';
  actor_id: string | null;
  actor_name: string;
  action: string;
  subject: string;
  detail: string;
}

export interface AuditWordsTable {
  audit_id: string;
  words: string;
}
