import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { StoreSettings } from '../../src/store/open-store.ts';
import { buildConsole } from '../../web/build.ts';
import { startServe } from '../faults/serve-process.ts';
import { launchChromium } from './chromium.ts';
import { ADMINISTRATOR, addPeople } from './add-users.ts';

/** The console of a server in a process of its own, and a browser to look at it with. */
export interface OpenConsole {
  readonly url: string;
  /** The database that it serves. */
  readonly settings: StoreSettings;
  /** A page in a browser where nobody is signed in. */
  readonly openPage: (options?: BrowserContextOptions) => Promise<Page>;
  /** A page in a browser where the administrator is signed in: once, and kept for all that follow. */
  readonly openSignedIn: (options?: BrowserContextOptions) => Promise<Page>;
  /** Fails where a page asked for something elsewhere, broke its policy or threw. Forgets what it has seen. */
  readonly assertClean: () => void;
  readonly close: () => Promise<void>;
}

/** Serves a database, with people and what they did added to it. */
export async function openConsole(chromiumPath: string, settings: StoreSettings): Promise<OpenConsole> {
  await Promise.all([buildConsole(), addPeople(settings)]);
  const environment = { JOB_THREADS: '1', CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' };
  const { databaseUrl, dataDir } = settings;
  const [server, browser] = await Promise.all([
    startServe({ settings: { databaseUrl: databaseUrl ?? null, dataDir } }, { environment }),
    launchChromium(chromiumPath),
  ]);
  const trouble: string[] = [];
  const open = openContexts(browser, server.url, trouble);
  return {
    url: server.url,
    settings,
    ...open,
    assertClean() {
      assert.deepEqual(trouble.splice(0), [], 'pages asked elsewhere, broke their policy or threw');
    },
    async close() {
      await browser.close();
      server.child.kill('SIGINT');
      await server.ended;
    },
  };
}

function openContexts(
  browser: Browser,
  url: string,
  trouble: string[],
): Pick<OpenConsole, 'openPage' | 'openSignedIn'> {
  let kept: Promise<Awaited<ReturnType<BrowserContext['storageState']>>> | null = null;
  const openPage: OpenConsole['openPage'] = async (options = {}) => {
    const context = await browser.newContext({
      baseURL: url,
      viewport: DESKTOP,
      locale: 'en-US',
      // Fading and sliding would be drawn frame by frame, by the processor.
      reducedMotion: 'reduce',
      ...options,
    });
    // Long enough on a machine that does much else: nothing here is judged by how long it takes.
    context.setDefaultTimeout(60_000);
    watch(context, url, trouble);
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

interface Person {
  readonly name: string;
  readonly password: string;
}

/** As a person does it. */
export async function signIn(page: Page, { name, password }: Person = ADMINISTRATOR): Promise<void> {
  await page.goto('/console');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'attached' });
}

/** Until the page is there and nothing is waited for: it says so while it is. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('h1') !== null && document.querySelector('.waiting, [aria-busy=true]') === null,
  );
}

/** Until its map, where it has one, shows what it is going to show. */
export async function mapDrawn(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.map-frame:not([data-is-drawn])') === null);
}

/** Answers that a test provokes are no trouble: the browser notes each refusal as an error of loading. */
const REFUSED = /^Failed to load resource/;

function watch(context: BrowserContext, url: string, trouble: string[]): void {
  const { host } = new URL(url);
  context.on('request', (request) => {
    const asked = new URL(request.url());
    if (/^(https?|wss?):$/.test(asked.protocol) && asked.host !== host) trouble.push(`asked ${asked.href}`);
  });
  context.on('weberror', (error) => trouble.push(`threw ${error.error().message}`));
  context.on('console', (message) => {
    if (message.type() === 'error' && !REFUSED.test(message.text())) trouble.push(message.text());
  });
}
