-- Who prepared a shared report, and for whom: JSON, or null if the link was created without.
alter table report_shares add column preparation {{text}};
