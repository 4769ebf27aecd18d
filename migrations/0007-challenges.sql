-- Challenges of valuations: a changed valuation of the same home, model and data. Rows are never deleted; the decision is
-- written once.
create table challenges (
  -- The changed valuation.
  valuation_id {{text}} not null primary key references valuations (valuation_id),
  original_id {{text}} not null references valuations (valuation_id),
  account_id {{text}} not null references accounts (account_id),
  -- 1, 2, 3 … of the original.
  version integer not null,
  created_at bigint not null,
  -- Who challenged: the name of the user or key.
  created_by {{text}} not null,
  note text,
  original_usd double precision not null,
  changed_usd double precision not null,
  -- accepted or rejected; null until it is decided.
  decision {{text}},
  decided_at bigint,
  decided_by {{text}},
  decision_reason text
);
create unique index challenges_by_original on challenges (original_id, version);

-- Receivers of webhooks about events that no request names a receiver for, such as decisions.
create table webhook_endpoints (
  endpoint_id {{text}} not null primary key,
  account_id {{text}} not null references accounts (account_id),
  url {{text}} not null,
  -- JSON: the types of events.
  events {{text}} not null,
  created_at bigint not null,
  -- Null while it is in use.
  removed_at bigint
);
create index webhook_endpoints_by_account on webhook_endpoints (account_id, endpoint_id);
