import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import type { Session } from './api/account.ts';
import { PAGES, type ConsolePage } from './pages.ts';
import { EmptyState, Waiting } from './parts/basics.tsx';
import { Page } from './parts/page.tsx';
import { Boundary } from './shell/boundary.tsx';
import { SessionProvider, useSession } from './shell/session-context.tsx';
import { Sidebar } from './shell/sidebar.tsx';

export function App() {
  return (
    <LocationProvider scope="/console">
      <SessionProvider>
        <Shell />
      </SessionProvider>
    </LocationProvider>
  );
}

function Shell() {
  const { session } = useSession();
  const { path } = useLocation();
  const [pages, closed] = [true, false].map((isOpen) =>
    PAGES.filter((page) => isFor(page, session) === isOpen),
  );
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Sidebar pages={pages} />
      <main id="main" tabIndex={-1}>
        <Boundary key={path}>
          <Router>
            <Route path="/console" component={Start} />
            {pages.map(({ path: below, component }) => (
              <Route key={below} path={`/console${below}`} component={component} />
            ))}
            {closed.map(({ path: below, audience }) => (
              <Route key={below} path={`/console${below}`} component={PageForOthers} audience={audience} />
            ))}
            <Route default component={PageNotFound} />
          </Router>
        </Boundary>
      </main>
    </div>
  );
}

function isFor({ audience }: ConsolePage, { user, is_operator }: Session): boolean {
  if (audience === 'operator') return is_operator;
  return audience === 'everyone' || user.role === 'administrator';
}

/** `/console` redirects to the user's first page. */
function Start() {
  const { route } = useLocation();
  const { session } = useSession();
  const first = PAGES.find((page) => isFor(page, session))?.path.replace(/\/:.*$/, '') ?? '';
  useEffect(() => route(`/console${first}`, true), [route, first]);
  return <Waiting for="Opening the console" />;
}

function PageNotFound() {
  return (
    <Page title="Page not found">
      <EmptyState title="There is no page at this address.">
        <PagesToOpen />
      </EmptyState>
    </Page>
  );
}

/** Somebody opened a link that they were sent to a page of others. */
function PageForOthers({ audience }: Pick<ConsolePage, 'audience'>) {
  const { isAdministrator } = useSession();
  const whom =
    audience === 'operator'
      ? 'operators of this installation, who are administrators of its own account'
      : 'administrators of your account';
  return (
    <Page title="No access">
      <EmptyState title={`This page is for ${whom}.`}>
        {!isAdministrator && <p>Ask an administrator if you need it.</p>}
        <PagesToOpen />
      </EmptyState>
    </Page>
  );
}

function PagesToOpen() {
  return (
    <p>
      The navigation lists every page that you can open, or go to the <a href="/console">first page</a>.
    </p>
  );
}
