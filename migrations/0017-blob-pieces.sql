-- Pieces of blobs under their SHA-256, cut where their content says so: blobs that mostly agree, such as the snapshots of two
-- imports, share most of their pieces.
create table blob_pieces (
  sha256 {{text}} not null primary key,
  -- When a blob that has it was last stored. A piece that no blob has is deleted only some time later.
  stored_at bigint not null,
  -- Compressed if that saves space (src/store/packed-bytes.ts).
  bytes {{bytes}} not null
);
-- The SHA-256 of its pieces in order, 32 bytes each. Null for blobs of earlier versions, whose bytes are in blob_chunks.
-- `created_at` is now the time at which the blob was last stored.
alter table blobs add column pieces {{bytes}};
