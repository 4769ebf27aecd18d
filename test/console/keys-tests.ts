import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MEMBER } from './add-users.ts';
import { settled, type OpenConsole } from './open-console.ts';

/** How long authentication results are cached (src/accounts/authenticate.ts), plus one second. */
const REVOKED_WITHIN_MS = 11_000;

/**
 * Tests creating and revoking keys in the console. Returns the test of the delayed effect, so that other
 * tests can run meanwhile.
 */
export function testKeys(open: () => OpenConsole): () => void {
  let ask = async (): Promise<number> => 0;
  let revokedAt = 0;
  test('a key created in the console works and is shown once', async () => {
    const { url, openSignedIn, assertClean } = open();
    const page = await openSignedIn();
    await page.goto('/console/keys');
    await settled(page);
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill('browser test');
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
    const key = await page.getByRole('region', { name: 'the key' }).innerText();
    // Browsers close a dialog on the second Escape even if the page cancels the first.
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('region', { name: 'the key' }).innerText(), key);
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    const row = page.getByRole('row', { name: /browser test/ });
    await row.waitFor();
    assert.ok(!(await page.content()).includes(key), 'the key is shown only once');

    ask = async () => (await fetch(`${url}/v1/coverage`, { headers: { 'x-api-key': key } })).status;
    assert.equal(await ask(), 200);
    // The list was loaded before the key was used, so the dialog loads it again.
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(/Last used:/).waitFor();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await row.waitFor({ state: 'detached' });
    revokedAt = Date.now();
    await page.context().close();
    assertClean();
  });

  test('a rotated key is rejected after its overlap, and the new key has the same permissions', async () => {
    const { url, openSignedIn, assertClean } = open();
    const page = await openSignedIn();
    await page.goto('/console/keys');
    await page.getByRole('button', { name: 'Rotate nightly valuations' }).click();
    await page.getByLabel('The old key works for').selectOption('7');
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const key = await page.getByRole('region', { name: 'the key' }).innerText();
    const response = await fetch(`${url}/v1/coverage`, { headers: { 'x-api-key': key.trim() } });
    assert.equal(response.status, 200);
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    const states = page.getByRole('row', { name: /nightly valuations/ });
    await states.getByText('expires soon').waitFor();
    assert.equal(await states.count(), 2);
    await page.context().close();
    assertClean();
  });

  test('after signing in users get the page they opened, and members see no pages of administrators', async () => {
    const { openPage, assertClean } = open();
    const page = await openPage();
    await page.goto('/console/usage');
    await page.getByLabel('Name').fill(MEMBER.name);
    await page.getByLabel('Password').fill('something else entirely');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(MEMBER.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    const links = await page.getByRole('navigation').getByRole('link').allInnerTexts();
    assert.deepEqual(
      links.filter((label) => ['API keys', 'Users', 'Accounts', 'Audit'].includes(label)),
      [],
    );
    await page.goto('/console/keys');
    await page.getByText('This page is for administrators of your account.').waitFor();
    // The pages of operators have other addresses below those of everyone.
    for (const path of ['import', 'markets/demo/sales']) {
      await page.goto(`/console/${path}`);
      await page.getByText('This page is for operators of this installation').waitFor();
    }
    await page.goto('/console/nothing');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.context().close();
    assertClean();
  });

  return () =>
    test('a key revoked in the console is rejected within 10 s', async () => {
      assert.ok(revokedAt > 0);
      while ((await ask()) !== 401 && Date.now() < revokedAt + REVOKED_WITHIN_MS) await sleep(250);
      assert.equal(await ask(), 401);
    });
}
