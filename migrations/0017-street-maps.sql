-- The streets that a version's addresses line up as: one blob of lines, which the console's map is drawn from. Made after an
-- import, or at the first look where an import did not.
create table street_maps (
  dataset_id bigint not null primary key,
  sha256 {{text}} not null
);
