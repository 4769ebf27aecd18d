import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { OpenConsole } from './open-console.ts';
import { chooseFile, sendFile } from './upload-file.ts';

/** The session, and what is left this month, as of an account whose plan has 50 credits left. */
async function limitCredits(page: Page): Promise<void> {
  const replace = (url: string, members: object): Promise<unknown> =>
    page.route(url, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...members } });
    });
  await replace('**/console/api/session', { prices: { property_valuation: 30, comparable: 1 } });
  await replace('**/console/api/usage', { credits_limit: 100, credits_remaining: 50 });
}

/** The text of the open dialog, once its button can be used. Closes it. */
async function dialogText(page: Page, opening: string, action: string): Promise<string> {
  await page.getByRole('button', { name: opening }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('button:enabled', { hasText: action }).last().waitFor();
  const text = await dialog.innerText();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  return text;
}

/** The dialogs of a sent file that may name a cost. */
async function dialogsOfFile(page: Page): Promise<string[]> {
  return [
    await dialogText(page, 'Value again …', 'Value again'),
    await dialogText(page, 'Retry 1 failed …', 'Retry'),
    await dialogText(page, 'Watch these homes …', 'Watch'),
  ];
}

const COST = /credit|charge|\bcosts?\b/i;

/** Tests of what batches say about their cost. */
export function testBatchCosts(open: () => OpenConsole): void {
  test('an account without a limit of credits reads nothing about costs when it checks, sends, retries or repeats a file', async () => {
    const page = await open().openSignedIn();
    await chooseFile(page, 'twice.csv', 'lat,lon,beds,baths\n42.0005,-101.6,3,2\n42.0005,-101.6,3,2\n');
    await page.getByRole('button', { name: 'Value 2 rows' }).waitFor();
    await page.getByText('Each row is valued.').waitFor();
    assert.doesNotMatch(await page.locator('main').innerText(), COST);
    await page.goto('/console');
    await sendFile(page);
    assert.doesNotMatch(await page.locator('main').innerText(), COST);
    const [rerun, ...others] = await dialogsOfFile(page);
    assert.match(rerun, /1 row would have no value: address not found \(1\)\./);
    for (const text of [rerun, ...others]) assert.doesNotMatch(text, COST);
    open().assertClean();
    await page.context().close();
  });

  test('an account with a limit of credits reads what a file, a retry and a new run may cost, and cannot send more than is left', async () => {
    const page = await open().openSignedIn();
    await limitCredits(page);
    await chooseFile(page, 'three.csv', 'lat,lon,beds,baths\n42.0005,-101.6,3,2\n42.0006,-101.6,3,2\n');
    await page.getByText('60 credits').waitFor();
    await page.getByText('50 credits').waitFor();
    await page.getByText('Not enough credits.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Value 2 rows' }).isDisabled(), true);
    await page.unroute('**/console/api/usage');
    await page.goto('/console');
    await sendFile(page);
    const [rerun, retry, watch] = await dialogsOfFile(page);
    assert.match(rerun, /Maximum cost: 60 credits\. Failed properties cost nothing\./);
    assert.match(retry, /Maximum cost: 30 credits\. Failed properties cost nothing\./);
    assert.match(watch, /each later run is charged/);
    await page.context().close();
  });
}
