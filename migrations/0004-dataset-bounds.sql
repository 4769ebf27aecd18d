-- Where a version's rows lie, so that a server knows which markets may cover a point without loading any.
alter table datasets add column south double precision;
alter table datasets add column north double precision;
alter table datasets add column west double precision;
alter table datasets add column east double precision;
