-- Which parcel stands at a point is asked with every valuation: with the id in the index no row need be read.
create index parcels_near on parcels (dataset_id, cell, lat, lon, parcel_id);
drop index parcels_by_place;
