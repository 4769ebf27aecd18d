import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { startReceiver, type Received } from '../harness/webhooks/receivers.ts';
import type { OpenConsole } from './open-console.ts';

/** Tests webhook deliveries: test events, secret rotation and redelivery. */
export function testDeliveries(open: () => OpenConsole): void {
  test('a test webhook is sent from the console, verifies with the secret shown once, and is delivered again', async () => {
    const page = await open().openSignedIn();
    const receiver = await startReceiver((_request, response) => void response.writeHead(204).end());
    try {
      const url = `http://127.0.0.1:${receiver.port}/hook`;
      await page.goto('/console/batches');
      await page.getByRole('tab', { name: 'Deliveries' }).click();
      await page.getByRole('button', { name: 'Rotate secret …' }).click();
      await page.getByRole('button', { name: 'Create secret' }).click();
      const secret = (await page.getByRole('region', { name: 'the secret' }).innerText()).trim();
      await page.getByRole('button', { name: 'I’ve saved it' }).click();

      const field = page.getByLabel('Test a receiver');
      await field.fill('http://169.254.169.254/latest/meta-data');
      await page.getByRole('button', { name: 'Send test' }).click();
      await page.locator('.wrong').waitFor();
      assert.equal(receiver.received.length, 0);

      await field.fill(url);
      await page.getByRole('button', { name: 'Send test' }).click();
      await page.getByText(`Test event sent to ${url}.`).waitFor();
      const delivery = page.getByRole('listitem').filter({ hasText: url });
      await refreshUntil(page, () => delivery.getByText('delivered', { exact: true }).isVisible());
      await delivery.getByRole('button', { name: `Redeliver to ${url}` }).click();
      await refreshUntil(page, async () => (await delivery.textContent())?.includes('2 attempts') ?? false);
      const webhook = new Webhook(secret);
      for (const { body, headers } of receiver.received) webhook.verify(body, signedHeaders(headers));
      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      assert.deepEqual(ids, [ids[0], ids[0]]);
    } finally {
      receiver.close();
    }
    open().assertClean();
    await page.context().close();
  });

  test('a receiver of decisions is added and removed in the console', async () => {
    const page = await open().openSignedIn();
    await page.goto('/console/batches');
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    const field = page.getByLabel('URL of a new receiver');
    await field.fill('http://127.0.0.1:8099/decisions');
    await page.getByLabel('Alerts of portfolios').uncheck();
    await page.getByRole('button', { name: 'Add receiver' }).click();
    const receiver = page.getByRole('listitem').filter({ hasText: '127.0.0.1:8099/decisions' });
    assert.doesNotMatch(await receiver.innerText(), /Alerts of portfolios/);
    assert.equal(await field.inputValue(), '');
    await receiver.getByRole('button', { name: 'Remove …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await receiver.waitFor({ state: 'detached' });
    open().assertClean();
    await page.context().close();
  });
}

function signedHeaders(headers: Received['headers']): Record<string, string> {
  return Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  );
}

/** Reloads the list by its button until the delivery is there. */
async function refreshUntil(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isThere()); tries++) {
    assert.ok(tries < 100, 'it was not delivered');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.waitForTimeout(200);
  }
}
