-- The challenges of an account are listed with the address of the home; null where it was challenged earlier.
alter table challenges add column address {{text}};
create index challenges_by_account on challenges (account_id, valuation_id);
