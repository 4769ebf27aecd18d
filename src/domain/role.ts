/** Roles in the console. Members value, run batches and read. Administrators also manage keys and users. */
export const ROLES = ['member', 'administrator'] as const;
export type Role = (typeof ROLES)[number];
