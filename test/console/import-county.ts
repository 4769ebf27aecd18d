import type { Page } from 'playwright-core';
import { countyFile } from '../harness/load/county-file.ts';

/** The steps from a county file full of faults to a loaded market. `onStep` is called when each is shown. */
export async function importCounty(
  page: Page,
  market: string,
  onStep: (step: string) => Promise<void> = async () => {},
): Promise<void> {
  await page.goto('/console/import');
  await onStep('file');
  const file = { name: 'brown-county.csv', mimeType: 'text/csv', buffer: countyFile(150) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('windows-1252, separated by semicolons').waitFor();
  await onStep('checks');
  await page.getByLabel('Load these rows without the ids').check();
  await page.getByLabel('Leave these rows out').check();
  await page.getByLabel('What “Remarks” is').selectOption('feature of the market');
  await page.getByLabel('Name of the new market').fill(market);
  await onStep('ready');
  await page.getByRole('button', { name: /^Load \d+ sales$/ }).click();
  await page.getByRole('heading', { name: /^Loading brown-county\.csv/ }).waitFor();
  await onStep('loading');
  await page.getByRole('heading', { name: 'The market is trained' }).waitFor();
  await onStep('loaded');
}
