import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { StoreSettings } from '../../src/store/open-store.ts';
import { buildConsole } from '../../web/build.ts';
import { startServe } from '../faults/serve-process.ts';
import { startOidcServer, type OidcServer } from '../harness/accounts/oidc-server.ts';
import { launchChromium } from './chromium.ts';
import { ADMINISTRATOR, addUsers } from './add-users.ts';

/** The console of a server in its own process, and a browser that opens it. */
export interface OpenConsole {
  readonly url: string;
  readonly provider: OidcServer;
  /** The database that the server uses. */
  readonly settings: StoreSettings;
  /** Opens a page without a session. */
  readonly openPage: (options?: BrowserContextOptions) => Promise<Page>;
  /**
   * Opens a page where the administrator is signed in. The sign-in happens once and is shared by all later
   * pages.
   */
  readonly openSignedIn: (options?: BrowserContextOptions) => Promise<Page>;
  /**
   * Fails if a page requested another host than the server and the identity provider, violated its content security policy or threw an error. Then
   * clears the record.
   */
  readonly assertClean: () => void;
  /** The address and text of each page that a test left open: why it failed. */
  readonly openTexts: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** Serves a database after adding users and their activity to it. */
export async function openConsole(chromiumPath: string, settings: StoreSettings): Promise<OpenConsole> {
  await Promise.all([buildConsole(), addUsers(settings)]);
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const provider = await startOidcServer([publicUrl]);
  const environment = {
    ...environmentFor(provider, publicUrl),
    PORT: String(port),
    JOB_THREADS: '1',
    CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
  };
  const { databaseUrl, dataDir } = settings;
  const [server, browser] = await Promise.all([
    startServe({ settings: { databaseUrl: databaseUrl ?? null, dataDir } }, { environment }),
    launchChromium(chromiumPath),
  ]);
  const problems: string[] = [];
  const open = openContexts(browser, [server.url, provider.issuer], problems);
  return {
    url: server.url,
    provider,
    settings,
    ...open,
    assertClean() {
      assert.deepEqual(problems.splice(0), [], 'pages requested other hosts, violated their policy or threw');
    },
    async openTexts() {
      const pages = browser.contexts().flatMap((context) => context.pages());
      return Promise.all(
        pages.map(
          async (page) => `${page.url()}\n${await page.locator('body').innerText({ timeout: 2000 })}`,
        ),
      );
    },
    async close() {
      await browser.close();
      server.child.kill('SIGINT');
      await server.ended;
      await provider.close();
    },
  };
}

/** The settings with which users can also sign in by a provider. */
function environmentFor(provider: OidcServer, publicUrl: string) {
  const { issuer, clientId, clientSecret, name, allowCidrs } = provider.settingFor(publicUrl);
  return {
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret ?? '',
    OIDC_NAME: name,
    OIDC_ALLOW_CIDRS: allowCidrs.join(','),
  };
}

/** The provider must know the address of the server before the server starts. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

function openContexts(
  browser: Browser,
  urls: readonly [console: string, provider: string],
  problems: string[],
): Pick<OpenConsole, 'openPage' | 'openSignedIn'> {
  let kept: Promise<Awaited<ReturnType<BrowserContext['storageState']>>> | null = null;
  const openPage: OpenConsole['openPage'] = async (options = {}) => {
    const context = await browser.newContext({
      baseURL: urls[0],
      viewport: DESKTOP,
      locale: 'en-US',
      // Turns off animations, which the CPU would draw frame by frame.
      reducedMotion: 'reduce',
      ...options,
    });
    // Long enough for a busy machine: these tests do not measure speed.
    context.setDefaultTimeout(180_000);
    watch(context, urls, problems);
    return context.newPage();
  };
  const signInOnce = async (): ReturnType<BrowserContext['storageState']> => {
    const page = await openPage();
    await signIn(page);
    const state = await page.context().storageState();
    await page.context().close();
    return state;
  };
  return {
    openPage,
    openSignedIn: async (options = {}) => {
      kept ??= signInOnce();
      return openPage({ ...options, storageState: await kept });
    },
  };
}

export const DESKTOP = { width: 1280, height: 900 } as const;
export const PHONE = { width: 390, height: 844 } as const;

interface Credentials {
  readonly name: string;
  readonly password: string;
}

/** Signs in through the form, as a user does. */
export async function signIn(page: Page, { name, password }: Credentials = ADMINISTRATOR): Promise<void> {
  await page.goto('/console');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'attached' });
}

/** Waits until the page is shown and nothing is loading. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('h1') !== null && document.querySelector('.waiting, [aria-busy=true]') === null,
  );
}

/** Waits until the map, if the page has one, is fully drawn. */
export async function mapDrawn(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.map-frame:not([data-is-drawn])') === null);
}

/**
 * Error responses that a test provokes are not failures, although the browser logs each as a loading error.
 */
const LOADING_ERROR = /^Failed to load resource/;

function watch(context: BrowserContext, urls: readonly string[], problems: string[]): void {
  const hosts = urls.map((url) => new URL(url).host);
  context.on('request', (request) => {
    const requested = new URL(request.url());
    if (/^(https?|wss?):$/.test(requested.protocol) && !hosts.includes(requested.host))
      problems.push(`requested ${requested.href}`);
  });
  context.on('weberror', (error) => problems.push(`threw ${error.error().message}`));
  context.on('console', (message) => {
    if (message.type() === 'error' && !LOADING_ERROR.test(message.text())) problems.push(message.text());
  });
}
