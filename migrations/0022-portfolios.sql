-- Homes that an account watches. They are valued again when the models or data of their markets change.
create table portfolios (
  -- UUIDv7: sorts by creation time.
  portfolio_id {{text}} not null primary key,
  account_id {{text}} not null references accounts (account_id),
  name {{text}} not null,
  -- JSON: how often it is valued, and which changes are alerts.
  rules {{text}} not null,
  home_count integer not null,
  run_count integer not null,
  alert_count integer not null,
  -- JSON: the model and the data of each of its markets when the last run began.
  basis {{text}} not null,
  created_at bigint not null,
  created_by {{text}} not null,
  -- Why a run that was due could not begin, and when it was tried. Null after a run has begun.
  problem {{text}},
  tried_at bigint
);
create index portfolios_by_account on portfolios (account_id, portfolio_id);

create table portfolio_homes (
  account_id {{text}} not null,
  portfolio_id {{text}} not null references portfolios (portfolio_id),
  -- From 0, in the order in which they were added.
  home_no integer not null,
  property_id {{text}},
  -- JSON: the request. Each run sets its as-of date.
  request {{text}} not null,
  -- Of loans on the home; null without any.
  balance_usd double precision,
  -- JSON: the value by the newest run that was compared, or why there is none. Null before the first.
  latest {{text}},
  primary key (portfolio_id, home_no)
);

-- A valuation of all homes, which is a batch. The primary key rejects a second run with the same number.
create table portfolio_runs (
  account_id {{text}} not null,
  portfolio_id {{text}} not null references portfolios (portfolio_id),
  run_no integer not null,
  job_id {{text}} not null,
  -- Why it began.
  cause {{text}} not null,
  -- JSON: the basis of the run before; null for the first.
  basis_before {{text}},
  -- Days since 1970, in UTC.
  as_of integer not null,
  created_at bigint not null,
  -- When its values were compared with those before. Null until then.
  compared_at bigint,
  -- A worker that compares has until then. Null once compared.
  lease_until bigint,
  alert_count integer not null,
  primary key (portfolio_id, run_no)
);
create index portfolio_runs_by_job on portfolio_runs (job_id);
create index portfolio_runs_open on portfolio_runs (lease_until) where lease_until is not null;

create table portfolio_alerts (
  account_id {{text}} not null,
  portfolio_id {{text}} not null references portfolios (portfolio_id),
  -- From 1, without gaps.
  alert_no integer not null,
  run_no integer not null,
  kind {{text}} not null,
  -- JSON: the home, its values and why they differ.
  detail {{text}} not null,
  primary key (portfolio_id, alert_no)
);
