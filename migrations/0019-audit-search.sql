-- What a line of the audit log is found by: who, what was done, and of what, folded as names are. A line from before has none, and is
-- found by its own letters, of which both databases fold the same.
create table audit_words (
  audit_id {{text}} not null primary key references audit_log (audit_id),
  words {{text}} not null
);
