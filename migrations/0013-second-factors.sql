-- The second factor of a user: codes of an authenticator app (RFC 6238).
-- Sealed with WEBHOOK_KEY or the key file of the data folder. Null: none was started.
alter table users add column second_factor_secret {{text}};
-- When its first code was confirmed; from then on, sign-in asks for a code. Null: off.
alter table users add column second_factor_since bigint;
-- The time step of the last accepted code: no code of it or an earlier one is accepted again.
alter table users add column second_factor_step bigint;
-- JSON: SHA-256 of each unused recovery code, in hex.
alter table users add column recovery_codes {{text}};
