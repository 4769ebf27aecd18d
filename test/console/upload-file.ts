import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

/** Uploads a file on the batches page. */
export async function chooseFile(page: Page, name: string, text: string): Promise<void> {
  if (!page.url().endsWith('/console/batches/new')) await page.goto('/console/batches/new');
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
}

/** The text of the file that a link downloads. */
export async function downloaded(page: Page, link: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: link }).click(),
  ]);
  return readFile(await download.path(), 'utf8');
}

const BAD_AND_GOOD = 'address,beds,baths\n1 Main St,3,2\n2 Main St,abc,2\n3 Main St,3,x\n';

/** Uploads a file with two invalid rows and waits until the valid one can be sent. */
export async function chooseBadFile(page: Page): Promise<void> {
  await chooseFile(page, 'portfolio.csv', BAD_AND_GOOD);
  await page.getByLabel('Leave these 2 rows out, and send the other 1').check();
  await page.getByRole('button', { name: 'Value 1 row' }).waitFor();
}

/** Different content each time: a file that was sent before is not sent again. */
const knownAndUnknown = (): string =>
  `address,lat,lon,beds,baths,note\n"1 Nowhere Road, Nowhere",,,3,2,${randomUUID()}\n,42.0005,-101.6,3,2,\n`;

/** Values a file in which one row fails. */
export async function sendFile(page: Page): Promise<void> {
  await chooseFile(page, 'two-loans.csv', knownAndUnknown());
  await page.getByRole('button', { name: 'Value 2 rows' }).click();
  await page.getByText('1 of 2 rows valued, 1 failed.').waitFor();
}

/** Homes of the sample county. */
export const STREETS = [
  '237 W Walnut St',
  '210 W Willow St',
  '195 E Chapel St',
  '177 S 6th Ave',
  '258 W Willow St',
  '239 E Main St',
  '394 W Chapel St',
  '112 S 5th Ave',
];

/** Values a file of addresses with loans twice, so that the page compares both runs. */
export async function sendPortfolio(page: Page): Promise<void> {
  const lines = STREETS.map(
    (street, at) => `loan ${at + 1},"${street}, Plumb Falls",${150_000 + 40_000 * at}`,
  );
  await chooseFile(page, 'loans.csv', `loan,address,balance,${randomUUID()}\n${lines.join(',\n')},\n`);
  await page.getByRole('button', { name: /^Value \d rows$/ }).click();
  await page.getByRole('button', { name: 'Value again …' }).click();
  await page.getByRole('button', { name: 'Value again', exact: true }).click();
  await page.getByText('0 values changed').waitFor();
}

/** Watches the homes of a valued file, and values them now. */
export async function watchFile(page: Page): Promise<void> {
  await sendPortfolio(page);
  await page.getByRole('button', { name: 'Watch these homes …' }).click();
  await page.getByLabel('Alert about new sales within, miles').fill('0.25');
  await page.getByRole('dialog').getByRole('button', { name: 'Watch', exact: true }).click();
  await page.getByRole('heading', { name: 'loans', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Value now …' }).click();
  await page.getByRole('button', { name: 'Value now', exact: true }).click();
  await page.getByRole('region', { name: 'Runs' }).getByText('complete').waitFor();
  await page.getByText('is being valued and compared').waitFor({ state: 'detached' });
}

/** Opens the job of `sendFile` and its failure. */
export async function openJob(page: Page): Promise<void> {
  const jobs = page.getByRole('region', { name: 'Jobs, newest first' });
  await jobs.getByRole('row').filter({ hasText: '1 valued, 1 failed' }).getByRole('link').first().click();
  await page.getByRole('tab', { name: /^Failures/ }).click();
  await page.getByText('address_not_found').waitFor();
}
