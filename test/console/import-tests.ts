import { test } from 'node:test';
import { importCounty } from './import-county.ts';
import type { OpenConsole } from './open-console.ts';

/** Tests the import of a file. */
export function testImport(open: () => OpenConsole): void {
  test('a county file full of faults is corrected, loaded and trained in the console, up to a value', async () => {
    const page = await open().openSignedIn();
    await importCounty(page, 'wi-brown');
    await page.getByText('140 of 150 rows').waitFor();
    await page.getByRole('link', { name: 'Value a home of this market' }).click();
    await page.getByText('90% prediction range').first().waitFor();
    open().assertClean();
    await page.context().close();
  });
}
