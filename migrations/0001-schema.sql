-- The whole schema. Both engines run this text; src/store/migrate.ts replaces the placeholders, the only differences:
--   {{id}}    integer primary key that the database assigns
--   {{text}}  text compared by its UTF-8 bytes, so that both engines sort and page alike
--   {{bytes}} binary
--   {{postgres_only}} begins a statement that SQLite does not run
-- Booleans are integer 1/0, days are integers since 1970-01-01, instants are bigint milliseconds since 1970, lists and
-- objects are JSON text: rows read the same from both engines.

-- ---- Markets, versioned datasets and their rows ----

create table markets (
  market_id {{text}} not null primary key,
  created_at bigint not null
);

-- A dataset is one imported version of one kind of rows of one market. It is written while 'loading', becomes
-- visible only by the swap in current_datasets, and never changes afterwards.
create table datasets (
  dataset_id {{id}},
  market_id {{text}} not null references markets (market_id),
  kind {{text}} not null,
  status {{text}} not null,
  -- The version that was current when the import began; publishing fails if that has changed since.
  base_dataset_id bigint,
  source {{text}} not null,
  content_hash {{text}},
  row_count bigint,
  snapshot_sha256 {{text}},
  begun_at bigint not null,
  heartbeat_at bigint not null,
  published_at bigint,
  -- Bounds of the rows, so that a server knows which markets may cover a point without loading any.
  south double precision,
  north double precision,
  west double precision,
  east double precision,
  -- How many addresses the version has, so that lookups skip versions without any.
  address_count bigint,
  -- JSON: how many rows of the files were read, loaded and rejected, and why.
  report {{text}}
);
create index datasets_by_market on datasets (market_id, kind, status);

create table current_datasets (
  market_id {{text}} not null references markets (market_id),
  kind {{text}} not null,
  dataset_id bigint not null references datasets (dataset_id),
  primary key (market_id, kind)
);

-- What a version of sales or rents holds, by property type: how many rows, and the last day of one.
create table dataset_types (
  dataset_id bigint not null,
  property_type {{text}} not null,
  row_count bigint not null,
  last_on integer not null,
  primary key (dataset_id, property_type)
);

-- An import, a training or a backtest started at a command line. The row exists while it runs. A row without a recent
-- heartbeat belongs to a process that was killed.
create table runs (
  -- UUIDv7: sorts by start time.
  run_id {{text}} not null primary key,
  task {{text}} not null,
  -- Not a reference: an import creates its market only after it has read its files.
  market_id {{text}} not null,
  -- What is imported, trained or tested; null for everything.
  kind {{text}},
  begun_at bigint not null,
  beat_at bigint not null,
  -- The current step and its progress; all null before the first step.
  step {{text}},
  done double precision,
  -- Null where the total is unknown.
  total double precision
);

-- Bulk rows have no foreign key on dataset_id: one check per row would double the time of an import, and rows are
-- reachable only through a published dataset.
create table sales (
  dataset_id bigint not null,
  record_id {{text}} not null,
  parcel_id {{text}},
  sold_on integer not null,
  recorded_on integer,
  date_precision {{text}} not null,
  price_usd double precision not null,
  street {{text}} not null,
  city {{text}} not null,
  state_code {{text}} not null,
  postal_code {{text}} not null,
  lat double precision not null,
  lon double precision not null,
  property_type {{text}} not null,
  total_units double precision,
  bedrooms double precision,
  bathrooms double precision,
  living_area_sqft double precision,
  lot_size_sqft double precision,
  year_built double precision,
  stories double precision,
  condition double precision,
  has_pool double precision,
  has_basement double precision,
  has_central_air double precision,
  has_porch double precision,
  has_deck double precision,
  has_laundry double precision,
  has_adu double precision,
  fireplace_count double precision,
  garage_spaces double precision,
  other_spaces double precision,
  features {{text}} not null,
  is_arms_length integer,
  primary key (dataset_id, record_id)
);
create index sales_by_parcel on sales (dataset_id, parcel_id);

