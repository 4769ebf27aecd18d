import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import type { Page, ViewportSize } from 'playwright-core';
import { county } from '../service-fixture.ts';
import { DESKTOP, PHONE, settled, type OpenConsole } from './open-console.ts';
import { PICTURED_PAGES, PICTURED_STATES, type PicturedPage } from './console-pages.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs axe in the page and returns one line per violation that is not minor. */
const FAULTS = `axe.run(document, { resultTypes: ['violations'], elementRef: false }).then(({ violations }) =>
  violations
    .filter(({ impact }) => impact !== 'minor')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`;

/** Tests the shell itself and every page in console-pages.ts. */
export function testShell(open: () => OpenConsole): void {
  testAccessible(open, PICTURED_PAGES);

  test('the search box is reached by a key from every page, and opens addresses and past valuations', async () => {
    const page = await open().openSignedIn();
    const [{ address, parcelId }] = county.parcels.filter(({ type }) => type === 'houses');
    await page.goto('/console/keys');
    await settled(page);
    await page.keyboard.press('/');
    const box = page.getByRole('combobox', { name: /^Find/ });
    await box.pressSequentially(parcelId);
    await page.getByRole('option', { name: parcelId }).waitFor();
    await box.press('ArrowDown');
    await box.press('Enter');
    await page.locator('#point-value').waitFor();
    const value = await page.locator('#point-value').innerText();
    assert.match(await page.locator('h1').innerText(), new RegExp(`^${address.street}`, 'i'));
    const id = await page.locator('dt', { hasText: 'Valuation ID' }).locator('+ dd').innerText();
    await page.keyboard.press('Control+k');
    await box.fill(id);
    await page.getByRole('option', { name: id }).click();
    await page.waitForURL(/valuation=/);
    await page.getByText('Stored value').waitFor();
    await page.locator('#point-value').waitFor();
    await settled(page);
    assert.equal(await page.locator('#point-value').innerText(), value);
    assert.equal(await page.locator('.property-facts').getByText(`Parcel ${parcelId}`).count(), 1);
    await page.getByRole('button', { name: 'Value again' }).click();
    await page.waitForURL(/date=/);
    await page.locator('#point-value').waitFor();
    open().assertClean();
    await page.context().close();
  });

  test('the preparer that an earlier version left in the browser is deleted on start, and the theme stays', async () => {
    const page = await open().openSignedIn();
    await page.goto('/console');
    await page.evaluate(() => {
      localStorage.setItem('plumbline.preparer', '{"prepared_by":"Ada"}');
      localStorage.setItem('plumbline.theme', 'dark');
    });
    await page.goto('/console/keys');
    await settled(page);
    assert.deepEqual(await page.evaluate(() => Object.entries(localStorage)), [['plumbline.theme', 'dark']]);
    await page.context().close();
  });

  test("the first load is at most 25,000 bytes in gzip and in brotli, and no page's markup has an inline script, style or handler", async () => {
    const page = await open().openPage();
    const urls: string[] = [];
    page.on('response', (response) => urls.push(response.url()));
    const response = await page.goto('/console');
    await settled(page);
    const markup = (await response?.text()) ?? '';
    assert.match(markup, /<div id="console">/);
    assert.doesNotMatch(markup, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/);
    for (const encoding of ['gzip', 'br']) {
      const bytes = await sizeOf(urls, encoding);
      assert.ok(bytes > 5000 && bytes <= 25_000, `${bytes} bytes in ${encoding}`);
    }
    await page.context().close();
  });
}

/** Tests dialogs, errors and changes of the pages. It comes last, because some of them save what other tests count. */
export function testStates(open: () => OpenConsole): void {
  testAccessible(open, PICTURED_STATES);
}

/** A test per page, so that a slow or wrong one is named, and the others are tested too. */
function testAccessible(open: () => OpenConsole, pages: readonly PicturedPage[]): void {
  for (const pictured of pages)
    test(`${pictured.name} has no moderate or serious accessibility violations, fits its window, and requests no other host`, async () => {
      const { openPage, openSignedIn, assertClean } = open();
      const page = await (pictured.isSignedOut ? openPage() : openSignedIn());
      await assertAccessible(page, pictured);
      await page.context().close();
      assertClean();
    });
}

async function assertAccessible(page: Page, { path, before }: PicturedPage): Promise<void> {
  // Opened once, on a phone, where buttons are hardest to reach, and then shown on a desktop.
  await show(page, { viewport: PHONE, colorScheme: 'dark' });
  await page.goto(path);
  await settled(page);
  await before?.(page);
  await settled(page);
  await page.evaluate(AXE);
  assert.deepEqual(await faultsOf(page), [], 'phone, dark');
  await show(page, { viewport: DESKTOP, colorScheme: 'light' });
  await settled(page);
  assert.deepEqual(await faultsOf(page), [], 'desktop, light');
}

/** The size of responses as the server sends them to a client that accepts one encoding. */
async function sizeOf(urls: readonly string[], encoding: string): Promise<number> {
  const sizes = urls.map(async (url) => {
    const { headers } = await fetch(url, { headers: { 'accept-encoding': encoding } });
    return Number(headers.get('content-length'));
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function show(
  page: Page,
  { viewport, colorScheme }: { viewport: ViewportSize; colorScheme: 'light' | 'dark' },
): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
}

/** Moderate, serious and critical axe violations, and what does not fit: the page, and on a phone its tables. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults = await page.evaluate<string[]>(FAULTS);
  const tooWide = await page.evaluate(() => {
    const isPhone = window.innerWidth < 700;
    const tables = isPhone ? [...document.querySelectorAll('.table-scroll')] : [];
    return [document.documentElement, ...tables.filter((table) => table.checkVisibility())]
      .map((each) => ({ name: each.ariaLabel ?? 'the page', over: each.scrollWidth - each.clientWidth }))
      .filter(({ over }) => over > 0)
      .map(({ name, over }) => `${name} is ${over} px too wide`);
  });
  return [...faults, ...tooWide];
}
