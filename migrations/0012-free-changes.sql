-- Properties that users of the console may value again without a charge, after a charged value.
create table free_changes (
  account_id {{text}} not null references accounts (account_id),
  -- Kind of value, as-of date and parcel or coordinates.
  property {{text}} not null,
  ends_at bigint not null,
  -- Free values that are left.
  changes_left integer not null,
  primary key (account_id, property)
);
