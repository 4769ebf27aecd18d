-- The version under whose id the rows are stored, if it is another one: an import that changes few rows changes those of the
-- version before it .
alter table datasets add column rows_id bigint;
-- When the rows of an earlier version were deleted. The version itself stays, because valuations name it.
alter table datasets add column rows_deleted_at bigint;
