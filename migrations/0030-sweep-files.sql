-- Files of ended sweeps in object storage (OBJECT_STORE). A row is written before its object and deleted after it, so that every
-- object has a row. No foreign key: rows of a deleted sweep stay until their objects are deleted.
create table sweep_files (
  job_id {{text}} not null,
  -- parquet or csv
  format {{text}} not null,
  -- The value of OBJECT_STORE when the file was written.
  location {{text}} not null,
  object_key {{text}} not null,
  byte_count bigint not null,
  sha256 {{text}} not null,
  -- Null until the whole object is stored.
  stored_at bigint,
  primary key (job_id, format)
);
