/** What a person may do in the console. A member values, runs batches and looks; an administrator also manages keys and people. */
export const ROLES = ['member', 'administrator'] as const;
export type Role = (typeof ROLES)[number];
