-- How far a long job is, in words; null of batches, whose counts say it.
alter table jobs add column progress {{text}};
