import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countyFile } from '../harness/load/county-file.ts';
import { importCounty } from './import-county.ts';
import type { OpenConsole } from './open-console.ts';

/** Tests the import of a file. */
export function testImport(open: () => OpenConsole): void {
  test('a county file full of faults is corrected, loaded and trained in the console, up to a value', async () => {
    const page = await open().openSignedIn();
    await importCounty(page, 'wi-brown');
    await page.getByText('140 of 150 rows', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Value a home of this market' }).click();
    await page.getByText('90% prediction range').first().waitFor();
    open().assertClean();
    await page.context().close();
  });

  test('of several files that are dropped where one is valued, none is read without notice', async () => {
    const page = await open().openSignedIn();
    await page.goto('/console/batches/new');
    const zone = page.locator('.drop-zone');
    const files = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      for (const year of [2021, 2022]) transfer.items.add(new File(['price\n1\n'], `${year}.csv`));
      return transfer;
    });
    await zone.dispatchEvent('drop', { dataTransfer: files });
    await page.getByText('2 files were dropped. Choose one at a time.').waitFor();
    assert.equal(new URL(page.url()).pathname, '/console/batches/new');
    open().assertClean();
    await page.context().close();
  });

  test('columns chosen one right after the other are all kept, and so are the other features', async () => {
    const page = await open().openSignedIn();
    const file = { name: 'brown-county.csv', mimeType: 'text/csv', buffer: countyFile(150) };
    await page.goto('/console/import');
    await page.locator('input[type=file]').setInputFiles(file);
    const readAs = (name: string) => page.getByLabel(`What “${name}” is`);
    const choices = [
      ['YR_BLT', 'lot_size'],
      ['Fin_Area_SqFt', 'year_built'],
      ['Bdrm_Cnt', 'garage_spaces'],
    ];
    const keepsAll = page.getByLabel('Keep all columns that may be features of homes');
    const inspection = (): Promise<unknown> =>
      page.waitForResponse((response) => response.url().endsWith('/inspect'));
    for (const [name, column] of choices) await readAs(name).selectOption(column);
    await inspection();
    for (const [name, column] of choices) assert.equal(await readAs(name).inputValue(), column, name);
    assert.ok(await keepsAll.isChecked());
    await readAs('Roof').selectOption('');
    await inspection();
    assert.equal(await readAs('Roof').inputValue(), '');
    assert.ok(!(await keepsAll.isChecked()));
    open().assertClean();
    await page.context().close();
  });
}
