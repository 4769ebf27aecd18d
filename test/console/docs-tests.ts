import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenConsole } from './open-console.ts';

/** Tests the script of the documentation pages, which run under the same rules as the console. */
export function testDocs(open: () => OpenConsole): void {
  test('a request of the documentation is sent as changed, with the key, and its response is shown', async () => {
    const page = await open().openPage();
    await page.goto('/docs');
    const health = page.locator('#readHealth');
    await health.getByRole('button', { name: 'Try it' }).click();
    assert.equal(await health.getByLabel('API key').count(), 0);
    await health.getByRole('button', { name: 'Send' }).click();
    await health.getByText('200 OK, 0 credits charged').waitFor();

    const value = page.locator('#valueProperty');
    await value.getByRole('button', { name: 'Try it' }).click();
    await value.getByLabel('API key').fill('plb_live_wrong');
    await value.getByLabel('Body').fill('{"location": {}}');
    const sending = page.waitForRequest('**/v1/avm/property');
    await value.getByRole('button', { name: 'What it costs' }).click();
    const headers = await (await sending).allHeaders();
    assert.deepEqual([headers['x-api-key'], headers['x-dry-run']], ['plb_live_wrong', 'true']);
    await value.getByText(/^401 .*, 0 credits charged$/).waitFor();
    await page.context().close();
    open().assertClean();
  });

  test('every block of code in the documentation has a copy button, keys go to the search, and the search works without the script', async () => {
    const page = await open().openPage();
    await page.goto('/docs/guides/reports');
    await page.getByRole('button', { name: 'Copy' }).first().waitFor();
    const copies = await page.getByRole('button', { name: 'Copy' }).count();
    assert.equal(copies, await page.locator('pre').count());
    for (const key of ['/', 'Control+k']) {
      await page.getByRole('heading').first().click();
      await page.keyboard.press(key);
      await page.keyboard.type('map layers');
      assert.equal(await page.getByRole('searchbox').inputValue(), 'map layers', key);
    }
    await page.context().close();
    const plain = await open().openPage({ javaScriptEnabled: false });
    await plain.goto('/docs');
    await plain.getByRole('searchbox').fill('share link');
    await plain.getByRole('searchbox').press('Enter');
    await plain.getByRole('link', { name: 'Print a report: Share a report' }).click();
    await plain.waitForURL(/\/docs\/guides\/reports#share-a-report$/);
    await plain.context().close();
    open().assertClean();
  });
}
