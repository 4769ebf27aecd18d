-- Limits of accounts and keys, and the credits they use.

-- When each window of an account or a key will be empty again, in ms (GCRA's theoretical arrival time). Used where
-- several processes share the limits; a process alone keeps them in memory.
create table rate_buckets (
  bucket_id {{text}} not null primary key,
  second_at double precision not null,
  minute_at double precision not null,
  day_at double precision not null
);

-- Append-only. Step 1 opens (grant, reserve, charge), step 2 closes (settle, release): whatever is opened is closed once.
-- The balance changes of an account's period add up to its balance, the credits of its operations to its usage.
create table credit_ledger (
  account_id {{text}} not null references accounts (account_id),
  request_id {{text}} not null,
  step integer not null,
  entry {{text}} not null,
  period {{text}} not null,
  operation {{text}} not null,
  key_id {{text}},
  balance_change bigint not null,
  credits bigint not null,
  created_at bigint not null,
  primary key (account_id, request_id, step)
);

-- What is left of a month's credits, of accounts whose plan has a cap.
create table credit_balances (
  account_id {{text}} not null references accounts (account_id),
  period {{text}} not null,
  granted bigint not null,
  balance bigint not null check (balance >= 0),
  primary key (account_id, period)
);

-- Reservations that are open.
create table credit_holds (
  account_id {{text}} not null references accounts (account_id),
  request_id {{text}} not null,
  period {{text}} not null,
  operation {{text}} not null,
  key_id {{text}},
  credits bigint not null,
  expires_at bigint,
  primary key (account_id, request_id)
);
create index credit_holds_by_expiry on credit_holds (expires_at);

-- What was used in a month, by operation.
create table credit_usage (
  account_id {{text}} not null references accounts (account_id),
  period {{text}} not null,
  operation {{text}} not null,
  requests bigint not null,
  credits bigint not null,
  primary key (account_id, period, operation)
);
