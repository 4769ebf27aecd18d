import type { Page } from 'playwright-core';

/** Has the page of batches read a file, as if it had been picked. */
export async function chooseFile(page: Page, name: string, text: string): Promise<void> {
  if (!page.url().endsWith('/console/batches/new')) await page.goto('/console/batches/new');
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
}

const BAD_AND_GOOD = 'address,beds,baths\n1 Main St,3,2\n2 Main St,abc,2\n3 Main St,3,\n';

/** A file with rows that cannot be sent, and what the others cost. */
export async function chooseBadFile(page: Page): Promise<void> {
  await chooseFile(page, 'portfolio.csv', BAD_AND_GOOD);
  await page.getByLabel('Leave these 2 rows out, and send the other 1').check();
  await page.getByText('30 credits').waitFor();
}
