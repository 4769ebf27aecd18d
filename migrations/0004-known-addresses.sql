-- First day on which an address was known, if a sale or listing has it; null in address and parcel files, which have no day.
alter table address_points add column known_on integer;
