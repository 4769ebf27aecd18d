import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { isRecord } from '../../src/domain/json.ts';
import type { OpenConsole } from './open-console.ts';

const TRENDS = '/console/trends?market=sample-county';

/** Opens the page with a year in which nothing was sold; the months of its history. */
async function openWithoutYear(page: Page): Promise<{ readonly months: string[]; readonly empty: string }> {
  let months: string[] = [];
  let empty = '';
  await page.route('**/console/api/market/index?*', async (route) => {
    const response = await route.fetch();
    const body: unknown = await response.json();
    assert.ok(isRecord(body) && isRecord(body.prices) && Array.isArray(body.prices.history));
    const { history } = body.prices;
    months = history.map(({ month }) => String(month));
    empty = months[Math.floor(months.length / 2)].slice(0, 4);
    for (const row of history) {
      if (row.month.startsWith(empty)) Object.assign(row, { sales: 0, median_price: null });
    }
    await route.fulfill({ response, json: body });
  });
  await page.goto(TRENDS);
  await page.getByRole('img', { name: /^Median price by month/ }).waitFor();
  return { months, empty };
}

export function testTrends(open: () => OpenConsole): void {
  test('the table of months begins with the newest known month, and the forecast is a table of its own', async () => {
    const page = await open().openSignedIn();
    const { months } = await openWithoutYear(page);
    await page.getByText('Show as a table').first().click();
    const monthsIn = async (name: string) =>
      (await page.getByRole('region', { name, exact: true }).getByRole('rowheader').allInnerTexts()).map(
        (text) => new Date(`${text.trim()} 1 UTC`).toISOString().slice(0, 7),
      );
    assert.deepEqual(await monthsIn('Table: Prices by month'), months.toReversed());
    const forecast = await monthsIn('Table: Forecast of prices');
    assert.ok(forecast.length >= 24 && forecast[0] > months[months.length - 1], forecast.join(' '));
    assert.deepEqual(forecast, forecast.toSorted());
    open().assertClean();
    await page.context().close();
  });

  test('the page opens with prices, and what rents lack is said before the rents', async () => {
    const page = await open().openSignedIn();
    await openWithoutYear(page);
    const lacking = page.getByText(/^Too few listings of studios/);
    const top = async (shown: Locator) => (await shown.boundingBox())?.y ?? assert.fail('not shown');
    const [prices, notice, rents] = [
      await top(page.getByRole('heading', { name: 'Prices', exact: true })),
      await top(lacking),
      await top(page.getByRole('heading', { name: 'Rents', exact: true })),
    ];
    assert.ok(prices < notice && notice < rents, `${prices} ${notice} ${rents}`);
    open().assertClean();
    await page.context().close();
  });

  test('the line of median prices breaks in a year without sales', async () => {
    const page = await open().openSignedIn();
    await openWithoutYear(page);
    const plot = page.getByRole('img', { name: /^Median price by month.*The line breaks/ });
    const paths = await plot
      .locator('path')
      .evaluateAll((all) => all.map((path) => path.getAttribute('d') ?? ''));
    const [line] = paths.toSorted((a, b) => b.length - a.length);
    assert.ok(line.split('M').length - 1 >= 2, `one unbroken line: ${line}`);
    open().assertClean();
    await page.context().close();
  });

  test('trends as of a day before the first model offer its day, and name the market', async () => {
    const page = await open().openSignedIn();
    await page.goto(`${TRENDS}&date=1990-01-01`);
    await page.getByText(/^Sample County has no property model/).waitFor();
    await page.getByRole('button', { name: /^Show as of / }).click();
    await page.getByRole('heading', { name: 'Prices', exact: true }).waitFor();
    await page.context().close();
  });
}
