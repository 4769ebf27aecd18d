-- Secrets that webhooks are signed with, and what is to be delivered.

create table webhook_secrets (
  account_id {{text}} not null references accounts (account_id),
  secret_no integer not null,
  -- Sealed with a key that is not in the database: it has to be read again to sign.
  sealed {{text}} not null,
  created_at bigint not null,
  -- Null for the newest; a replaced one signs until then.
  expires_at bigint,
  primary key (account_id, secret_no)
);

create table deliveries (
  -- The webhook-id, the same on every attempt and redelivery.
  delivery_id {{text}} not null primary key,
  account_id {{text}} not null references accounts (account_id),
  -- A job, or 'test'.
  subject {{text}} not null,
  url {{text}} not null,
  host {{text}} not null,
  state {{text}} not null,
  attempts integer not null,
  -- Of them since it was last asked for.
  round_attempts integer not null,
  -- Of pending ones only: when to try next; while a process tries, when another one may.
  due_at bigint,
  fence bigint not null,
  created_at bigint not null,
  finished_at bigint
);
-- Holds what a claim looks at, so that a long queue of one busy host is passed over without its rows.
create index deliveries_due on deliveries (due_at, delivery_id, host, account_id);
create index deliveries_ended on deliveries (finished_at);
create index deliveries_by_account on deliveries (account_id, created_at, delivery_id);

create table delivery_attempts (
  delivery_id {{text}} not null references deliveries (delivery_id) on delete cascade,
  attempt_no integer not null,
  attempted_at bigint not null,
  duration_ms integer not null,
  status integer,
  error {{text}},
  primary key (delivery_id, attempt_no)
);