-- Rental listings. Attributes describe the unit and its building; living_area_sqft is the size of the unit.
create table rents (
  dataset_id bigint not null,
  record_id {{text}} not null,
  parcel_id {{text}},
  listed_on integer not null,
  last_seen_on integer,
  date_precision {{text}} not null,
  rent_usd double precision not null,
  street {{text}} not null,
  city {{text}} not null,
  state_code {{text}} not null,
  postal_code {{text}} not null,
  lat double precision not null,
  lon double precision not null,
  property_type {{text}} not null,
  total_units double precision,
  bedrooms double precision,
  bathrooms double precision,
  living_area_sqft double precision,
  lot_size_sqft double precision,
  year_built double precision,
  stories double precision,
  condition double precision,
  has_pool double precision,
  has_basement double precision,
  has_central_air double precision,
  has_porch double precision,
  has_deck double precision,
  has_laundry double precision,
  has_adu double precision,
  fireplace_count double precision,
  garage_spaces double precision,
  other_spaces double precision,
  features {{text}} not null,
  is_furnished integer,
  has_parking integer,
  primary key (dataset_id, record_id)
);

create table parcels (
  dataset_id bigint not null,
  parcel_id {{text}} not null,
  as_of integer not null,
  street {{text}} not null,
  city {{text}} not null,
  state_code {{text}} not null,
  postal_code {{text}} not null,
  lat double precision not null,
  lon double precision not null,
  -- src/geo/cells.ts
  cell bigint not null,
  property_type {{text}},
  total_units double precision,
  bedrooms double precision,
  bathrooms double precision,
  living_area_sqft double precision,
  lot_size_sqft double precision,
  year_built double precision,
  stories double precision,
  condition double precision,
  has_pool double precision,
  has_basement double precision,
  has_central_air double precision,
  has_porch double precision,
  has_deck double precision,
  has_laundry double precision,
  has_adu double precision,
  fireplace_count double precision,
  garage_spaces double precision,
  other_spaces double precision,
  features {{text}} not null,
  primary key (dataset_id, parcel_id)
);
-- Every valuation looks up the parcel at its point. With lat, lon and the id in the index, no row is read.
create index parcels_near on parcels (dataset_id, cell, lat, lon, parcel_id);

-- Every address that can be located: those of address files, and those of sales and parcels under their own datasets.
-- key_* is the normalized form that lookups compare; street … postal_code is the form that responses show.
create table address_points (
  dataset_id bigint not null,
  row_no integer not null,
  key_number {{text}} not null,
  key_number_suffix {{text}} not null,
  key_pre_direction {{text}} not null,
  key_street_name {{text}} not null,
  key_street_type {{text}} not null,
  key_post_direction {{text}} not null,
  key_unit {{text}} not null,
  key_city {{text}} not null,
  key_state_code {{text}} not null,
  key_postal_code {{text}} not null,
  street {{text}} not null,
  city {{text}} not null,
  state_code {{text}} not null,
  postal_code {{text}} not null,
  lat double precision not null,
  lon double precision not null,
  cell bigint not null,
  parcel_id {{text}},
  primary key (dataset_id, row_no)
);
create index address_points_by_number on address_points (dataset_id, key_number, key_street_name);
-- Includes the number, so that the numbers of a street are read from the index alone.
create index address_points_by_street on address_points (dataset_id, key_street_name, key_number);
create index address_points_by_parcel on address_points (dataset_id, parcel_id);
create index address_points_by_place on address_points (dataset_id, cell, lat, lon);

-- Addresses of each city and ZIP code, counted by cell when a version is published. Used when an address is known only
-- by its city or ZIP: median points come from these few rows instead of all addresses of a city.
create table address_areas (
  dataset_id bigint not null,
  postal_code {{text}} not null,
  city {{text}} not null,
  state_code {{text}} not null,
  cell bigint not null,
  address_count integer not null,
  primary key (dataset_id, postal_code, city, state_code, cell)
);
create index address_areas_by_city on address_areas (dataset_id, city, cell);

-- ---- Location data ----
-- Layers of polygons (census areas, flood zones) are stored whole, as the blob that datasets.snapshot_sha256 names.
-- These tables hold the layers that are looked up row by row.

