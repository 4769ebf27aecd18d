import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { formatDay } from '../../src/domain/day.ts';
import { AS_OF, county } from '../service-fixture.ts';
import { DESKTOP, mapDrawn, PHONE, settled, type OpenConsole } from './open-console.ts';
import { ADDRESS, addressOf, dollars, house, valueOn } from './shown-home.ts';

/** Makes a change and waits for its value, which the page requests a moment later. */
async function valuedAfter(page: Page, change: () => Promise<void>): Promise<void> {
  const valued = page.waitForResponse((response) => response.url().endsWith('/avm/property'));
  await change();
  await valued;
  await settled(page);
}

/** Each row of the adjustment grid as displayed: price, adjustments, adjusted price. */
async function gridRows(page: Page): Promise<number[][]> {
  return page
    .locator('.grid tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('[data-amount]')].map((cell) => Number(cell.getAttribute('data-amount'))),
      ),
    );
}

/** Checks that in each row the price plus the adjustments equals the adjusted price. */
async function rowsThatAddUp(page: Page, cells: number | null = null): Promise<number[][]> {
  if (cells !== null)
    await page
      .locator('.grid tbody tr')
      .first()
      .locator('[data-amount]')
      .nth(cells - 1)
      .waitFor({ state: 'attached' });
  const rows = await gridRows(page);
  assert.ok(rows.length > 0);
  for (const row of rows) {
    assert.equal(
      row.slice(0, -1).reduce((sum, amount) => sum + amount, 0),
      row.at(-1),
    );
  }
  return rows;
}

/** How much wider the grid is than its frame, in pixels. */
function widthToScroll(page: Page): Promise<number> {
  return page.locator('.grid-scroll').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
}

