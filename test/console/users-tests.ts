import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled, signIn, type OpenConsole } from './open-console.ts';

const NEW_PASSWORD = 'it hangs as straight as a line';

/** Tests how administrators create users, and the first sign-in of a new user. */
export function testUsers(open: () => OpenConsole): void {
  test('a new user signs in with the password shown once, changes it, and is signed out when disabled', async () => {
    const { openPage, openSignedIn, assertClean } = open();
    const administrator = await openSignedIn();
    await administrator.goto('/console/users');
    await administrator.getByRole('button', { name: 'Add a user' }).click();
    await administrator.getByLabel('Name').fill('cleo@assessor.example');
    // Cancel would close the dialog before it shows the password.
    let finish = (): void => {};
    await administrator.route('**/console/api/users', async (route) => {
      if (route.request().method() === 'POST') await new Promise<void>((resolve) => (finish = resolve));
      await route.continue();
    });
    await administrator.getByRole('button', { name: 'Add user' }).click();
    await administrator.getByRole('button', { name: 'Adding …' }).waitFor();
    assert.ok(await administrator.getByRole('button', { name: 'Cancel' }).isDisabled());
    finish();
    const first = await administrator.getByRole('region', { name: 'the password' }).innerText();
    await administrator.getByRole('button', { name: 'I’ve saved it' }).click();
    const row = administrator.getByRole('row', { name: /cleo/ });
    await row.getByText('active').waitFor();

    const page = await openPage();
    await signIn(page, { name: 'cleo@assessor.example', password: first.trim() });
    await page.goto('/console/account');
    await page.getByLabel('Current password').fill(first.trim());
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('Repeat new password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed.').waitFor();

    await administrator.getByRole('button', { name: 'Set password of cleo@assessor.example' }).click();
    await administrator.getByRole('button', { name: 'Set new password' }).click();
    const second = await administrator.getByRole('region', { name: 'the password' }).innerText();
    assert.notEqual(second, first);
    await administrator.getByRole('button', { name: 'I’ve saved it' }).click();
    // Changing the password ended the session that was started with the old one.
    await page.goto('/console/usage');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await signIn(page, { name: 'cleo@assessor.example', password: second.trim() });

    await administrator.getByRole('button', { name: 'Disable cleo@assessor.example' }).click();
    await administrator
      .getByRole('dialog')
      .getByRole('button', { name: /^Disable/ })
      .click();
    await row.getByText('disabled').waitFor();
    await page.goto('/console/usage');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();

    await administrator.goto('/console/audit');
    await settled(administrator);
    for (const action of ['user created', 'user disabled', 'password']) {
      assert.ok((await administrator.getByRole('cell', { name: new RegExp(action) }).count()) > 0, action);
    }
    await administrator.getByLabel('Search').fill('DISABLED cleo@');
    await administrator
      .getByRole('cell', { name: /user created/ })
      .first()
      .waitFor({ state: 'detached' });
    await settled(administrator);
    const found = administrator.getByRole('row', { name: /user disabled.*cleo@assessor\.example/ });
    assert.deepEqual([await found.count(), await administrator.getByRole('row').count()], [1, 2]);
    await administrator.getByLabel('Search').fill('nobody at all');
    await administrator.getByText('No entry matches.').waitFor();
    assertClean();
    await Promise.all([page, administrator].map((each) => each.context().close()));
  });
}
