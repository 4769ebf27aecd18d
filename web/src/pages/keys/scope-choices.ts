import type { Scope } from '../../../../src/accounts/scopes.ts';

/** What each scope permits. The compiler requires an entry for every scope. */
const MEANINGS = {
  '*': 'Everything in the plan',
  'avm:*': 'All kinds of valuations',
  'avm:property': 'Value homes',
  'avm:rental': 'Estimate rents',
  'avm:multifamily': 'Value multifamily buildings',
  'batch:*': 'Batches: create and read',
  'batch:read': 'Read batches and their results',
  'batch:write': 'Create, cancel and retry batches',
  sweeps: 'Value all parcels of a market',
  portfolios: 'Watch homes: portfolios and alerts',
  comprehensive: 'All location data at once',
  'places:*': 'All location data',
  'places:census': 'Census figures',
  'places:crime': 'Crime',
  'places:fire': 'Wildfire risk',
  'places:flood': 'Flood zones',
  'market:read': 'Price and rent indexes',
  'valuations:read': 'Read and replay past valuations',
  'valuations:share': 'Share reports by links',
  'valuations:save': 'Save valuations with tags and notes',
  'challenges:decide': 'Accept or reject challenges',
  'coverage:read': 'Coverage and models',
  'usage:read': 'Usage and credits',
  'webhooks:*': 'Webhooks: read and change',
  'webhooks:read': 'Read deliveries',
  'webhooks:write': 'Redeliver, test, rotate the secret',
} as const satisfies Readonly<Record<Scope, string>>;

/** The choices of the form. A whole family is selected as all of its scopes. */
export const SCOPE_GROUPS: readonly { readonly label: string; readonly scopes: readonly Scope[] }[] = [
  {
    label: 'Valuations',
    scopes: [
      'avm:property',
      'avm:rental',
      'avm:multifamily',
      'valuations:read',
      'valuations:share',
      'valuations:save',
      'challenges:decide',
    ],
  },
  { label: 'Batches', scopes: ['batch:read', 'batch:write', 'sweeps', 'portfolios'] },
  {
    label: 'Location data',
    scopes: ['places:census', 'places:crime', 'places:fire', 'places:flood', 'comprehensive'],
  },
  { label: 'Webhooks', scopes: ['webhooks:read', 'webhooks:write'] },
  { label: 'Service', scopes: ['market:read', 'coverage:read', 'usage:read'] },
];

export function meaningOfScope(scope: string): string {
  return Object.entries(MEANINGS).find(([known]) => known === scope)?.[1] ?? scope;
}

/** Short enough for a row: "Everything", "Value homes, Flood zones and 2 more". */
export function summaryOfScopes(scopes: readonly string[]): string {
  if (scopes.includes('*')) return 'Everything';
  const [first = '', second, ...rest] = scopes.map(meaningOfScope);
  if (second === undefined) return first;
  return rest.length === 0 ? `${first}, ${second}` : `${first}, ${second} and ${rest.length} more`;
}
