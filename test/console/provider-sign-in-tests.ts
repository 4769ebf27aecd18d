import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { WITH_PROVIDER } from './add-users.ts';
import { PHONE, settled, type OpenConsole } from './open-console.ts';

/** Signs in at the page of the provider. */
async function signInThere(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Acme login' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Tests signing in by the identity provider, which is another site. */
export function testProviderSignIn(open: () => OpenConsole): void {
  test('a user signs in by the provider and returns to the page, a stranger gets a reason, and an administrator unlinks', async () => {
    const { openPage, openSignedIn, assertClean } = open();
    const stranger = await openPage({ viewport: PHONE });
    await stranger.goto('/console/usage');
    await signInThere(stranger, 'eve@elsewhere.example');
    await stranger
      .getByRole('alert')
      .getByText('No user here has the email address that Acme login confirmed.')
      .waitFor();
    await stranger.getByLabel('Password').waitFor();

    const page = await openPage();
    await page.goto('/console/usage?period=2026-01');
    await signInThere(page, WITH_PROVIDER.name);
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'attached' });
    await settled(page);
    assert.match(page.url(), /\/console\/usage\?period=2026-01$/);
    // The session lasts beyond the visit from the other site.
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'attached' });

    const administrator = await openSignedIn();
    await administrator.goto('/console/users');
    const { name } = WITH_PROVIDER;
    await administrator
      .getByRole('row', { name: new RegExp(name) })
      .getByText('or provider, since')
      .waitFor();
    await administrator.getByRole('button', { name: `Unlink ${name} from the sign-in provider` }).click();
    await administrator.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await administrator.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByLabel('Password').waitFor();
    assertClean();
    await Promise.all([stranger, page, administrator].map((each) => each.context().close()));
  });
}
