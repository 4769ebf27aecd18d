-- Batches: jobs of many items, and the queue they wait in.

create table jobs (
  -- UUIDv7: sorts by the time it was made.
  job_id {{text}} not null primary key,
  account_id {{text}} not null references accounts (account_id),
  key_id {{text}},
  task {{text}} not null,
  status {{text}} not null,
  total integer not null,
  -- Items that ended, as values and as errors.
  completed integer not null,
  failed integer not null,
  credits_used bigint not null,
  -- 1 where the most it can cost is set aside, under the job's id.
  has_hold integer not null,
  notify_url {{text}},
  parent_job_id {{text}},
  created_at bigint not null,
  started_at bigint,
  finished_at bigint,
  -- Until when items and results are kept; null before the end, and again once they are deleted.
  kept_until bigint,
  -- No item can be claimed before; null where none ever can again.
  due_at bigint,
  -- Claims so far: the number of each is the fence of its items.
  claims bigint not null
);
create index jobs_due on jobs (account_id, job_id, due_at) where due_at is not null;
create index jobs_open on jobs (account_id) where finished_at is null;
create index jobs_kept on jobs (kept_until) where kept_until is not null;
create index jobs_by_account on jobs (account_id, job_id);

-- What is asked of each item: written once. Rows of items come and go with their job, in transactions that have written the
-- job's own row: a foreign key would only look it up again for each.
create table job_requests (
  job_id {{text}} not null,
  item_no integer not null,
  property_id {{text}},
  request {{text}} not null,
  primary key (job_id, item_no)
);

-- Where each item stands: narrow rows, because they change often.
create table job_items (
  job_id {{text}} not null,
  item_no integer not null,
  state {{text}} not null,
  -- When it may be claimed; of a running one, the end of its lease; null of one that is done.
  due_at bigint,
  -- The claim that alone may end it.
  fence bigint not null,
  -- Claims that were not given back: how many workers were lost on it, or one more.
  attempts integer not null,
  -- How often something it needs was unavailable.
  delays integer not null,
  primary key (job_id, item_no)
);
create index job_items_due on job_items (job_id, attempts, due_at, item_no) where due_at is not null;

-- What came of each item: written once, so that the primary key refuses a second result.
create table job_results (
  job_id {{text}} not null,
  item_no integer not null,
  -- The text of the answer; null of an error.
  data {{text}},
  error_code {{text}},
  error {{text}},
  valuation_id {{text}},
  credits integer not null,
  primary key (job_id, item_no)
);

-- Whose turn it is: the account with the least is served next, and then goes behind all others.
create table job_turns (
  account_id {{text}} not null primary key references accounts (account_id),
  turn bigint not null
);
create index job_turns_by_turn on job_turns (turn, account_id);

create table idempotency_keys (
  account_id {{text}} not null references accounts (account_id),
  route {{text}} not null,
  idempotency_key {{text}} not null,
  body_sha256 {{text}} not null,
  job_id {{text}} not null,
  created_at bigint not null,
  primary key (account_id, route, idempotency_key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
