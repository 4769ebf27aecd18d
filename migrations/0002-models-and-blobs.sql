-- Content-addressed bytes (models, snapshots) in chunks, and the models of each market.

create table blobs (
  sha256 {{text}} not null primary key,
  byte_count bigint not null,
  created_at bigint not null
);

-- Written before the row in blobs that makes them visible. Chunks left by a crash are the right bytes of the same
-- content, so the next attempt goes on from them.
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
