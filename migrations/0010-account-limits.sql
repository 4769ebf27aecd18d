-- JSON: limits of one account that replace those of its plan; null for none.
alter table accounts add column limits {{text}};
