import type { ComponentType } from 'preact';
import { lazyPage } from './shell/lazy-page.tsx';

/** Who sees a page: everybody, administrators, or administrators of the installation's own account. */
export type PageAudience = 'everyone' | 'administrator' | 'operator';

export interface ConsolePage {
  /** Below /console, as the router takes it: `/batches/:id?` */
  readonly path: string;
  /** In the navigation; null for one that other pages lead to. */
  readonly label: string | null;
  readonly group: 'Work' | 'Account' | 'Administration';
  readonly audience: PageAudience;
  readonly component: ComponentType;
}

/** Every page, in the order of the navigation; the first is where the console begins. One line each. */
// prettier-ignore
export const PAGES: readonly ConsolePage[] = [
  page('Work', '/value', 'Value', 'everyone', () => import('./pages/value/value-page.tsx')),
  page('Work', '/place', 'Place', 'everyone', () => import('./pages/place/place-page.tsx')),
  page('Work', '/markets/:id?', 'Markets', 'everyone', () => import('./pages/markets/markets-page.tsx')),
  page('Work', '/batches/:first?/:second?', 'Batches', 'everyone', () => import('./pages/batches/batches-page.tsx')),
  page('Account', '/keys', 'Keys', 'administrator', () => import('./pages/keys/keys-page.tsx')),
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
  return { path, label, group, audience, component: lazyPage(label ?? 'the page', load) };
}
