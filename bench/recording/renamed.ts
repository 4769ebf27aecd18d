/**
 * Names and codes that changed after commit 58f135e, before → after. Both sides of a comparison are normalized with
 * these, so that the earlier side reads like the later one.
 */

/** Names of members. */
export const RENAMED_MEMBERS: ReadonlyMap<string, string> = new Map([
  // The console's page of a market.
  ['is_in_force', 'is_active'],
  ['made_at', 'created_at'],
]);

/** Whole texts: codes, names of estimators and the like. */
export const RENAMED_VALUES: ReadonlyMap<string, string> = new Map([
  // Warnings.
  ['not_in_evidence', 'not_in_training_sales'],
  ['beyond_evidence', 'outside_training_range'],
  ['type_not_in_evidence', 'type_not_in_training_sales'],
  // Versions of a dataset, and the audit log.
  ['in_force', 'active'],
  ['model.put_in_force', 'model.activated'],
  ['somebody unknown', 'unknown user'],
]);
