-- When an account was deleted. Its rows are then deleted a few at a time; the account, its ledger and its usage stay, so that
-- what was charged adds up and its id is never given to another one.
alter table accounts add column deleted_at bigint;
-- When nothing was left to delete.
alter table accounts add column erased_at bigint;
