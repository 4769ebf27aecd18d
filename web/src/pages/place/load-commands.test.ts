import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlaceInfo } from '../../api/places.ts';
import { censusCommands, crimeCommand, fireCommand, floodCommand, loadNames } from './load-commands.ts';

const HERE: PlaceInfo = {
  formatted_address: null,
  street_address: null,
  city: 'Milwaukee',
  state: 'Wisconsin',
  state_code: 'WI',
  county: 'Milwaukee County',
  postal_code: null,
  latitude: 43.05,
  longitude: -87.95,
  geohash8: null,
  match_level: 'point',
};
const MARKETS = [
  { id: 'wi-milwaukee', extent: { west: -88.1, south: 42.9, east: -87.8, north: 43.2 } },
  { id: 'wi-all', extent: { west: -93, south: 42, east: -86, north: 47 } },
];

test('load commands contain the market, state, county and city of the location', () => {
  const names = loadNames(MARKETS, HERE);
  const commands = [
    censusCommands(names, '55079'),
    crimeCommand(names),
    floodCommand(names),
    fireCommand(names),
  ];
  for (const command of commands) assert.match(command, /--market wi-milwaukee\b/);
  assert.match(commands[0], /cb_2020_55_bg.*--state 55 --county 079/s);
  assert.match(commands[1], /--agency "Milwaukee Police Department"/);
  assert.match(commands[3], /BP_WI\.tif/);
  assert.equal(loadNames(MARKETS, { ...HERE, latitude: 46 }).market, 'wi-all');
});

test('unknown arguments of load commands are placeholders in capitals', () => {
  const names = loadNames(MARKETS, { ...HERE, latitude: 30, city: null, state_code: null });
  assert.deepEqual(names, { market: 'MARKET', state: 'STATE', agency: 'NAME OF THE AGENCY' });
  assert.match(censusCommands(names, null), /--state STATE --county COUNTY/);
});