-- One table of the American Community Survey for one area and year.
create table census_tables (
  dataset_id bigint not null,
  geoid {{text}} not null,
  year integer not null,
  table_id {{text}} not null,
  -- county, cousub, tract or block_group
  level {{text}} not null,
  name {{text}} not null,
  -- JSON {line of the table: [estimate, margin of error, why null, bound]}, without trailing nulls
  cells {{text}} not null,
  primary key (dataset_id, geoid, year, table_id)
);

-- One incident under its most severe offense, newest first: incident 0 is the newest of its dataset. The columnar
-- snapshot holds what a search filters by (place, time, offense); this table holds what a response shows.
create table crime_incidents (
  dataset_id bigint not null,
  incident_no integer not null,
  record {{text}} not null,
  primary key (dataset_id, incident_no)
);

-- Square tiles of a raster of burn probability; tiles without data are left out.
create table fire_tiles (
  dataset_id bigint not null,
  tile_no integer not null,
  bytes {{bytes}} not null,
  primary key (dataset_id, tile_no)
);

-- ---- Models ----

-- Content-addressed bytes (models, snapshots), stored in chunks.
create table blobs (
  sha256 {{text}} not null primary key,
  byte_count bigint not null,
  created_at bigint not null
);

-- Written before the row in blobs that makes them visible. Chunks left by a crash are the right bytes of the same
-- content, so the next attempt continues from them.
create table blob_chunks (
  sha256 {{text}} not null,
  chunk_no integer not null,
  bytes {{bytes}} not null,
  primary key (sha256, chunk_no)
);

create table models (
  model_id {{text}} not null primary key,
  market_id {{text}} not null references markets (market_id),
  kind {{text}} not null,
  trained_on integer not null,
  sha256 {{text}} not null references blobs (sha256),
  snapshot_sha256 {{text}} not null references blobs (sha256),
  dataset_ids {{text}} not null,
  accuracy {{text}} not null,
  created_at bigint not null,
  unique (market_id, kind, trained_on, sha256)
);

-- ---- Accounts, users and valuations ----

create table accounts (
  account_id {{text}} not null primary key,
  name {{text}} not null,
  plan {{text}} not null,
  created_at bigint not null
);
-- The account of a self-hosted installation.
insert into accounts (account_id, name, plan, created_at) values ('self', 'This installation', 'unlimited', 0);

create table api_keys (
  key_id {{text}} not null primary key,
  account_id {{text}} not null references accounts (account_id),
  name {{text}} not null,
  environment {{text}} not null,
  scopes {{text}} not null,
  secret_sha256 {{text}} not null,
  last_characters {{text}} not null,
  created_at bigint not null,
  expires_at bigint,
  last_used_at bigint,
  revoked_at bigint
);
create index api_keys_by_account on api_keys (account_id, key_id);

create table users (
  -- UUIDv7: sorts by creation time.
  user_id {{text}} not null primary key,
  account_id {{text}} not null references accounts (account_id),
  name {{text}} not null,
  -- The name in lower case: names are unique without regard to case.
  folded_name {{text}} not null unique,
  role {{text}} not null,
  -- Includes the hashing parameters.
  password_hash {{text}} not null,
  created_at bigint not null,
  password_changed_at bigint not null,
  disabled_at bigint
);
create index users_by_account on users (account_id, user_id);

-- Sessions of the console. A session that has ended is deleted.
create table sessions (
  -- SHA-256 of the 32 random bytes in the cookie.
  secret_sha256 {{text}} not null primary key,
  -- Identifies the session in lists.
  session_id {{text}} not null unique,
  user_id {{text}} not null references users (user_id),
  created_at bigint not null,
  last_seen_at bigint not null,
  -- The latest end, regardless of activity.
  expires_at bigint not null,
  address {{text}} not null,
  user_agent {{text}} not null
);
create index sessions_by_user on sessions (user_id);

-- Browsers that a user has signed in from. Failed sign-ins from a known browser are counted separately, so that attempts
-- by others under the same name do not lock its owner out. Deleted after long disuse and when the password changes.
create table devices (
  -- Attempts are counted under this id. It stays the same when the secret changes.
  device_id {{text}} not null primary key,
  -- SHA-256 of the 32 random bytes in the cookie. Users who share a browser share it.
  secret_sha256 {{text}} not null,
  user_id {{text}} not null references users (user_id),
  signed_in_at bigint not null,
  unique (secret_sha256, user_id)
);
create index devices_by_user on devices (user_id, signed_in_at);
create index devices_by_age on devices (signed_in_at);

