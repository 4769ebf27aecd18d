/** What a key or a plan may use: everything, a family, or one operation. */
export const SCOPES = [
  '*',
  'avm:*',
  'avm:property',
  'avm:rental',
  'avm:multifamily',
  'batch:*',
  'batch:read',
  'batch:write',
  'sweeps',
  'portfolios',
  'comprehensive',
  'places:*',
  'places:census',
  'places:crime',
  'places:fire',
  'places:flood',
  'market:read',
  'valuations:read',
  'valuations:share',
  'valuations:save',
  'challenges:decide',
  'coverage:read',
  'usage:read',
  'webhooks:*',
  'webhooks:read',
  'webhooks:write',
] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}

/** Whether the held scopes include one: as `*`, the scope itself, or its family (`avm:*` for `avm:property`). */
export function includesScope(held: readonly string[], scope: string): boolean {
  const family = `${scope.split(':', 1)[0]}:*`;
  return held.some((one) => one === '*' || one === scope || one === family);
}
