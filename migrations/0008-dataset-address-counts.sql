-- How many addresses a version brings, so that look-ups ask only those that have some.
alter table datasets add column address_count bigint;
update datasets set address_count =
  (select count(*) from address_points where address_points.dataset_id = datasets.dataset_id);
