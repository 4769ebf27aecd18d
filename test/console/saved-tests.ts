import assert from 'node:assert/strict';
import { test } from 'node:test';
import { county } from '../service-fixture.ts';
import type { OpenConsole } from './open-console.ts';

const [{ address }] = county.parcels.filter(({ type }) => type === 'houses');

export function testSaved(underTest: () => OpenConsole): void {
  test('the preparer of reports is kept, also what was typed just before the page was left', async () => {
    const page = await underTest().openSignedIn();
    const path = `/console/value?address=${encodeURIComponent(`${address.street}, ${address.city}`)}`;
    await page.goto(path);
    await page.getByText('Prepared by and for').click();
    const whenKept = () =>
      page.waitForResponse(
        (response) => response.url().endsWith('/report-preparer') && response.request().method() === 'POST',
      );
    const isNameKept = whenKept();
    await page.getByLabel('Prepared by').fill('Ada Example, SRA');
    await isNameKept;
    const isLicenseKept = whenKept();
    await page.getByLabel('License number').fill('R-4711');
    await page.getByRole('link', { name: 'Portfolios', exact: true }).click();
    await isLicenseKept;
    await page.goto(path);
    await page.getByText('Prepared by and for: Ada Example, SRA').click();
    assert.equal(await page.getByLabel('License number').inputValue(), 'R-4711');
    underTest().assertClean();
    await page.context().close();
  });

  test('a valuation is saved with tags and a note, and found in the list and by the search box', async () => {
    const page = await underTest().openSignedIn();
    await page.goto(`/console/value?address=${encodeURIComponent(`${address.street}, ${address.city}`)}`);
    await page.locator('#point-value').waitFor();
    const value = await page.locator('#point-value').innerText();
    await page.getByRole('button', { name: 'Save valuation', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Estate of Plumb');
    await dialog.getByLabel('Tags').fill('estate, 2026');
    await dialog.getByLabel('Note').fill('For the notary');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'See all' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Estate of Plumb' });
    await row.getByRole('cell', { name: value }).waitFor();
    await row.getByRole('button', { name: 'Show only estate' }).click();
    await page.waitForURL(/tag=estate/);
    await page.getByLabel('Search', { exact: true }).fill('nothing like it');
    await page.getByText('No saved valuation matches.').waitFor();
    const box = page.getByRole('combobox', { name: /^Find/ });
    await box.fill('notary');
    await page.getByRole('option', { name: 'Estate of Plumb' }).click();
    await page.waitForURL(/find=Estate/);
    await row.getByRole('button', { name: /^Remove/ }).click();
    await page.getByText('No saved valuation matches.').waitFor();
    underTest().assertClean();
    await page.context().close();
  });
}
