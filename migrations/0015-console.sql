-- Who signs in to the console, and what was changed by whom.

create table users (
  -- UUIDv7: sorts by the time it was made.
  user_id {{text}} not null primary key,
  account_id {{text}} not null references accounts (account_id),
  name {{text}} not null,
  -- The name without what capitals make of it: people type it either way, and no two differ by that alone.
  folded_name {{text}} not null unique,
  role {{text}} not null,
  -- With the parameters that it was made with.
  password_hash {{text}} not null,
  created_at bigint not null,
  password_changed_at bigint not null,
  disabled_at bigint
);
create index users_by_account on users (account_id, user_id);

-- One that has ended is deleted.
create table sessions (
  -- Of the 32 random bytes that the cookie holds.
  secret_sha256 {{text}} not null primary key,
  -- By which lists name it.
  session_id {{text}} not null unique,
  user_id {{text}} not null references users (user_id),
  created_at bigint not null,
  last_seen_at bigint not null,
  -- However much it is used.
  expires_at bigint not null,
  address {{text}} not null,
  user_agent {{text}} not null
);
create index sessions_by_user on sessions (user_id);

-- Tries to sign in that failed or are under way, by the hash of a name or by an address: what is typed as a name may be a password.
create table sign_in_attempts (
  subject {{text}} not null primary key,
  first_at bigint not null,
  tries integer not null
);
create index sign_in_attempts_by_age on sign_in_attempts (first_at);

-- Append-only.
create table audit_log (
  -- UUIDv7.
  audit_id {{text}} not null primary key,
  -- Whose matter it is; the actor may be of another one.
  account_id {{text}} not null,
  at bigint not null,
  actor_kind {{text}} not null,
  actor_id {{text}},
  actor_name {{text}} not null,
  action {{text}} not null,
  subject {{text}} not null,
  detail {{text}} not null
);
create index audit_log_by_account on audit_log (account_id, audit_id);