-- Sign-ins that failed or are under way, by the hash of a name or by an address. Names are hashed because people
-- sometimes type their password as their name.
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
  -- The account that was changed. The actor may belong to another account.
  account_id {{text}} not null,
  at bigint not null,
  actor_kind {{text}} not null,
  actor_id {{text}},
  actor_name {{text}} not null,
  action {{text}} not null,
  subject {{text}} not null,
  detail {{text}} not null,
  -- The text that searches match: who, what was done, to what; in lower case.
  words {{text}} not null
);
create index audit_log_by_account on audit_log (account_id, audit_id);

create table valuations (
  valuation_id {{text}} not null primary key,
  account_id {{text}} not null references accounts (account_id),
  key_id {{text}},
  kind {{text}} not null,
  created_at bigint not null,
  request {{text}} not null,
  -- JSON: the valuation inputs, which reproduce the response exactly.
  inputs {{text}} not null,
  response {{text}} not null,
  credits integer not null
);
create index valuations_by_account on valuations (account_id, valuation_id);

-- ---- Limits and credits ----

-- When each rate-limit window of an account or a key will be empty again, in ms (GCRA's theoretical arrival time).
-- Used on PostgreSQL, where processes share the limits. On SQLite the one serving process keeps them in memory.
create table rate_buckets (
  bucket_id {{text}} not null primary key,
  second_at double precision not null,
  minute_at double precision not null,
  day_at double precision not null
);

-- Append-only. Step 1 opens (grant, reserve, charge), step 2 closes (settle, release), step 3 refunds. The primary key
-- allows each step once. The balance changes of an account's month add up to its balance; the credits of its
-- operations add up to its usage.
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

-- The credits left in a month, for accounts whose plan has a cap.
create table credit_balances (
  account_id {{text}} not null references accounts (account_id),
  period {{text}} not null,
  granted bigint not null,
  balance bigint not null check (balance >= 0),
  primary key (account_id, period)
);

-- Open reservations of credits.
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

-- Requests and credits of a month, by operation.
create table credit_usage (
  account_id {{text}} not null references accounts (account_id),
  period {{text}} not null,
  operation {{text}} not null,
  requests bigint not null,
  credits bigint not null,
  primary key (account_id, period, operation)
);

-- ---- Webhooks ----

-- Secrets that sign webhooks.
create table webhook_secrets (
  account_id {{text}} not null references accounts (account_id),
  secret_no integer not null,
  -- Encrypted with a key that is not in the database. It is not hashed, because signing needs the secret itself.
  sealed {{text}} not null,
  created_at bigint not null,
  -- Null for the newest secret. A replaced secret signs until this time.
  expires_at bigint,
  primary key (account_id, secret_no)
);

create table deliveries (
  -- The webhook-id, which is the same for every attempt and redelivery.
  delivery_id {{text}} not null primary key,
  account_id {{text}} not null references accounts (account_id),
  -- A job id, or 'test'.
  subject {{text}} not null,
  url {{text}} not null,
  host {{text}} not null,
  state {{text}} not null,
  attempts integer not null,
  -- Attempts since the delivery was last requested.
  round_attempts integer not null,
  -- Pending deliveries only: the time of the next attempt; during an attempt, the end of its lease.
  due_at bigint,
  -- Grows with each claim. Only the holder of the newest token may write.
  fencing_token bigint not null,
  created_at bigint not null,
  finished_at bigint
);
-- Covers what a claim filters by, so that the long queue of one busy host is skipped without reading its rows.
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

-- ---- Jobs ----

-- Batches, backtests and trainings.
create table jobs (
  -- UUIDv7: sorts by creation time.
  job_id {{text}} not null primary key,
  account_id {{text}} not null references accounts (account_id),
  key_id {{text}},
  task {{text}} not null,
  status {{text}} not null,
  total integer not null,
  -- Items that ended: valued, and with an error.
  completed integer not null,
  failed integer not null,
  credits_used bigint not null,
  -- 1 if the maximum cost is reserved under the job's id.
  has_hold integer not null,
  notify_url {{text}},
  parent_job_id {{text}},
  created_at bigint not null,
  started_at bigint,
  finished_at bigint,
  -- Items and results are kept until this time. Null before the job ends and after they are deleted.
  kept_until bigint,
  -- No item can be claimed before this time. Null once no item ever can be.
  due_at bigint,
  -- Claims so far. The number of a claim is the fencing token of its items.
  claims bigint not null,
  -- Progress of a training or backtest, in words; null for batches, which report counts.
  progress {{text}}
);
create index jobs_due on jobs (account_id, job_id, due_at) where due_at is not null;
create index jobs_open on jobs (account_id) where finished_at is null;
create index jobs_kept on jobs (kept_until) where kept_until is not null;
create index jobs_by_account on jobs (account_id, job_id);

-- The request of each item; written once. The rows of items are written and deleted in transactions that have already
-- locked the row of their job, so a foreign key would only repeat that lookup for each row.
create table job_requests (
  job_id {{text}} not null,
  item_no integer not null,
  property_id {{text}},
  request {{text}} not null,
  primary key (job_id, item_no)
);

-- The state of each item, in narrow rows because they change often.
create table job_items (
  job_id {{text}} not null,
  item_no integer not null,
  state {{text}} not null,
  -- When the item may be claimed. While it runs, the end of its lease. Null when it is done.
  due_at bigint,
  -- The claim that alone may end the item.
  fencing_token bigint not null,
  -- Claims that were not returned: the workers lost on this item, plus the current one.
  attempts integer not null,
  -- How often the item was returned because something it needs was unavailable.
  delays integer not null,
  primary key (job_id, item_no)
);
create index job_items_due on job_items (job_id, attempts, due_at, item_no) where due_at is not null;

-- The result of each item; written once, so that the primary key rejects a second result.
create table job_results (
  job_id {{text}} not null,
  item_no integer not null,
  -- The text of the response; null for an error.
  data {{text}},
  error_code {{text}},
  error {{text}},
  valuation_id {{text}},
  credits integer not null,
  primary key (job_id, item_no)
);

-- Fair sharing: the account with the lowest position is served next, and then moves behind all others.
create table fair_share (
  account_id {{text}} not null primary key references accounts (account_id),
  position bigint not null
);
create index fair_share_by_position on fair_share (position, account_id);

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

-- Files that people upload in the console to value their rows as batches.

create table uploads (
  -- UUIDv7: sorts by the time of the upload.
  upload_id {{text}} not null primary key,
  account_id {{text}} not null references accounts (account_id),
  user_id {{text}} not null references users (user_id),
  name {{text}} not null,
  -- Size of the file; once it was read, size of its stored rows.
  byte_count integer not null,
  created_at bigint not null,
  -- The file and everything about it is deleted then.
  kept_until bigint not null,
  -- Columns, row count, delimiter, encoding and hash as JSON; null until the file was read.
  sheet {{text}},
  -- Kind, mapping, callback, as-of date and attempt as JSON; null until the rows were submitted.
  submission {{text}},
  cancelled_at bigint
);
create index uploads_by_user on uploads (account_id, user_id, upload_id);
create index uploads_kept on uploads (kept_until);

-- The bytes of a file while it is uploaded. They are deleted once its rows are stored.
create table upload_pieces (
  upload_id {{text}} not null references uploads (upload_id),
  piece_no integer not null,
  bytes {{bytes}} not null,
  primary key (upload_id, piece_no)
);

-- The rows of a file in chunks of 500, each as JSON.
create table upload_rows (
  upload_id {{text}} not null references uploads (upload_id),
  chunk_no integer not null,
  rows {{text}} not null,
  primary key (upload_id, chunk_no)
);

-- The batches that a file is split into.
create table upload_parts (
  upload_id {{text}} not null references uploads (upload_id),
  part_no integer not null,
  -- Positions of its rows in the file, from 0, as JSON.
  rows {{text}} not null,
  -- Null until the batch is submitted.
  job_id {{text}},
  primary key (upload_id, part_no)
);
create index upload_parts_by_job on upload_parts (job_id) where job_id is not null;

-- To find the retry of a job.
create index jobs_by_parent on jobs (parent_job_id) where parent_job_id is not null;
