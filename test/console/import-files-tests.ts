import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { readMilwaukee } from '../harness/load/milwaukee-files.ts';
import type { OpenConsole } from './open-console.ts';

interface GivenFile {
  readonly name: string;
  readonly text: string;
}

async function chooseFiles(page: Page, files: readonly GivenFile[]): Promise<void> {
  await page
    .locator('input[type=file]')
    .setInputFiles(
      files.map(({ name, text }) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })),
    );
}

/** Each file is loaded by a process of its own, and the last one trains. A busy machine takes minutes. */
const LOADED = { timeout: 600_000 } as const;

/** The row of an uploaded file. Other rows can name the file too. */
function rowOf(page: Page, name: string) {
  const link = page.getByRole('link', { name: `Open ${name}`, exact: true });
  return page.getByRole('listitem').filter({ has: link });
}

/** Drops files together, as from the desktop. */
async function dropFiles(page: Page, files: readonly GivenFile[]): Promise<void> {
  const dropped = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, text } of given) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.locator('.drop-zone').dispatchEvent('drop', { dataTransfer: dropped });
}

const namesInOrder = async (page: Page): Promise<string[]> =>
  page.locator('.import-file strong a').allInnerTexts();

/** Tests the import of several files. */
export function testImportOfFiles(open: () => OpenConsole): void {
  const milwaukee = readMilwaukee();
  test(
    'sales, parcels and addresses of Milwaukee that are dropped together are loaded in order with one click',
    { skip: 'missing' in milwaukee && milwaukee.missing },
    async () => {
      if ('missing' in milwaukee) return;
      const { sales, parcels, addresses } = milwaukee;
      const page = await open().openSignedIn();
      await page.goto('/console/import');
      await dropFiles(page, [sales, parcels, addresses]);
      for (const { name } of [sales, parcels, addresses])
        await rowOf(page, name).getByText('ready', { exact: true }).waitFor();
      assert.deepEqual(await namesInOrder(page), [addresses.name, parcels.name, sales.name]);
      await rowOf(page, sales.name).getByText(`placed by ${addresses.name} and ${parcels.name}`).waitFor();

      // A decision about a file is kept after a reload.
      await page.getByRole('link', { name: `Open ${parcels.name}` }).click();
      await page.getByLabel('What “BEDROOMS” is').selectOption('');
      await page.waitForResponse((response) => response.url().endsWith('/inspect'));
      await page.reload();
      assert.equal(await page.getByLabel('What “BEDROOMS” is').inputValue(), '');
      await page.getByRole('link', { name: 'Back to all files' }).click();

      await page.getByLabel('Name of the new market').fill('WI Milwaukee');
      await page.getByRole('button', { name: 'Load 3 files' }).click();
      await page.getByRole('heading', { name: 'Loading 3 files into Milwaukee, WI' }).waitFor();
      // A file that is being loaded is not inspected.
      const inspections: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/inspect')) inspections.push(request.url());
      });
      await page.reload();
      await page.getByRole('heading', { name: '3 files are loaded into Milwaukee, WI' }).waitFor(LOADED);
      assert.deepEqual(inspections, []);
      await page.getByRole('heading', { name: /^The market (is|was not) trained$/ }).waitFor();
      await page.getByRole('link', { name: `Open ${sales.name}` }).click();
      await page.getByRole('heading', { name: `${sales.name} is loaded` }).waitFor();
      open().assertClean();
      await page.context().close();
    },
  );

  test('a file that fails stops the sales that it places, and after its correction the rest is loaded', async () => {
    const page = await open().openSignedIn();
    await page.goto('/console/import');
    const street = (at: number): string => `${100 + at} Oak St`;
    const lines = Array.from({ length: 40 }, (_, at) => at);
    const header = 'address,sale_date,sale_price,property_type,bedrooms,bathrooms,living_area';
    const sale = (at: number): string =>
      `${street(at)},2024-03-${10 + (at % 9)},${250 + at}000,condo,3,2,${1500 + at}`;
    const sales = { name: 'sales.csv', text: [header, ...lines.map(sale)].join('\n') };
    const points = lines.map((at) => `${street(at)},44.5${10 + at},-88.01`);
    const known = { name: 'addresses.csv', text: ['address,latitude,longitude', ...points].join('\n') };
    const few = { name: 'few.csv', text: ['address,latitude,longitude', ...points.slice(0, 10)].join('\n') };
    const placedSale = (at: number): string => `${sale(at).replace('Oak', 'Elm')},44.5${10 + at},-88.02`;
    const placed = {
      name: 'placed.csv',
      text: [`${header},latitude,longitude`, ...lines.map(placedSale)].join('\n'),
    };
    await chooseFiles(page, [sales, placed, few]);
    for (const { name } of [sales, placed, few])
      await rowOf(page, name).getByText('ready', { exact: true }).waitFor();
    await page.getByLabel('Name of the new market').fill('WI Brown Oak');
    await page.getByLabel('Train the market afterwards').uncheck();
    // Each file waits for all before it, also for one of the same kind that does not place it.
    const waits: number[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/load')) waits.push(request.postDataJSON().after.length);
    });
    await page.getByRole('button', { name: 'Load 3 files' }).click();

    // Too few sales have an address: nothing of their file is loaded, and the addresses stay.
    await rowOf(page, 'sales.csv').getByText('not loaded', { exact: true }).waitFor(LOADED);
    for (const { name } of [few, placed])
      await rowOf(page, name).getByText('loaded', { exact: true }).waitFor(LOADED);
    assert.deepEqual(waits, [0, 1, 2]);
    await page.getByText('sales.csv was not loaded.').waitFor();
    await rowOf(page, 'sales.csv').getByText('Decide about the invalid rows.').waitFor();

    // The missing addresses are added, and then all is loaded.
    await page.getByText('Add files for this market').click();
    await chooseFiles(page, [known]);
    await rowOf(page, 'sales.csv').getByText('placed by addresses.csv').waitFor();
    await page.getByRole('button', { name: 'Load 2 files' }).click();
    await page.getByRole('heading', { name: '4 files are loaded into Brown Oak, WI' }).waitFor(LOADED);
    await rowOf(page, 'sales.csv').getByText('40 of 40 rows').waitFor();
    await page.getByRole('button', { name: 'Train the market' }).waitFor();
    open().assertClean();
    await page.context().close();
  });

  test('of several files, one that cannot be uploaded is named with its error, and the others go on', async () => {
    const page = await open().openSignedIn();
    await page.goto('/console/import');
    await dropFiles(page, [
      { name: 'empty.csv', text: '' },
      { name: 'good.csv', text: 'address,latitude,longitude\n9 Elm St,44.51,-88.01\n' },
    ]);
    const uploads = page.getByRole('listitem');
    await uploads.filter({ hasText: 'empty.csv' }).getByText('The file is empty.').waitFor();
    await uploads.filter({ hasText: 'good.csv' }).getByText('uploaded').waitFor();
    await page.getByRole('button', { name: 'Continue with 1 file' }).click();
    await page.getByLabel('What each row is').waitFor();
    await page.getByText('1 of 1 row will be loaded.').waitFor();
    open().assertClean();
    await page.context().close();
  });
}