export function testValue(underTest: () => OpenConsole): void {
  test('a home is valued by its address, its comparables add up to the dollar, and entering details changes the value', async () => {
    const page = await underTest().openSignedIn();
    const bodies: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/avm/property')) bodies.push(request.postDataJSON().property_fields);
    });
    await page.goto('/console/value');
    await page.getByLabel('Address or coordinates').fill(ADDRESS);
    await page.getByLabel('Address or coordinates').press('Enter');
    await page.locator('#point-value').waitFor();
    const before = await valueOn(page);
    assert.deepEqual(bodies, [{}]);
    assert.equal(
      await page.title(),
      `${await page.locator('h1').innerText()}: ${dollars(before)} · Plumbline`,
    );
    await page.locator('.property-facts').getByText(`Parcel ${house.parcelId}`).waitFor();
    const few = await rowsThatAddUp(page);
    assert.equal(await widthToScroll(page), 0);
    const shared = page.getByText(/^Smaller \(\d+\): the sum of /);
    const [, names = ''] = (await shared.innerText()).split(' of ');
    assert.ok(await page.getByRole('button', { name: `Smaller (${names.split(', ').length})` }).isVisible());
    await page.getByRole('button', { name: /^Show all \d+ adjustments$/ }).click();
    assert.equal(await shared.count(), 0);
    const all = await rowsThatAddUp(page);
    assert.ok(all[0].length > few[0].length);
    await page.getByRole('button', { name: 'Show the largest adjustments' }).click();
    await page.setViewportSize(PHONE);
    assert.deepEqual(await rowsThatAddUp(page, all[0].length), all, 'cards list all adjustments');
    await page.setViewportSize(DESKTOP);
    const area = page.locator('[data-field=living_area]');
    const recorded = await area.locator('input[type=number]').inputValue();
    assert.equal(Number(recorded), house.attributes.livingAreaSqft, 'filled in from the record');
    await valuedAfter(page, () => area.locator('input[type=number]').fill('3000'));
    await page.locator('.value-change').waitFor();
    await area.getByText('edited').waitFor();
    assert.ok((await valueOn(page)) > before);
    assert.deepEqual(bodies.at(-1), { living_area: 3000 }, 'only what was changed is sent');
    // The record's own value is no change.
    await valuedAfter(page, () => area.locator('input[type=number]').fill(recorded));
    await area.getByText('edited').waitFor({ state: 'detached' });
    assert.deepEqual(bodies.at(-1), {});
    assert.equal(await valueOn(page), before);
    await valuedAfter(page, () => area.locator('input[type=number]').fill('3000'));
    await area.getByText('edited').waitFor();
    assert.match(page.url(), /living_area=3000/);
    // The page's address holds the whole request: a reload shows the same value.
    const moved = await valueOn(page);
    await page.reload();
    await page.locator('#point-value').waitFor();
    assert.equal(await valueOn(page), moved);
    // The correction is still a change of the value by the record.
    await area.getByText('edited').waitFor();
    const split = await page.locator('.split').innerText();
    assert.ok(split.startsWith(`${dollars(before)} before the changes`), split);
    assert.ok(split.includes('(Corrected details)') && split.endsWith(dollars(moved)), split);
    await page.getByRole('button', { name: 'Replay this valuation' }).click();
    await page.getByText('Reproduced exactly.').waitFor();
    underTest().assertClean();
    await page.context().close();
  });

  test('a price on the map opens its card and marks its row, and a row marks its price', async () => {
    const page = await underTest().openSignedIn();
    await page.goto(`/console/value?latitude=${house.lat}&longitude=${house.lon}`);
    await page.locator('.map-marker.comparable').first().waitFor();
    const row = page.locator('tr[data-comp]').nth(1);
    const id = await row.getAttribute('data-comp');
    const marker = page.locator(`.map-marker[data-id="${id}"]`);
    await row.hover();
    await page.locator(`.map-marker.highlighted[data-id="${id}"]`).waitFor();
    assert.match(await marker.innerText(), /^\$[\d.]+[KM]?$/);
    await page.evaluate(() => window.scrollTo(0, 0));
    await marker.dispatchEvent('click');
    await page.locator('.map-card').getByText('Adjusted').waitFor();
    await page.locator(`tr.selected[data-comp="${id}"]`).waitFor();
    assert.equal(await page.evaluate(() => window.scrollY), 0, 'the map stays in the window');
    await page.getByRole('button', { name: 'Show in the table' }).click();
    await page.waitForFunction(() => window.scrollY > 0);
    // The head of a column sorts its rows.
    const prices = async () => (await gridRows(page)).map(([price]) => price);
    await page.getByRole('columnheader', { name: 'Sale price' }).getByRole('button').click();
    const sorted = await prices();
    assert.deepEqual(
      sorted,
      sorted.toSorted((a, b) => b - a),
    );
    underTest().assertClean();
    await page.context().close();
  });

  test('the map shows the home and all comparables, also when it moves to them while its frame shrinks', async () => {
    const page = await underTest().openSignedIn({ reducedMotion: 'no-preference' });
    // The map is drawn at full width before the value arrives and takes half of it.
    await page.route('**/avm/property', async (route) => {
      await page.waitForTimeout(1000);
      await mapDrawn(page);
      await route.continue();
    });
    await page.goto('/console/value');
    await page.getByLabel('Address or coordinates').fill(house.parcelId);
    await page.getByRole('option', { name: `Parcel ${house.parcelId}` }).click();
    await page.locator('.map-marker.comparable').first().waitFor();
    // Longer than a move of the map.
    await page.waitForTimeout(1500);
    const outside = await page.locator('.map-frame').evaluate((frame) => {
      const { left, right } = frame.getBoundingClientRect();
      const boxes = [...frame.querySelectorAll('.map-marker')].map((each) => each.getBoundingClientRect());
      return boxes.filter((box) => box.left < left || box.right > right).length;
    });
    assert.equal(outside, 0);
    underTest().assertClean();
    await page.context().close();
  });

  test('a click on the map values the home there, and unknown details show their effect', async () => {
    const page = await underTest().openSignedIn();
    await page.goto(`/console/value?address=${encodeURIComponent(ADDRESS)}`);
    await page.locator('#point-value').waitFor();
    await mapDrawn(page);
    // The tip of the subject's marker is where the home is, whatever the size and the zoom of the map are.
    const marker = await page.locator('.map-marker.subject').boundingBox();
    assert.ok(marker);
    await page.mouse.click(marker.x + marker.width / 2, marker.y + marker.height);
    await page.waitForURL(/latitude=.*longitude=/);
    await page.locator('#point-value').waitFor();
    // No parcel is this far north, so no record has the details.
    const north = Math.max(...county.parcels.map(({ lat }) => lat)) + 0.004;
    await page.goto(
      `/console/value?latitude=${north}&longitude=${house.lon}&total_bedrooms=3&total_bathrooms=2`,
    );
    await page.getByRole('heading', { name: 'Missing details that matter most' }).waitFor();
    await page.locator('.cost').first().waitFor();
    underTest().assertClean();
    await page.context().close();
  });

  test('the comparables of a building fit without scrolling', async () => {
    const page = await underTest().openSignedIn();
    const { lat, lon } = house;
    const details = 'total_units=6&bedrooms=10&bathrooms=6';
    await page.goto(`/console/value?kind=building&latitude=${lat}&longitude=${lon}&${details}`);
    await page.locator('.grid-scroll').waitFor();
    assert.equal(await widthToScroll(page), 0);
    await page.context().close();
  });

  test('all adjustments of the comparables of a home fit a window of 1,280 pixels without scrolling', async () => {
    const page = await underTest().openSignedIn({ viewport: { width: 1280, height: 900 } });
    await page.goto(`/console/value?latitude=${house.lat}&longitude=${house.lon}`);
    await page.getByRole('button', { name: /^Show all \d+ adjustments$/ }).click();
    await rowsThatAddUp(page);
    assert.equal(await widthToScroll(page), 0);
    await page.getByRole('button', { name: 'Show the largest adjustments' }).click();
    assert.equal(await widthToScroll(page), 0);
    await page.context().close();
  });

  test('an impossible fact stays in its field with what is allowed, and does not change the value', async () => {
    const page = await underTest().openSignedIn();
    await page.goto(`/console/value?latitude=${house.lat}&longitude=${house.lon}`);
    const before = await valueOn(page);
    const area = page.locator('[data-field="living_area"]');
    await area.locator('input[type=number]').fill('0');
    await page.keyboard.press('Tab');
    await area.getByText(/^Enter a whole number from 1 to 2,000,000\./).waitFor();
    assert.equal(await area.locator('input[type=number]').inputValue(), '0');
    assert.equal(await valueOn(page), before);
    await area.getByRole('button', { name: 'Undo' }).click();
    assert.notEqual(await area.locator('input[type=number]').inputValue(), '0');
    await page.context().close();
  });

  test('the value history of a home ends with its value, and can be saved with the forecast', async () => {
    const page = await underTest().openSignedIn();
    const { lat, lon } = house;
    await page.goto(`/console/value?latitude=${lat}&longitude=${lon}`);
    await page.locator('#point-value').waitFor();
    await settled(page);
    await page.getByRole('button', { name: 'Show value history' }).click();
    const plot = page.locator('.plot').filter({ hasText: 'Value by month with 90% prediction ranges' });
    await plot.getByText('Show as a table').click();
    const now = plot.getByRole('row').filter({ hasText: 'As-of value' }).first();
    assert.equal(
      await now.getByRole('cell').first().innerText(),
      await page.locator('#point-value').innerText(),
    );
    const rowsOf = (table: string) => plot.getByRole('table', { name: table }).locator('tbody tr').count();
    assert.equal(await rowsOf('Later months'), 24);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n');
    assert.match(lines[0], /^date,value,lower_80,/);
    assert.equal(lines.length, 1 + (await rowsOf('Value by month')) + 24);
    underTest().assertClean();
    await page.context().close();
  });

  test('one click values a rent on all dates of the scale, and moving to a date shows its value', async () => {
    const page = await underTest().openSignedIn();
    const { lat, lon } = house;
    await page.goto(`/console/value?kind=rent&latitude=${lat}&longitude=${lon}`);
    await page.locator('#point-value').waitFor();
    const scale = page.getByLabel(/^As of/);
    const days = Number(await scale.getAttribute('max')) + 1;
    const playing = page.getByRole('button', { name: 'Show value history' });
    await playing.click();
    const over = page.locator('.plot').filter({ hasText: 'Value history with 90% prediction ranges' });
    await over.getByText('Show as a table').click();
    await over.getByRole('row').nth(days).waitFor();
    assert.equal(await over.getByRole('row').count(), days + 1);
    await playing.waitFor({ state: 'detached' });
    const [, first] = await over.getByRole('row').all();
    const played = await first.getByRole('cell').first().innerText();
    const date = await first.getByRole('rowheader').innerText();
    await scale.fill('0');
    await page.waitForURL(/date=/);
    await page.getByText(`Monthly rent as of ${date}`).waitFor();
    await settled(page);
    const dateInput = page.getByLabel('As-of date');
    assert.equal(await dateInput.inputValue(), new URL(page.url()).searchParams.get('date'));
    await dateInput.fill('1999-01-01');
    await page.getByText(`Enter a date from ${date} to today.`).waitFor();
    assert.equal(await page.locator('#point-value').innerText(), played);
    underTest().assertClean();
    await page.context().close();
  });

  test('a date in the future and an unknown valuation ID say what to do', async () => {
    const page = await underTest().openSignedIn();
    await page.goto(`/console/value?address=${encodeURIComponent(ADDRESS)}&date=2999-01-01`);
    await page.getByText('The as-of date must not be in the future.').waitFor();
    await page.getByRole('button', { name: 'Value as of today' }).click();
    await page.locator('#point-value').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('date'), null);
    await page.goto(`/console/value?address=${encodeURIComponent(ADDRESS)}&date=2022-13-45`);
    await page.getByText('“2022-13-45” is not a date').waitFor();
    await page.goto('/console/value?valuation=00000000-0000-7000-8000-000000000000');
    await page.getByText(/^There is no valuation /).waitFor();
    await page.getByRole('link', { name: 'value a property' }).click();
    await page.getByRole('heading', { name: 'Value', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Value', exact: true }).waitFor();
    underTest().assertClean();
    await page.context().close();
  });

  test('a large building is valued under Multifamily with one click, which keeps its address and date', async () => {
    const page = await underTest().openSignedIn();
    const building = county.parcels.find(({ type }) => type === 'multifamily');
    assert.ok(building);
    const date = formatDay(AS_OF);
    await page.goto(`/console/value?address=${encodeURIComponent(addressOf(building))}&date=${date}`);
    await page.getByRole('button', { name: 'Value under Multifamily' }).click();
    await page.waitForURL(/kind=building/);
    const { address, date: kept } = Object.fromEntries(new URL(page.url()).searchParams);
    assert.deepEqual([address, kept], [addressOf(building), date]);
    await page.getByRole('button', { name: 'Value under Multifamily' }).waitFor({ state: 'detached' });
    await settled(page);
    await page.goto(`/console/value?address=${encodeURIComponent(ADDRESS)}`);
    await page.locator('#point-value').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Value under Multifamily' }).count(), 0);
    underTest().assertClean();
    await page.context().close();
  });

  test('the comparables can be saved as a file', async () => {
    const page = await underTest().openSignedIn();
    await page.goto(`/console/value?address=${encodeURIComponent(ADDRESS)}`);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download comparables (CSV)' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n');
    const shown = await page.getByText(/^Weighted sum of all \d+$/).innerText();
    assert.equal(`Weighted sum of all ${lines.length - 1}`, shown);
    assert.match(lines[0], /^number,comp_id,.*,sale_price,.*,adjustment_living_area,.*,adjusted_price,/);
    underTest().assertClean();
    await page.context().close();
  });
}
