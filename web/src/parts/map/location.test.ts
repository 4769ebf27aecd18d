import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLocation, parseLocation, locationText, writeLocation, type Place } from './location.ts';

test('a location is read from the URL as it was written', () => {
  const places: Place[] = [{ address: '1 Main St & 2nd #4, Ö' }, { latitude: 43.05, longitude: -87.9 }];
  for (const where of places) {
    assert.deepEqual(readLocation(Object.fromEntries(new URLSearchParams(writeLocation(where)))), where);
  }
  // Of a URL written by hand, or by another program.
  assert.deepEqual(readLocation({ address: '43.05, -87.9' }), places[1]);
  const nowhere: Readonly<Record<string, string>>[] = [
    {},
    { address: ' ' },
    { latitude: '43' },
    { latitude: '91', longitude: '0' },
    { latitude: 'a', longitude: '1' },
  ];
  for (const none of nowhere) {
    assert.equal(readLocation(none), null);
  }
});

test('coordinates can be typed, and house numbers are not coordinates', () => {
  assert.deepEqual(parseLocation(' 43.05, -87.9 '), { latitude: 43.05, longitude: -87.9 });
  assert.deepEqual(parseLocation('43.05 -87.9'), { latitude: 43.05, longitude: -87.9 });
  assert.deepEqual(parseLocation('12 14'), { address: '12 14' });
  assert.deepEqual(parseLocation('95.5, 10'), { address: '95.5, 10' });
  assert.equal(parseLocation('  '), null);
  assert.equal(locationText({ latitude: 43.05, longitude: -87.9 }), '43.05000, -87.90000');
});
