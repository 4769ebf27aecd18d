/**
 * A person's role in the console. A member values, runs batches and reads. An administrator also manages keys
 * and users.
 */
export const ROLES = ['member', 'administrator'] as const;
export type Role = (typeof ROLES)[number];
