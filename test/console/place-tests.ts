import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { county } from '../service-fixture.ts';
import { mapDrawn, settled, type OpenConsole } from './open-console.ts';

const house = county.parcels.find(({ type }) => type === 'houses') ?? county.parcels[0];
const extent = {
  south: Math.min(...county.parcels.map(({ lat }) => lat)),
  north: Math.max(...county.parcels.map(({ lat }) => lat)),
  west: Math.min(...county.parcels.map(({ lon }) => lon)),
  east: Math.max(...county.parcels.map(({ lon }) => lon)),
};

/** The picked coordinates in the page's address. */
function pickedOn(page: Page): { readonly lat: number; readonly lon: number } {
  const { searchParams } = new URL(page.url());
  return { lat: Number(searchParams.get('latitude')), lon: Number(searchParams.get('longitude')) };
}

function isAbout(value: number, expected: number, within: number): boolean {
  return Math.abs(value - expected) <= within;
}

/** How many colors the middle of the map has. A blank map has one. */
async function colorsOf(page: Page, box: { x: number; y: number; width: number; height: number }) {
  const { x, y, width, height } = box;
  const clip = { x: x + width / 4, y: y + height / 4, width: width / 2, height: height / 2 };
  const png = (await page.screenshot({ clip })).toString('base64');
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const drawing = new OffscreenCanvas(image.width, image.height).getContext('2d');
    drawing?.drawImage(image, 0, 0);
    const pixels = drawing?.getImageData(0, 0, image.width, image.height).data;
    return new Set(new Uint32Array(pixels?.buffer ?? new ArrayBuffer(0))).size;
  }, png);
}

export function testPlace(underTest: () => OpenConsole): void {
  test('the map draws the loaded data, and a click, or the keyboard at the map center, picks the exact coordinates', async () => {
    const page = await underTest().openSignedIn();
    const tileBytes: number[] = [];
    page.on('response', (response) => {
      // Only the length: a response body cannot be read after its page is left.
      if (response.url().includes('/console/api/map/') && response.status() === 200)
        tileBytes.push(Number(response.headers()['content-length']));
    });
    await page.goto('/console/place');
    const canvas = page.locator('.map-frame canvas');
    await canvas.waitFor();
    await mapDrawn(page);
    const box = await canvas.boundingBox();
    assert.ok(box);
    assert.ok((await colorsOf(page, box)) > 1, 'the map is blank');
    // The map starts centered on all loaded data. The click is east of the center, at the middle latitude.
    await canvas.click({ position: { x: box.width * 0.6, y: box.height / 2 } });
    await page.getByRole('heading', { name: 'Flood', exact: true }).waitFor();
    const middle = { lat: (extent.south + extent.north) / 2, lon: (extent.west + extent.east) / 2 };
    const tall = extent.north - extent.south;
    const clicked = pickedOn(page);
    assert.ok(isAbout(clicked.lat, middle.lat, tall / 20), `${clicked.lat} for ${middle.lat}`);
    assert.ok(
      clicked.lon > middle.lon && clicked.lon < extent.east + tall,
      `${clicked.lon} east of ${middle.lon}`,
    );
    assert.ok(
      tileBytes.some((bytes) => bytes > 0),
      'all tiles are empty',
    );

    await page.goto('/console/place');
    await canvas.waitFor();
    await mapDrawn(page);
    await canvas.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Flood', exact: true }).waitFor();
    const taken = pickedOn(page);
    assert.ok(isAbout(taken.lat, middle.lat, tall / 20) && isAbout(taken.lon, middle.lon, tall / 10));
    underTest().assertClean();
    await page.context().close();
  });

  test('an area of a map layer is identified by keyboard, and a click outside of all areas says so', async () => {
    const page = await underTest().openSignedIn();
    const { lat, lon } = house;
    // The county of the tests has no layers.
    const [south, north, west, east] = [lat - 0.001, lat + 0.001, lon - 0.001, lon + 0.001];
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    const area = { id: 'AE', label: 'Zone AE', class_index: 0, outline: [[ring]] };
    await page.route(/\/console\/api\/place-layer/, async (route) =>
      route.fulfill({ json: { classes: ['High risk'], areas: [area] } }),
    );
    await page.goto(`/console/place?latitude=${lat}&longitude=${lon}`);
    await page.getByLabel('Map layer').selectOption('flood');
    await page.getByText('Within three miles.', { exact: true }).waitFor();
    await page.getByText('Map of the location and flood zones.').waitFor();
    const card = page.locator('.map-card');
    // The map draws the area a moment after the page has it.
    while (!(await card.getByText('Zone AE').isVisible())) {
      await page.locator('.map-frame canvas').focus();
      await page.keyboard.press('Enter');
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await card.getByRole('button', { name: 'Look up this place' }).waitFor();
    // The area ends 300 feet from the center of the map.
    await page.locator('.map-frame canvas').click({ position: { x: 20, y: 100 } });
    await card.getByText('This layer has no area here.').waitFor();
    await card.getByRole('button', { name: 'Look up this place' }).click();
    await card.waitFor({ state: 'detached' });
    assert.ok(pickedOn(page).lon < west, `${pickedOn(page).lon} is not west of ${west}`);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    underTest().assertClean();
    await page.context().close();
  });

  test('an address is completed while typing and selected by keyboard, and missing data says how to load it', async () => {
    const page = await underTest().openSignedIn();
    await page.goto('/console/place');
    const field = page.getByRole('combobox', { name: 'Address or coordinates' });
    const { street } = house.address;
    await field.fill(street.slice(0, -4));
    await page.getByRole('option').first().waitFor();
    await field.press('ArrowDown');
    const chosen = await page.getByRole('option', { selected: true }).innerText();
    assert.ok(chosen.toUpperCase().startsWith(street.slice(0, -4).toUpperCase()), chosen);
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Crime', exact: true }).waitFor();
    await settled(page);
    assert.equal(await field.inputValue(), chosen);
    assert.ok((await page.getByText('This does not mean “no risk”').count()) > 0);
    await field.fill(street.replace(/^\d+/, '99999').slice(0, -4));
    await page.getByText('No loaded address has the number 99999. The nearest are listed.').waitFor();
    await field.fill('77 zzyzx road');
    await page.getByText('No loaded address starts like this.').waitFor();
    underTest().assertClean();
    await page.context().close();
  });
}
