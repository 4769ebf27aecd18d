-- The user of an identity provider (OpenID Connect) who signs in as this user: issuer and subject name it for good.
-- Null: not linked.
alter table users add column identity_issuer {{text}};
alter table users add column identity_subject {{text}};
alter table users add column identity_since bigint;
create unique index users_by_identity on users (identity_issuer, identity_subject);
