import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { OpenConsole } from './open-console.ts';
import { chooseFile, STREETS } from './upload-file.ts';

/** Values a file of these loans, of $100,000 and more. */
async function valueLoans(page: Page, name: string, loans: readonly number[]): Promise<void> {
  const rows = loans.map((loan) => `loan ${loan},"${STREETS[loan]}, Plumb Falls",${loan}00000,3,2,\n`);
  await chooseFile(page, name, `loan,address,balance,beds,baths,${randomUUID()}\n${rows.join('')}`);
  await page.getByRole('button', { name: `Value ${loans.length} rows` }).click();
  await page.getByText(`${loans.length} of ${loans.length} rows valued.`).waitFor();
  await page.getByRole('button', { name: 'Watch these homes …' }).click();
}

/** Tests which homes of a portfolio are listed, and that they are removed. */
export function testPortfolios(open: () => OpenConsole): void {
  test('homes of a portfolio are filtered by the URL, and removed alone or because this month’s file has them no longer', async () => {
    const page = await open().openSignedIn();
    await valueLoans(page, 'branch.csv', [1, 2, 3, 4, 5]);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByRole('heading', { name: 'branch', exact: true }).waitFor();
    const rows = page.getByRole('region', { name: 'Table: Homes' }).locator('tbody tr');
    const listed = async (loans: readonly number[]): Promise<void> => {
      await page
        .getByRole('link', { name: `loan ${loans.at(-1)}`, exact: true })
        .last()
        .waitFor();
      const count = loans.length;
      await page.waitForFunction(
        (wanted) => document.querySelectorAll('[aria-label="Table: Homes"] tbody tr').length === wanted,
        count,
      );
      const names = await rows.locator('th a').allInnerTexts();
      assert.deepEqual(
        names,
        loans.map((loan) => `loan ${loan}`),
      );
    };
    await listed([1, 2, 3, 4, 5]);
    await page.getByLabel('Value', { exact: true }).selectOption('without a value');
    await page.getByText('No home matches.').waitFor();
    assert.match(page.url(), /\?value=without$/);
    const portfolio = page.url().split('?')[0];
    await page.goto(`${portfolio}?value=with&ltv=0&fsd=0.1`);
    await page.getByLabel('LTV', { exact: true }).selectOption('above 0%');
    await listed([1, 2, 3, 4, 5]);

    await page.getByLabel('Select loan 5').check();
    await page.getByRole('button', { name: 'Remove 1 home …' }).click();
    await dialog.getByText('loan 5', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await listed([1, 2, 3, 4]);
    assert.match(await page.locator('dl.figures').first().innerText(), /Homes\s+4/);

    await valueLoans(page, 'next month.csv', [2, 3]);
    await dialog.getByLabel('Portfolio').selectOption({ label: 'branch: replace its loan balances' });
    await page.getByRole('button', { name: 'Replace balances' }).click();
    await page.getByText('2 homes of the portfolio are not in the file').waitFor();
    await dialog.getByRole('button', { name: 'Remove homes that are not in the file …' }).click();
    await dialog.getByText('loan 1, loan 4').waitFor();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('2 homes removed from the portfolio.').waitFor();
    await dialog.getByRole('link', { name: 'Open the portfolio' }).click();
    await listed([2, 3]);
    await page.goto('/console/audit');
    await page.getByText('properties: 2 · property ids: loan 1, loan 4').waitFor();
    open().assertClean();
    await page.context().close();
  });
}
