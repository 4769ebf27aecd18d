-- Where the addresses of a city and of a ZIP lie, counted by cell when a version is published: the answer when an
-- address is known no closer. Median points come from these few rows; the addresses themselves would be a city's.
create table address_areas (
  dataset_id bigint not null,
  postal_code {{text}} not null,
  city {{text}} not null,
  state_code {{text}} not null,
  cell bigint not null,
  address_count integer not null,
  primary key (dataset_id, postal_code, city, state_code, cell)
);
create index address_areas_by_city on address_areas (dataset_id, city, cell);

insert into address_areas (dataset_id, postal_code, city, state_code, cell, address_count)
select dataset_id, key_postal_code, key_city, key_state_code, cell, count(*) from address_points
where key_postal_code <> '' or key_city <> ''
group by dataset_id, key_postal_code, key_city, key_state_code, cell;

-- The numbers of a street are read from the index alone.
drop index address_points_by_street;
create index address_points_by_street on address_points (dataset_id, key_street_name, key_number);
