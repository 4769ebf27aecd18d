import type { Scope } from '../../../../src/accounts/scopes.ts';

/** What a key can be made for, in the words of the person who makes it. The compiler asks for what a new scope means. */
const MEANINGS = {
  '*': 'Everything the plan includes',
  'avm:*': 'Every kind of value',
  'avm:property': 'Value a home',
  'avm:rental': 'Value rents',
  'avm:multifamily': 'Value a building',
  'batch:*': 'Batches: send and read',
  'batch:read': 'Read batches and their results',
  'batch:write': 'Send, cancel and retry batches',
  comprehensive: 'Everything about a place at once',
  'places:*': 'Everything about places',
  'places:census': 'Census figures',
  'places:crime': 'Crime',
  'places:fire': 'Fire risk',
  'places:flood': 'Flood zones',
  'valuations:read': 'Read and replay past valuations',
  'coverage:read': 'Coverage and models',
  'usage:read': 'Usage and credits',
  'webhooks:*': 'Webhooks: read and change',
  'webhooks:read': 'Read deliveries',
  'webhooks:write': 'Send again, test, rotate the secret',
} as const satisfies Readonly<Record<Scope, string>>;

export interface ScopeGroup {
  readonly label: string;
  readonly scopes: readonly Scope[];
}

/** The single scopes by family; whole families are ticked as all of theirs. */
export const SCOPE_GROUPS: readonly ScopeGroup[] = [
  { label: 'Values', scopes: ['avm:property', 'avm:rental', 'avm:multifamily', 'valuations:read'] },
  { label: 'Batches', scopes: ['batch:read', 'batch:write'] },
  {
    label: 'Places',
    scopes: ['places:census', 'places:crime', 'places:fire', 'places:flood', 'comprehensive'],
  },
  { label: 'Webhooks', scopes: ['webhooks:read', 'webhooks:write'] },
  { label: 'Service', scopes: ['coverage:read', 'usage:read'] },
];

export function meaningOfScope(scope: string): string {
  return Object.entries(MEANINGS).find(([known]) => known === scope)?.[1] ?? scope;
}

/** What a key opens, short enough for a row: "everything", "Value a home, Flood zones and 2 more". */
export function summaryOfScopes(scopes: readonly string[]): string {
  if (scopes.includes('*')) return 'Everything';
  const [first = '', second, ...rest] = scopes.map(meaningOfScope);
  if (second === undefined) return first;
  return rest.length === 0 ? `${first}, ${second}` : `${first}, ${second} and ${rest.length} more`;
}
