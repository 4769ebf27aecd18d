import assert from 'node:assert/strict';
import { test } from 'node:test';
import { county } from '../service-fixture.ts';
import { settled, type OpenConsole } from './open-console.ts';
import { house } from './shown-home.ts';

/** How a home is found by what is typed into the address field. */
export function testSearch(underTest: () => OpenConsole): void {
  test('a whole parcel number is found without choosing its suggestion', async () => {
    const page = await underTest().openSignedIn();
    await page.goto('/console/value');
    const address = page.getByLabel('Address or coordinates');
    await address.fill(house.parcelId);
    await address.press('Enter');
    await page.locator('.property-facts').getByText(`Parcel ${house.parcelId}`).waitFor();
    underTest().assertClean();
    await page.context().close();
  });

  test('an address of several units lists them, and each is a link to its own value', async () => {
    const page = await underTest().openSignedIn();
    const sold = county.sales.find(({ parcel }) => / #/.test(parcel.address.street));
    assert.ok(sold);
    const { street, city } = sold.parcel.address;
    const [line] = street.split(' #');
    await page.goto(`/console/value?address=${encodeURIComponent(`${line}, ${city}`)}`);
    const list = page.getByRole('region', { name: 'Table: Units at this address' });
    const own = county.parcels.filter(({ address }) => address.street.startsWith(`${line} #`));
    await list.getByRole('link').first().waitFor();
    assert.equal(await list.getByRole('link').count(), Math.min(12, own.length));
    if (own.length > 12) await page.getByRole('button', { name: /^Show all \d+ units$/ }).click();
    await list
      .getByRole('cell', { name: /^\$[\d,]+, / })
      .first()
      .waitFor();
    await list.getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: `${line} #` }).waitFor();
    await page.locator('#point-value').waitFor();
    assert.equal(await list.count(), 0);
    await page.context().close();
  });

  test('an ambiguous address links to each match, even if they are written alike', async () => {
    const page = await underTest().openSignedIn();
    const text = '1 Twice St, Plumb Falls';
    const candidates = county.parcels
      .slice(0, 2)
      .map(({ lat, lon }) => ({ formatted_address: text, latitude: lat, longitude: lon }));
    // The browser does not always report the body of a request, so the test says when the address is requested.
    let isAddressRequested = true;
    await page.route(/\/console\/api\/(described-home|flood-zone|avm\/property)/, async (route) => {
      if (!isAddressRequested) return route.continue();
      return route.fulfill({
        status: 404,
        contentType: 'application/problem+json',
        json: {
          code: 'address_not_found',
          detail: `The address "${text}" matches several places; add the direction, city or ZIP.`,
          candidates,
        },
      });
    });
    for (const path of ['value', 'place']) {
      isAddressRequested = true;
      await page.goto(`/console/${path}?address=${encodeURIComponent(text)}`);
      await page.getByText('Did you mean one of these addresses?').waitFor();
      const choices = page.getByRole('list', { name: 'Possible matches' });
      assert.equal(await choices.getByRole('button').count(), 2);
      isAddressRequested = false;
      await choices.getByRole('listitem').filter({ hasText: 'of the first' }).getByRole('button').click();
      await page.waitForURL(/latitude=/);
      assert.equal(new URL(page.url()).searchParams.get('latitude'), String(candidates[1].latitude));
      await choices.waitFor({ state: 'detached' });
      await settled(page);
    }
    // A request that is still routed when the page closes would be an error of no test.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    underTest().assertClean();
    await page.context().close();
  });

  test('an unknown address links to similar ones', async () => {
    const page = await underTest().openSignedIn();
    await page.goto(`/console/value?address=${encodeURIComponent('99999 Nowhere Rd, Elsewhere')}`);
    await page.getByText('Address not found').waitFor();
    underTest().assertClean();
    await page.context().close();
  });
}
