import type { ComponentType } from 'preact';
import { lazy } from './shell/lazy.tsx';

/** Who sees a page: all users, administrators, or administrators of the operator's account. */
type PageAudience = 'everyone' | 'administrator' | 'operator';

export interface ConsolePage {
  /** Below /console, as a route of the router: `/batches/:id?` */
  readonly path: string;
  /** Its label in the navigation; null = only other pages link to it. */
  readonly label: string | null;
  readonly group: 'Work' | 'Account' | 'Administration';
  readonly audience: PageAudience;
  readonly component: ComponentType;
}

/** Every page, in the order of the navigation. The console opens the first. One line each. */
// prettier-ignore
export const PAGES: readonly ConsolePage[] = [
  page('Work', '/value', 'Value', 'everyone', () => import('./pages/value/value-page.tsx')),
  page('Work', '/saved', 'Saved', 'everyone', () => import('./pages/saved/saved-page.tsx')),
  page('Work', '/place', 'Place', 'everyone', () => import('./pages/place/place-page.tsx')),
  page('Work', '/markets/:id?', 'Markets', 'everyone', () => import('./pages/markets/markets-page.tsx')),
  page('Work', '/markets/:id/sales', null, 'operator', () => import('./pages/markets/sales-page.tsx')),
  page('Work', '/trends', 'Market trends', 'everyone', () => import('./pages/trends/trends-page.tsx')),
  page('Work', '/batches/:first?/:second?', 'Batches', 'everyone', () => import('./pages/batches/batches-page.tsx')),
  page('Work', '/portfolios/:id?', 'Portfolios', 'everyone', () => import('./pages/portfolios/portfolios-page.tsx')),
  page('Work', '/import/:id?', 'Import', 'operator', () => import('./pages/import/import-page.tsx')),
  page('Account', '/keys', 'API keys', 'administrator', () => import('./pages/keys/keys-page.tsx')),
  page('Account', '/usage', 'Usage', 'everyone', () => import('./pages/usage/usage-page.tsx')),
  page('Account', '/plans', 'Plans', 'everyone', () => import('./pages/plans/plans-page.tsx')),
  page('Administration', '/users', 'Users', 'administrator', () => import('./pages/users/users-page.tsx')),
  page('Administration', '/accounts', 'Accounts', 'operator', () => import('./pages/accounts/accounts-page.tsx')),
  page('Administration', '/audit', 'Audit', 'administrator', () => import('./pages/audit/audit-page.tsx')),
  page('Account', '/account', null, 'everyone', () => import('./pages/account/account-page.tsx')),
];

function page(
  group: ConsolePage['group'],
  path: string,
  label: string | null,
  audience: PageAudience,
  load: () => Promise<{ readonly default: ComponentType }>,
): ConsolePage {
  return { path, label, group, audience, component: lazy(label ?? 'the page', load) };
}
