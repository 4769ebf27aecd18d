import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openStore } from '../../src/store/open-store.ts';
import { beatRun, beginRun, endRun } from '../../src/store/runs.ts';
import { PHONE, settled, type OpenConsole } from './open-console.ts';

const MARKET = 'sample-county';

interface Overall {
  readonly stratum: string;
  readonly n: number;
  readonly mdape: number;
}

/** The accuracy of the property model as the API returns it. */
async function overallOf(page: Page): Promise<Overall> {
  return page.evaluate(async (market) => {
    const ask = async (path: string) => (await fetch(`/console/api/models${path}`)).json();
    const { models }: { models: { id: string; kind: string }[] } = await ask(`?market=${market}`);
    const model = models.find(({ kind }) => kind === 'property');
    const { accuracy }: { accuracy: Overall[] } = await ask(`/${model?.id}/accuracy`);
    const overall = accuracy.find(({ stratum }) => stratum === 'all');
    if (!overall) throw new Error('the model has no measured accuracy');
    return overall;
  }, MARKET);
}

/** Tests the accuracy charts and tables. */
export function testMarkets(open: () => OpenConsole): void {
  test('the market page shows the same accuracy in charts and tables as the API', async () => {
    const page = await open().openSignedIn();
    await page.goto('/console/markets');
    await page
      .getByRole('row', { name: /sample-county/ })
      .getByText('active')
      .waitFor();
    await page.getByRole('link', { name: 'Sample County' }).click();
    await page.getByRole('heading', { name: 'Accuracy', exact: true }).waitFor();
    await settled(page);
    const { n, mdape } = await overallOf(page);
    await page.getByText(`of ${n.toLocaleString('en-US')} holdout sales`, { exact: true }).waitFor();
    const all = await page
      .getByRole('region', { name: 'Errors by type of property' })
      .getByRole('row', { name: /^All/ })
      .innerText();
    // The table's figures are rounded to two decimals before they are shown.
    const shown = (Math.round(10_000 * mdape) / 100).toFixed(1);
    assert.ok(all.includes(`${shown}%`), `${all} for ${mdape}`);
    const equity = page.getByRole('region', { name: 'Uniformity and equity' }).getByRole('row');
    assert.equal(await equity.count(), 6, 'median ratio, COD, PRD, PRB and VEI');
    // Charts for price tiers, months and single sales. This county has too few sales to measure the coverage of
    // ranges.
    await page.locator('.plot svg[role=img]').nth(2).waitFor();
    await page.getByText('The coverage of the ranges could not be measured.').waitFor();
    for (const table of await page.getByText('Show as a table').all()) {
      await table.click();
    }
    const areas = page.getByRole('region', { name: 'Errors by area' }).getByRole('row');
    const listed = page.getByRole('region', { name: /^Holdout sales: / });
    const area = areas.nth(1);
    const inArea = (await area.getByRole('cell').first().innerText()).trim();
    await area.getByRole('button').click();
    await listed.getByText(`${inArea} sales.`).waitFor();
    assert.equal(await listed.getByRole('row').count(), Number(inArea) + 1);
    await page.getByLabel('Color areas by').selectOption('error');
    await page.getByText('Median absolute error.').waitFor();
    for (const [format, first] of [
      ['CSV', 'record_id,parcel_id,address,sale_date,price,value,ratio,p5,p95'],
      ['GeoJSON', '{"type":"FeatureCollection"'],
    ] as const) {
      const button = page.getByRole('button', { name: `Download ${format}` }).first();
      const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
      const text = await readFile(await file.path(), 'utf8');
      assert.ok(text.startsWith(first), text.slice(0, 80));
      const perSale =
        format === 'CSV' ? text.trim().split('\r\n').length - 1 : text.split('"Point"').length - 1;
      assert.equal(perSale, n, `all sales are in the ${format} file`);
    }
    await page.getByRole('tab', { name: 'Rents' }).click();
    await page.getByText(/Measured on [\d,]+ listings/).waitFor();
    open().assertClean();
    await page.context().close();
  });

  test('the figures of an earlier model are shown when it is chosen', async () => {
    const page = await open().openSignedIn();
    let activeId = '';
    await page.route(`**/console/api/markets/${MARKET}`, async (route) => {
      const response = await route.fetch();
      const market: { history: { id: string; kind: string }[] } = await response.json();
      const active = market.history.find(({ kind }) => kind === 'property') ?? assert.fail('no model');
      activeId = active.id;
      market.history.push({ ...active, id: 'earlier' });
      await route.fulfill({ response, json: market });
    });
    // The study of the active model, of fewer sales.
    await page.route('**/console/api/models/earlier/study', async (route) => {
      const response = await route.fetch({ url: route.request().url().replace('earlier', activeId) });
      const study: { measured: { overall: { n: number } } } = await response.json();
      study.measured.overall.n = 77;
      await route.fulfill({ response, json: study });
    });
    await page.goto(`/console/markets/${MARKET}`);
    await page.getByLabel('Figures of the model').selectOption('earlier');
    await page.getByText('Measured on 77 sales of').waitFor();
    await page.context().close();
  });

  test('a click on a dot of the values by prices opens the value of its sale', async () => {
    const page = await open().openSignedIn();
    await page.goto(`/console/markets/${MARKET}`);
    const dot = page
      .getByRole('img', { name: /^Value by price/ })
      .locator('circle')
      .first();
    await dot.scrollIntoViewIfNeeded();
    await settled(page);
    await dot.hover();
    await page.getByText(/, valued \$/).waitFor();
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForURL(/console\/value\?address=.*&date=/);
    await page
      .getByText(/^Value as of/)
      .first()
      .waitFor();
    open().assertClean();
    await page.context().close();
  });

  test('an operator excludes a sale with a reason, which is listed and applies from today on', async () => {
    const page = await open().openSignedIn();
    await page.goto(`/console/markets/${MARKET}`);
    await page.getByRole('link', { name: 'Review sales' }).click();
    await page.getByText('Nobody has reviewed a sale yet.').waitFor();
    await page.getByLabel('Find any sale').fill('a');
    const row = page
      .getByRole('region', { name: 'Sales' })
      .getByRole('row')
      .filter({ hasText: 'Not flagged' });
    await row.first().getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Why flagged').waitFor();
    await dialog.getByLabel('Reason').fill('Sold to a relative');
    await dialog.getByRole('button', { name: 'Save decision' }).click();
    await page.getByText('The next training as of today or later applies it.').waitFor();
    const decided = page.getByRole('region', { name: 'Decisions', exact: true }).getByRole('row');
    await decided.filter({ hasText: 'Sold to a relative' }).first().getByText('do not use').waitFor();
    await page.getByLabel('Find any sale').fill('');
    await page
      .getByLabel('Reason', { exact: true })
      .selectOption({ label: 'Excluded by an operator (1 sale)' });
    await page.getByText('1 sale, newest first').waitFor();
    open().assertClean();
    await page.context().close();
  });

  test('links lead to the sections of a market, and a dialog higher than the screen opens at its top', async () => {
    const page = await open().openSignedIn({ viewport: { width: 390, height: 150 } });
    await page.goto(`/console/markets/${MARKET}`);
    const links = page.getByRole('navigation', { name: 'Sections of this page' }).getByRole('link');
    await links.first().waitFor();
    await settled(page);
    const titles = await links.allInnerTexts();
    assert.ok(titles.length >= 5, titles.join());
    for (const title of titles) {
      await page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor();
    }
    await links.getByText('Models').click();
    await page.waitForFunction(() => {
      const { top } = document.querySelector('#models')?.getBoundingClientRect() ?? { top: -1 };
      return top >= 0 && top < window.innerHeight;
    });
    await page.getByRole('button', { name: 'Train as of a date …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    assert.equal(await dialog.evaluate(({ scrollTop }) => scrollTop), 0);
    await page.setViewportSize(PHONE);
    await dialog.getByLabel('Date').fill('1950-01-01');
    await dialog.getByRole('button', { name: 'Train', exact: true }).click();
    await dialog.getByText(/^Choose [A-Z][a-z]{2} .* or later\./).waitFor();
    open().assertClean();
    await page.context().close();
  });

  test('an import shows its progress, and an unknown market is reported', async () => {
    const page = await open().openSignedIn();
    const store = await openStore(open().settings);
    try {
      const runId = 'run-of-a-browser-test';
      await beginRun(store, { runId, task: 'import', marketId: MARKET, kind: 'parcels' });
      await beatRun(store, runId, { step: 'Reading parcels', done: 25, total: 100 });
      await page.goto(`/console/markets/${MARKET}`);
      await page.getByText('Reading parcels, 25% of this step').waitFor();
      await beatRun(store, runId, { step: 'Reading parcels', done: 50, total: 100 });
      await page.getByText('50% of this step').waitFor();
      await endRun(store, runId);
      await page.getByText('50% of this step').waitFor({ state: 'detached' });
    } finally {
      await store.close();
    }
    await page.goto('/console/markets/nowhere-at-all');
    await page.getByRole('alert').waitFor();
    open().assertClean();
    await page.context().close();
  });
}
