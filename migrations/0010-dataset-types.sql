-- What a version of sales or rents holds, by type of property: how many, and the last day of one.
create table dataset_types (
  dataset_id bigint not null,
  property_type {{text}} not null,
  row_count bigint not null,
  last_on integer not null,
  primary key (dataset_id, property_type)
);

-- Versions still loading are counted when they are published.
insert into dataset_types (dataset_id, property_type, row_count, last_on)
select dataset_id, property_type, count(*), max(sold_on) from sales
where dataset_id in (select dataset_id from datasets where status = 'ready')
group by dataset_id, property_type;

insert into dataset_types (dataset_id, property_type, row_count, last_on)
select dataset_id, property_type, count(*), max(listed_on) from rents
where dataset_id in (select dataset_id from datasets where status = 'ready')
group by dataset_id, property_type;
