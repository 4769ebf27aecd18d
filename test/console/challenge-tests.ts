import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { settled, type OpenConsole } from './open-console.ts';
import { ADDRESS, addressOf, dollars, neighbor, valueOn } from './shown-home.ts';

/** Whether the browser would ask before it reloads the page. */
function asksBeforeLeaving(page: Page): Promise<boolean> {
  return page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
}

/** Waits for the question that an action opens, and stays. */
async function stayAt(page: Page, act: () => Promise<unknown>): Promise<void> {
  const asked = page.waitForEvent('dialog').then((dialog) => dialog.dismiss());
  await Promise.all([asked, act()]);
}

export function testChallenge(underTest: () => OpenConsole): void {
  test('comparables are excluded, added and adjusted, the change is split to the dollar, and saved as a challenge', async () => {
    const page = await underTest().openSignedIn();
    await page.goto('/console/value');
    await page.getByLabel('Address or coordinates').fill(ADDRESS);
    await page.getByLabel('Address or coordinates').press('Enter');
    await page.locator('#point-value').waitFor();
    const before = await valueOn(page);
    const firstRow = page.locator('tr[data-comp]').first();
    const excluded = await firstRow.getAttribute('data-comp');
    const known = (await page.locator('tr[data-comp]').nth(3).getAttribute('data-comp')) ?? '';
    await page
      .locator('tr[data-comp]')
      .nth(1)
      .evaluate((row) => row.setAttribute('data-kept', ''));
    await page.getByRole('button', { name: 'Exclude comparable 1', exact: true }).click();
    await page.locator(`tr[data-comp="${excluded}"]`).waitFor({ state: 'detached' });
    assert.equal(await page.locator('tr[data-kept]').count(), 1, 'rows that stay are not drawn again');

    // It has no reason yet. Its date tells sales of one home apart.
    await page.getByRole('button', { name: 'Give the reasons' }).click();
    const reason = page.getByRole('textbox', { name: /^Reason for excluding .*, \$[\d,]+, \w+ \d+, \d{4}$/ });
    await page.waitForFunction(() => document.activeElement?.matches('.reason'));
    assert.equal(await reason.inputValue(), '');

    await page.locator('[data-field=total_bedrooms] input[type=number]').fill('9');
    await page.getByRole('button', { name: 'Reset the correction of Bedrooms' }).click();
    await page.locator('.changes').getByText('Corrected: ').waitFor({ state: 'detached' });
    await settled(page);
    await page.locator('.changes').getByText('Excluded: ').waitFor();

    assert.equal(await asksBeforeLeaving(page), true, 'unsaved changes');
    await stayAt(page, () => page.getByRole('link', { name: 'Usage' }).click());
    await stayAt(page, () => page.evaluate(() => window.history.back()));
    await stayAt(page, () => page.getByRole('radio', { name: 'Rent' }).click());
    assert.ok(await page.locator('.split').isVisible(), 'the user stays');
    assert.ok(await page.getByRole('radio', { name: 'Home value' }).isChecked());
    await page.getByRole('button', { name: 'Add a sale' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Address' }).fill('99999 Nowhere Rd, Elsewhere');
    await dialog.getByLabel('Price, USD').fill('450000');
    await dialog.getByLabel('Date of sale').fill('2026-01-15');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.locator('[aria-invalid="true"]').waitFor();
    assert.equal(
      await dialog.getByLabel('Price, USD').inputValue(),
      '450000',
      'the form stays open as it was until the sale is accepted',
    );
    assert.ok(await page.locator('.split').isVisible(), 'the value without the sale stays');
    assert.equal(await page.locator(`tr[data-comp="${excluded}"]`).count(), 0);

    const address = dialog.getByRole('combobox', { name: 'Address' });
    await address.fill(addressOf(neighbor));
    await dialog.getByRole('option').first().click();
    const suggested = await address.inputValue();
    assert.ok(suggested.startsWith(neighbor.address.street), 'a suggestion is chosen, and the dialog stays');
    await dialog.getByLabel('Price, USD').fill('$450,000');
    const asOf = new Date(Date.now() - 60 * 86_400_000).toISOString().slice(0, 10);
    await dialog.getByLabel('Date of sale').fill(asOf);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('added', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Edit ${suggested}` }).click();
    await dialog.getByLabel('Price, USD').fill('$455,000');
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByText('$455,000,').waitFor();

    // A sale of the market is added by its id, and then pinned.
    await page.getByRole('button', { name: 'Add a sale' }).click();
    await dialog.getByRole('radio', { name: 'By record ID' }).check();
    await dialog.getByRole('textbox', { name: 'Record ID' }).fill('no such sale');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.locator('[aria-invalid="true"]').waitFor();
    await dialog.getByRole('textbox', { name: 'Record ID' }).fill(known);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator(`tr[data-comp="${known}"]`).getByText('pinned', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Adjust comparable 2', exact: true }).click();
    await dialog.getByLabel('Market conditions, USD').fill('12345');
    await dialog.getByLabel('Reason').fill('Sold in a bidding war');
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await page.locator('td[data-amount="12345"]').first().waitFor();
    await page.locator('.changes').getByText('Pinned: ').waitFor();
    await settled(page);

    await page.getByRole('button', { name: 'Add a renovation' }).click();
    await dialog.getByLabel('What was or will be done').fill('Kitchen');
    await dialog.getByLabel('Cost, USD').fill('$20,000');
    await dialog.getByLabel('Year of completion').fill(String(new Date().getFullYear()));
    await dialog.getByLabel(/^Share of the cost/).fill('50%');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const renovated = page.getByRole('region', { name: 'Table: Renovations' });
    await renovated.getByText('+$10,000').waitFor();
    await renovated.getByRole('button', { name: 'Edit Kitchen' }).click();
    await dialog.getByLabel('Cost, USD').fill('10,000');
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await renovated.getByText('+$5,000').waitFor();
    await page.locator('[data-field=total_bedrooms] input[type=number]').fill('9');
    await page.locator('.changes').getByText('Corrected: ').waitFor();
    await page.getByText('+$5,000 (Renovations)').waitFor();
    await page.getByText('Your changes are not saved').waitFor();
    await settled(page);

    const sums =
      (await page.locator('.split').innerText()).replaceAll('−', '-').match(/[+-]?\$[\d,]+|-\$[\d,]+/g) ?? [];
    const amounts = sums.map((text) => Number(text.replaceAll(/[$,]/g, '')));
    const after = await valueOn(page);
    assert.deepEqual([amounts[0], amounts.at(-1)], [before, after]);
    assert.equal(
      amounts.slice(0, -1).reduce((sum, amount) => sum + amount, 0),
      after,
    );

    await page.getByRole('button', { name: 'Save valuation' }).click();
    await dialog.getByText(/^This saves \$[\d,]+, the value without your comparables/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Save challenge' }).click();
    await dialog.getByLabel('Note').fill('Two changes');
    const assessed = dialog.getByLabel('Assessed value that you appeal');
    await assessed.fill('half a million');
    await dialog.getByText('Enter the value in dollars, such as 310,000.').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled());
    await assessed.fill('$500,000');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const saved = page.getByRole('region', { name: 'Saved challenges' });
    await saved.getByText('Two changes').waitFor();
    await saved.getByRole('cell', { name: dollars(after) }).waitFor();
    // Now the report is that of the challenge.
    await page.getByText('Your changes are not saved').waitFor({ state: 'detached' });
    assert.equal(await asksBeforeLeaving(page), false, 'saved changes');
    const save = page.getByRole('button', { name: 'Save challenge', exact: true });
    assert.equal(await save.count(), 0, 'the same changes are not saved twice');
    await page.getByLabel('Version', { exact: true }).selectOption('appeal');
    const stored = await saved.getByRole('link', { name: 'Version 1', exact: true }).getAttribute('href');
    const reported = await page.getByRole('link', { name: 'Open web page' }).getAttribute('href');
    const id = new URL(stored ?? '', page.url()).searchParams.get('valuation') ?? 'none';
    assert.ok(reported?.includes(id));
    const why = page.getByRole('link', { name: /^Why this value/ });
    assert.ok((await why.getAttribute('href'))?.includes(`${id}/report?version=owner`));
    await page.getByRole('button', { name: 'Decide version 1' }).click();
    await dialog.getByLabel('Reason').fill('One sale is not enough');
    await dialog.getByRole('button', { name: 'Decide' }).click();
    assert.equal(await dialog.locator('input:invalid').count(), 2, 'nothing is decided without a choice');
    await dialog.getByRole('radio', { name: 'Reject' }).check();
    await dialog.getByRole('button', { name: 'Reject' }).click();
    const other = await page.context().newPage();
    await other.goto('/console/saved');
    await other.getByRole('region', { name: 'Challenges' }).getByText('No challenge waits').waitFor();
    await other.getByRole('radio', { name: 'All' }).check();
    await other.getByRole('cell', { name: /rejected by .*One sale is not enough/ }).waitFor();
    await other.close();
    await saved.getByText('rejected').waitFor();
    await saved.getByText('One sale is not enough').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Decide/ }).count(), 0, 'a decision is final');
    // Corrected details are changes, too.
    await page.getByRole('button', { name: 'Discard all changes' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.locator(`tr[data-comp="${excluded}"]`).waitFor();
    await settled(page);
    assert.equal(await valueOn(page), before);
    assert.equal(await page.locator('.attribute.entered').count(), 0);
    // The stored challenge lists what was changed.
    await saved.getByRole('link', { name: 'Version 1', exact: true }).click();
    await page.getByText('Stored value with changes').waitFor();
    await page.getByText(`The value without its changes is ${dollars(before)}.`).waitFor();
    assert.equal(await valueOn(page), after);
    await page.getByText('+$5,000 (Renovations)').waitFor();
    await page.getByText('Appealed assessment: $500,000').waitFor();
    await page.getByText('Sold in a bidding war').waitFor();
    await page.getByRole('region', { name: 'Table: Renovations' }).getByText('Kitchen').waitFor();
    // The next version begins with the same changes, and so with the same value.
    await page.getByRole('link', { name: 'Revise this challenge' }).click();
    await page.getByText('Revision of a challenge').waitFor();
    await page.getByText(`The report shows the value without your changes: ${dollars(before)}.`).waitFor();
    await page
      .locator('.changes')
      .getByText(/^Corrected: Bedrooms \d → 9$/)
      .waitFor();
    await page.getByText('Sold in a bidding war').waitFor();
    await page.getByText('+$5,000 (Renovations)').waitFor();
    await settled(page);
    assert.equal(await valueOn(page), after);
    assert.equal(await reason.inputValue(), '', 'the reason is missing still');
    await page.locator('.property-facts').getByText('9 bed (corrected)').waitFor();
    await page.getByRole('button', { name: 'Save challenge' }).click();
    assert.equal(await dialog.getByLabel('Note').inputValue(), 'Two changes');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    // The browser keeps the last version of a report that was chosen.
    await page.getByLabel('Version', { exact: true }).selectOption('owner');
    await page.reload();
    await page.getByText('Your changes are not saved').waitFor();
    assert.equal(await page.getByLabel('Version', { exact: true }).inputValue(), 'owner');
    await settled(page);
    await page.getByRole('button', { name: 'Discard all changes' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await settled(page);
    assert.equal(await valueOn(page), before);
    underTest().assertClean();
    await page.context().close();
  });
}
