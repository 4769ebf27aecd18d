import { useLocation } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../api/use-request.ts';
import type { ConsolePage } from '../pages.ts';
import { Button, ProblemNotice } from '../parts/basics.tsx';
import { Segments } from '../parts/field.tsx';
import { mayLeave } from '../parts/unsaved-changes.ts';
import { Boundary } from './boundary.tsx';
import { Brand } from './brand.tsx';
import { lazy } from './lazy.tsx';
import { useSession } from './session-context.tsx';
import { chooseTheme, storedTheme, type Theme } from './theme.ts';

/** The page to sign in has no search, so its code is not part of the first load. */
const SearchBox = lazy('the search', () => import('./search-box.tsx'));

const GROUPS = ['Work', 'Account', 'Administration'] as const;

/** The navigation: always at the side, on a phone behind a button. */
export function Sidebar({ pages }: { readonly pages: readonly ConsolePage[] }) {
  const { path } = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  return (
    <header class={isOpen ? 'side open' : 'side'}>
      <div class="side-head">
        <Brand href="/console" />
        <search class="search-box">
          <Boundary>
            <SearchBox />
          </Boundary>
        </search>
        <span class="menu-button">
          <button
            type="button"
            class="button small"
            aria-expanded={isOpen}
            aria-controls="side-body"
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Close' : 'Menu'}
          </button>
        </span>
      </div>
      <div class="side-body" id="side-body">
        <nav aria-label="Console">
          {GROUPS.map((group) => {
            const linked = pages.filter((page) => page.group === group && page.label !== null);
            return (
              linked.length > 0 && (
                <>
                  <h2>{group}</h2>
                  <PageLinks pages={linked} path={path} />
                </>
              )
            );
          })}
        </nav>
        <SideFoot />
      </div>
    </header>
  );
}

function PageLinks({ pages, path }: { readonly pages: readonly ConsolePage[]; readonly path: string }) {
  return (
    <ul>
      {pages.map((page) => {
        const href = `/console${page.path.replace(/\/:.*$/, '')}`;
        const isHere = path === href || path.startsWith(`${href}/`);
        return (
          <li key={page.path}>
            <a href={href} aria-current={isHere ? 'page' : undefined}>
              {page.label}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function SideFoot() {
  const { session, signOut } = useSession();
  const leaving = useAction(signOut);
  return (
    <div class="side-foot">
      <ThemeChoice />
      <div class="user">
        <strong>{breakable(session.user.name)}</strong>
        <div class="quiet small">
          {session.user.role}, {session.account.name}
        </div>
      </div>
      <div class="links">
        <a href="/console/account">Your account</a>
        <a href="/docs" target="_self">
          Documentation
        </a>
      </div>
      {leaving.problem && <ProblemNotice problem={leaving.problem} />}
      <div>
        <Button
          isSmall
          busy={leaving.isBusy && 'Signing out …'}
          onClick={() => mayLeave() && void leaving.run()}
        >
          Sign out
        </Button>
      </div>
    </div>
  );
}

/** A long email address breaks at its @ first. */
function breakable(name: string) {
  const [first, ...rest] = name.split(/(?=@)/);
  return (
    <>
      {first}
      {rest.map((part) => (
        <span key={part}>
          <wbr />
          {part}
        </span>
      ))}
    </>
  );
}

const THEME_CHOICES = [
  { value: 'system', label: 'Auto' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies readonly { readonly value: Theme; readonly label: string }[];

function ThemeChoice() {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (value: Theme): void => {
    chooseTheme(value);
    setTheme(value);
  };
  return <Segments aria-label="Theme" choices={THEME_CHOICES} value={theme} onChange={choose} />;
}
