import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import type { OpenConsole } from './open-console.ts';
import { chooseFile, downloaded, STREETS } from './upload-file.ts';

/** Three homes; the first has a second loan, and is spelled in another way in the last row. */
const fileOfLoans = (): string => {
  const rows = [
    [`${STREETS[0]}, Plumb Falls`, 100_000],
    [`${STREETS[1]}, Plumb Falls`, 60_000],
    [`${STREETS[0]}, Plumb Falls`, 20_000],
    [`${STREETS[2]}, Plumb Falls`, 0],
    [`${STREETS[0].replace('St', 'Street')}, Plumb Falls`, 30_000],
  ].map(([address, balance], at) => `loan ${at + 1},"${address}",${balance},3,2,\n`);
  return `loan,address,balance,beds,baths,${randomUUID()}\n${rows.join('')}`;
};

/** The figure with this label, in dollars or percent. */
async function figure(page: Page, label: string): Promise<number> {
  const text = await page
    .locator('dl.figures > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first()
    .innerText();
  return Number(text.split('\n')[0].replaceAll(/[$,%]/g, ''));
}

async function valuesOf(page: Page, table: string, column: number): Promise<number[]> {
  const rows = page.getByRole('region', { name: `Table: ${table}` }).locator('tbody tr');
  return rows.evaluateAll(
    (found, at) =>
      found.map((row) => {
        const text = row.querySelectorAll('td, th')[at]?.firstChild?.textContent;
        return Number(text?.replaceAll(/[$,]/g, ''));
      }),
    column,
  );
}

/** A column of the first three rows of the CSV file that the page offers. */
async function combinedInFile(page: Page, column: string): Promise<string[]> {
  const text = await downloaded(page, 'Download CSV');
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
  return rows.slice(0, 3).map((row) => row[column]);
}

/** Tests files and portfolios in which a home is several times. */
export function testRepeatedHomes(open: () => OpenConsole): void {
  test('a home with several loans counts its value once on the page of its file and in its portfolio', async () => {
    const page = await open().openSignedIn();
    await chooseFile(page, 'second loans.csv', fileOfLoans());
    await page.getByRole('button', { name: 'Value 5 rows' }).click();
    await page.getByText('2 rows repeat the homes of earlier rows').waitFor();
    const values = await valuesOf(page, 'Properties of the file', 3);
    assert.equal(values[0], values[2]);
    const total = values[0] + values[1] + values[3];
    assert.equal(await figure(page, 'Total value'), total);
    assert.equal(await figure(page, 'Total balance'), 210_000);

    const loans = [150_000, 60_000, 150_000].map((sum, at) => sum / values[at]);
    assert.deepEqual(await combinedInFile(page, 'combined_loan_to_value'), loans.map(String));

    await page.getByRole('button', { name: 'Watch these homes …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByText('2 entries repeat homes that the portfolio has already').waitFor();
    assert.equal(await figure(page, 'Total value'), total);
    assert.equal(await figure(page, 'Loan balance'), 210_000);
    const ltvPct = (100 * 210_000) / (values[0] + values[1]);
    assert.equal(await figure(page, 'Loan to value'), Math.round(10 * ltvPct) / 10);
    assert.deepEqual(
      await combinedInFile(page, 'combined_ltv_pct'),
      loans.map((ratio) => String(Math.round(1000 * ratio) / 10)),
    );
    open().assertClean();
    await page.context().close();
  });

  test('rows that repeat a home are left out with one click, and second loans are kept', async () => {
    const page = await open().openSignedIn();
    const repeated = `loan 1,"${STREETS[0]}, Plumb Falls",100000,3,2,\n`;
    await chooseFile(page, 'repeated loans.csv', `${fileOfLoans()}${repeated}`);
    const choice = page.getByLabel('Leave the row out that repeats a home, and send the other 5');
    await choice.waitFor();
    await page.getByText('2 rows with another loan balance: they are probably second loans').waitFor();
    await page.getByRole('button', { name: 'Value 6 rows' }).waitFor();
    await choice.check();
    await page.getByRole('button', { name: 'Value 5 rows' }).click();
    await page.getByText('5 of 5 rows valued.').waitFor();
    await page.getByText('6 rows in the file, 1 left out').waitFor();
    open().assertClean();
    await page.context().close();
  });
}
