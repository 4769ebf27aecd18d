import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { totpCode } from '../../src/accounts/totp.ts';
import { WITH_APP } from './add-users.ts';
import { settled, signIn, type OpenConsole } from './open-console.ts';

/** The period of a code. The next one is accepted early, for clocks that differ. */
const PERIOD_MS = 30_000;

async function enterPassword(page: Page): Promise<void> {
  await page.goto('/console/');
  await page.getByLabel('Name').fill(WITH_APP.name);
  await page.getByLabel('Password').fill(WITH_APP.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Tests turning the second factor on, signing in with it, and turning it off by an administrator. */
export function testSecondFactor(open: () => OpenConsole): void {
  test('a user turns on the second factor, signs in with the app or a recovery code, and an administrator turns it off', async () => {
    const { openPage, openSignedIn, assertClean } = open();
    const page = await openPage();
    await signIn(page, WITH_APP);
    await page.goto('/console/account');
    await page.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill(WITH_APP.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const picture = dialog.getByRole('img', { name: /QR code/ });
    await picture.waitFor();
    assert.ok(await picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0));
    const secret = (await page.getByRole('region', { name: 'the secret' }).innerText()).trim();
    const startedAt = Date.now();
    await dialog.getByLabel('Code of the app').fill('000000x');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Code of the app').fill(totpCode(secret, startedAt));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const [recovery = ''] = (
      await page.getByRole('region', { name: 'the recovery codes' }).innerText()
    ).split('\n');
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    await page.getByText(/10 recovery codes are left/).waitFor();

    const phone = await openPage({ viewport: { width: 390, height: 844 } });
    await enterPassword(phone);
    await phone.getByLabel('Code of your authenticator app').fill(totpCode(secret, startedAt + PERIOD_MS));
    await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
    await settled(phone);
    await phone.goto('/console/account');
    await phone.getByText(/10 recovery codes are left/).waitFor();

    const withoutPhone = await openPage();
    await enterPassword(withoutPhone);
    await withoutPhone.getByRole('button', { name: 'Use a recovery code' }).click();
    await withoutPhone.getByLabel('Recovery code').fill(recovery);
    await withoutPhone.getByRole('button', { name: 'Sign in', exact: true }).click();
    await settled(withoutPhone);
    await withoutPhone.goto('/console/account');
    await withoutPhone.getByText(/9 recovery codes are left/).waitFor();

    const administrator = await openSignedIn();
    await administrator.goto('/console/users');
    await administrator
      .getByRole('button', { name: `Turn off the second factor of ${WITH_APP.name}` })
      .click();
    await administrator.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await administrator.getByRole('dialog').waitFor({ state: 'detached' });
    const after = await openPage();
    await signIn(after, WITH_APP);
    await settled(after);
    assertClean();
    const pages = [page, phone, withoutPhone, administrator, after];
    await Promise.all(pages.map((each) => each.context().close()));
  });
}
