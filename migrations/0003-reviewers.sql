-- Who reviewed a sale: the id of the user, null at the command line. A user who is disabled later is shown as such.
alter table sale_reviews add column actor_id {{text}};
