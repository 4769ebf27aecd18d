/**
 * Measures how fast the console is in a browser: `node bench/console.ts [folder]`, on a copy of an
 * installation's data (default ./data, which `npm start` creates). It measures the time until a first-time
 * visitor can type, on this machine and on a slow one; until the page Value shows its map; and from changing
 * an attribute to the new value on the page, including the typing delay.
 */
import type { Page } from 'playwright-core';
import { settled, type OpenConsole } from '../test/console/open-console.ts';
import { withCopyOf } from '../test/console/open-copy.ts';

const LOADS = 10;
const CHANGES = 40;
const HOME = '/console/value?latitude=42.0005&longitude=-101.6';
/** A mid-range phone on a slow mobile network, with the settings of Lighthouse. */
const SLOW = { cpu: 4, latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: 96_000 };

await withCopyOf(process.argv[2] ?? 'data', async (under) => {
  report('first visit until a name can be typed', await firstLoads(under, false));
  report('the same on a slow phone and network', await firstLoads(under, true));
  report('page Value until its map is drawn', await valueLoads(under));
  report('attribute changed until the value stands', await changes(under));
});

function report(what: string, ms: number[]): void {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (q: number): string => sorted[Math.floor((sorted.length - 1) * q)].toFixed(0);
  console.log(
    `${what.padEnd(42)} p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, worst ${at(1)} ms (${ms.length} times)`,
  );
}

async function firstLoads(under: OpenConsole, isSlow: boolean): Promise<number[]> {
  const taken: number[] = [];
  for (let i = 0; i < LOADS; i++) {
    const page = await under.openPage();
    if (isSlow) await slowDown(page);
    const started = performance.now();
    await page.goto('/console', { waitUntil: 'commit' });
    await page.getByLabel('Name').fill('a');
    taken.push(performance.now() - started);
    await page.context().close();
  }
  return taken;
}

async function slowDown(page: Page): Promise<void> {
  const { cpu, ...network } = SLOW;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, ...network });
}

async function valueLoads(under: OpenConsole): Promise<number[]> {
  const taken: number[] = [];
  for (let i = 0; i < LOADS; i++) {
    const page = await under.openSignedIn();
    const started = performance.now();
    await page.goto('/console/value', { waitUntil: 'commit' });
    await page.locator('.map-frame[data-is-drawn]').waitFor();
    taken.push(performance.now() - started);
    await page.context().close();
  }
  return taken;
}

async function changes(under: OpenConsole): Promise<number[]> {
  const page = await under.openSignedIn();
  await page.goto(HOME);
  await page.locator('#point-value').waitFor();
  await settled(page);
  const taken: number[] = [];
  for (let i = 0; i < CHANGES; i++) {
    taken.push(await changeLivingArea(page, 1000 + 50 * ((i * 7) % CHANGES)));
    // A user looks at the result first; the missing details load in the meantime.
    await page.waitForTimeout(1000);
  }
  await page.context().close();
  return taken;
}

/** Measured in the page itself, from the key press to the new value. */
function changeLivingArea(page: Page, sqft: number): Promise<number> {
  return page.evaluate((sqft) => {
    const input = document.querySelector<HTMLInputElement>('[data-field=living_area] input[type=number]');
    const figure = document.querySelector('#point-value');
    if (!input || !figure) throw new Error('the page shows no value');
    return new Promise<number>((resolve) => {
      const started = performance.now();
      const observer = new MutationObserver(() => {
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - started));
      });
      observer.observe(figure, { characterData: true, childList: true, subtree: true });
      input.value = String(sqft);
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
  }, sqft);
}
