import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { county } from '../service-fixture.ts';

/** A small house, so that a larger living area is within the range of the training sales. */
export const house =
  county.parcels.find(
    ({ type, attributes }) => type === 'houses' && (attributes.livingAreaSqft ?? Infinity) < 1600,
  ) ?? county.parcels[0];
export const neighbor =
  county.parcels.find((parcel) => parcel.type === 'houses' && parcel !== house) ?? house;
export const addressOf = ({ address }: typeof house): string => `${address.street}, ${address.city}`;
export const ADDRESS = addressOf(house);

/** The dollars that a text on the page shows. */
export async function valueOn(page: Page): Promise<number> {
  const text = await page.locator('#point-value').innerText();
  assert.match(text, /^\$[\d,]+$/);
  return Number(text.replaceAll(/[$,]/g, ''));
}

export function dollars(value: number): string {
  return `$${value.toLocaleString('en-US')}`;
}
