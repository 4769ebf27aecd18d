import { directionsOf, streetLineKeyOf } from '../domain/address-key.ts';
import { addressReadings, type ParsedAddress } from '../domain/address-parts.ts';
import { addressWords } from '../domain/address-text.ts';
import { editDistance } from '../domain/edit-distance.ts';
import { houseNumberOf } from '../domain/house-number.ts';
import { streetNameOf } from '../domain/street-line.ts';
import { directionOf, isNearlyStreetType } from '../domain/street-words.ts';
import {
  findAddressPoints,
  numbersOfStreet,
  findStreetNamesByPrefix,
  streetNamesOfNumber,
  type AddressPointQuery,
  type AddressPointRow,
} from '../store/address-points.ts';
import { displayOf } from './display-address.ts';
import { compareTrust, findTrusted, type AddressSources } from './known-place.ts';
import type { AddressCandidate } from './located.ts';
import { createPlaceCache, publishedAddress, type AddressFinding } from './match-address.ts';
import { isOtherState } from './score-address.ts';

const MAX_CANDIDATES = 10;
const MAX_OF_A_KIND = 5;
const MAX_LOOKED_AT = 10;

/** House numbers farther away are not suggested. Another direction counts as half of this. */
const FARTHEST_NUMBER = 2000;
const OTHER_DIRECTION = 1000;

/** Numbers of the street to read: enough even if other towns have a street of that name. */
const MAX_NUMBERS = 40;
const MAX_NAMES = 10;

/**
 * Addresses that the caller may have meant, best first: the same number and street name elsewhere, the nearest
 * numbers in the same street, the same number in a street with a similar name.
 */
export async function suggestAddresses(
  sources: AddressSources,
  { request, best, all }: AddressFinding,
): Promise<AddressCandidate[]> {
  const rows = (best.length > 0 ? best : all).map(({ row }) => row);
  if (best.length === 0 && request.streetName !== '' && request.number !== '') {
    rows.splice(MAX_OF_A_KIND);
    rows.push(...(await nearestNumbers(sources, request)), ...(await similarNames(sources, request)));
  }
  const shown = await showRows(sources, request, rows, MAX_CANDIDATES);
  return shown.map(({ row, formattedAddress }) => ({
    formattedAddress,
    latitude: row.lat,
    longitude: row.lon,
  }));
}

async function nearestNumbers(sources: AddressSources, request: ParsedAddress): Promise<AddressPointRow[]> {
  const wanted = Number(request.number);
  if (Number.isNaN(wanted)) return [];
  const distanceTo = (number: string): number => Math.abs(Number(number) - wanted);
  const known = await numbersOfStreet(sources.store, sources.rowsIds, request.streetName);
  const number = known
    .filter((other) => other !== request.number && distanceTo(other) < FARTHEST_NUMBER)
    .sort((a, b) => distanceTo(a) - distanceTo(b))
    .slice(0, MAX_NUMBERS);
  const costOf = ({ key }: AddressPointRow): number =>
    distanceTo(key.number) + (directionsOf(request) === directionsOf(key) ? 0 : OTHER_DIRECTION);
  return cheapestBuildings(sources, request, { streetName: request.streetName, number }, costOf);
}

async function similarNames(sources: AddressSources, request: ParsedAddress): Promise<AddressPointRow[]> {
  const { streetName: typed } = request;
  const most = typed.length < 6 ? 1 : 2;
  // A misspelled street type ("75TH STT") is read as a part of the name.
  const costOf = (name: string): number =>
    typed.startsWith(name) && isNearlyStreetType(typed.slice(name.length))
      ? 1
      : editDistance(typed, name, most);
  const streetName = (await streetNamesOfNumber(sources.store, sources.rowsIds, request.number))
    .filter((name) => name !== typed && costOf(name) <= most)
    .sort((a, b) => costOf(a) - costOf(b))
    .slice(0, MAX_NAMES);
  const wanted = { number: request.number, streetName };
  return cheapestBuildings(sources, request, wanted, ({ key }) => costOf(key.streetName));
}

/** Buildings, not units, at the least cost. None is in another state or city than requested, as far as rows show. */
async function cheapestBuildings(
  sources: AddressSources,
  request: ParsedAddress,
  wanted: AddressPointQuery,
  costOf: (row: AddressPointRow) => number,
): Promise<AddressPointRow[]> {
  const differs = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b;
  const rows = await findTrusted(sources, wanted);
  return rows
    .filter(({ key }) => key.unit === '' && !differs(request.stateCode, key.stateCode))
    .filter(({ key }) => !differs(request.city, key.city))
    .map((row) => ({ row, cost: costOf(row) }))
    .filter(({ cost }) => cost < FARTHEST_NUMBER)
    .sort((a, b) => a.cost - b.cost)
    .slice(0, MAX_OF_A_KIND)
    .map(({ row }) => row);
}

/** Rows as a caller sees them: each address point once, with its city, and none in another state. */
async function showRows(
  sources: AddressSources,
  request: ParsedAddress,
  rows: readonly AddressPointRow[],
  most: number,
): Promise<{ row: AddressPointRow; formattedAddress: string }[]> {
  const shown: { row: AddressPointRow; formattedAddress: string }[] = [];
  const placeOf = createPlaceCache(sources, MAX_LOOKED_AT);
  for (const row of distinctPoints(rows, ({ key }) => streetLineKeyOf(key)).slice(0, MAX_LOOKED_AT)) {
    if (shown.length === most) break;
    const place = await placeOf(row);
    if (isOtherState(request, place)) continue;
    shown.push({ row, formattedAddress: displayOf(publishedAddress({ row, place })).formatted });
  }
  return shown;
}

/** The first row for each key and point: points of the same name within about a kilometer are one. */
function distinctPoints(
  rows: readonly AddressPointRow[],
  keyOf: (row: AddressPointRow) => string,
): AddressPointRow[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const point = `${keyOf(row)} ${row.lat.toFixed(2)} ${row.lon.toFixed(2)}`;
    return seen.has(point) ? false : seen.add(point);
  });
}

/** Readings of a text that are tried, most likely first. */
type Readings = readonly [ParsedAddress, ...ParsedAddress[]];

/** With fewer letters too many street names match, unless a house with the typed number exists. */
const LEAST_LETTERS = 3;
/** From this length on, one letter may be wrong. */
const TYPO_LETTERS = 4;
/** Streets that have the number; few names continue the typed text. */
const MAX_STREETS = 25;
/** Streets without the number, represented by the houses nearest to it: each costs a scan of its numbers. */
const MAX_STREETS_WITHOUT = 4;
const NEAREST_NUMBERS = 8;
/** More than any house number. */
const FARTHEST_ORDER = 1e9;
/** Beginnings of street names that are looked up. Each costs reads of the database. */
const MAX_BEGINNINGS = 8;

/**
 * Addresses that complete the typed text, best first: the house number as written, a street whose name starts
 * with the text (one letter may be wrong), and direction, type and city as far as they are typed. If no house
 * has the number, those whose number begins with it, then the nearest ones. Without a typed unit, one row per building.
 */
export async function completeAddress(sources: AddressSources, text: string, most: number) {
  const readings = readingsOf(text);
  const [first] = readings;
  const rows = (await findRows(sources, readings))
    .map((row) => ({ row, rank: rankOf(readings, row) }))
    .sort((a, b) => compareRanks(a.rank, b.rank) || compareTrust(sources, a.row, b.row))
    .map(({ row }) => row);
  const isWithUnits = first.unit !== '';
  const shown = isWithUnits ? rows : distinctPoints(rows, ({ key }) => streetLineKeyOf({ ...key, unit: '' }));
  // A building with several house numbers has a row for each, all with the same text: "3224-3226 N HUMBOLDT BL".
  const distinct = distinctPoints(shown, ({ address, key }) => `${address.street} ${key.unit}`);
  return showRows(sources, first, distinct, most);
}

/** The text as a whole address, and with an unfinished last word: in "130 N LA", LA may not mean "lane". */
function readingsOf(text: string): Readings {
  const [first, ...others] = addressReadings(text).map(withoutOrdinalLetter);
  const [line = []] = addressWords(text);
  const words = line.slice(houseNumberOf(line).words);
  const [front = ''] = words;
  const unread = [
    { preDirection: '', begun: words },
    { preDirection: directionOf(front) ?? '', begun: directionOf(front) === null ? [] : words.slice(1) },
  ].flatMap(({ preDirection, begun }) =>
    [streetNameOf(begun), begun.join('').replaceAll('-', '')].map((streetName) =>
      withoutOrdinalLetter({ ...first, preDirection, streetName, streetType: '', postDirection: '' }),
    ),
  );
  return [first, ...others, ...unread];
}

/** "27T" is the start of "27TH", which is stored as "27". */
function withoutOrdinalLetter(reading: ParsedAddress): ParsedAddress {
  return { ...reading, streetName: reading.streetName.replace(/^(\d+)(S|N|R|T)$/, '$1') };
}

async function findRows(sources: AddressSources, readings: Readings): Promise<AddressPointRow[]> {
  const { store, rowsIds } = sources;
  const [{ number }] = readings;
  const beginnings = beginningsOf(readings);
  if (number !== '') {
    const names = matchingNames(beginnings, await streetNamesOfNumber(store, rowsIds, number));
    if (names.length > 0) {
      return findAddressPoints(store, rowsIds, { number, streetName: names.slice(0, MAX_STREETS) });
    }
  }
  const long = beginnings.filter((name) => name.length >= LEAST_LETTERS || /^\d/.test(name));
  const lists = await Promise.all(long.map((name) => findStreetNamesByPrefix(store, rowsIds, name)));
  const rows: AddressPointRow[] = [];
  // A number that continues the typed one is nearer than any other: it may be unfinished.
  const distanceTo = (other: string): number =>
    Math.abs(orderOf(other) - orderOf(number)) + (other.startsWith(number) ? 0 : FARTHEST_ORDER);
  for (const streetName of matchingNames(long, lists.flat()).slice(0, MAX_STREETS_WITHOUT)) {
    const known = await numbersOfStreet(store, rowsIds, streetName);
    const near = known.toSorted((a, b) => distanceTo(a) - distanceTo(b)).slice(0, NEAREST_NUMBERS);
    rows.push(...(await findAddressPoints(store, rowsIds, { number: near, streetName })));
  }
  return rows;
}

/** The street names of the likeliest readings, and of the last ones: those of an unfinished word. */
function beginningsOf(readings: Readings): string[] {
  const names = readings.map(({ streetName }) => streetName).filter((name) => name !== '');
  const distinct = [...new Set(names)];
  if (distinct.length <= MAX_BEGINNINGS) return distinct;
  return [...distinct.slice(0, MAX_BEGINNINGS - 4), ...distinct.slice(-4)];
}

/** The names that start with one of the readings, the closest in length first; otherwise names that nearly do. */
function matchingNames(beginnings: readonly string[], names: readonly string[]): string[] {
  const restOf = (name: string): number =>
    name.length -
    Math.max(-1, ...beginnings.filter((one) => name.startsWith(one)).map(({ length }) => length));
  const known = [...new Set(names)];
  const begun = known.filter((name) => restOf(name) <= name.length);
  const found = begun.length > 0 ? begun : known.filter((name) => isNearly(beginnings[0] ?? '', name));
  return found.sort((a, b) => restOf(a) - restOf(b) || (a < b ? -1 : 1));
}

/** Whether the name starts with the text except for one letter. */
function isNearly(beginning: string, name: string): boolean {
  if (beginning.length < TYPO_LETTERS) return false;
  return [-1, 0, 1].some((more) => editDistance(beginning, name.slice(0, beginning.length + more), 1) <= 1);
}

/** A numeric house number. Text without a number is the start of a street name. */
function orderOf(number: string): number {
  return Number(/\d{1,9}/.exec(number)?.[0] ?? 0);
}

type Rank = readonly (number | string)[];

/** Compared member by member; smaller is better. */
function rankOf(readings: Readings, { key }: AddressPointRow): Rank {
  const request = readings.find(({ streetName }) => key.streetName.startsWith(streetName)) ?? readings[0];
  const differsFrom = (wanted: string, given: string): number =>
    Number(wanted !== '' && given !== '' && !given.startsWith(wanted));
  return [
    differsFrom(directionsOf(request), directionsOf(key)),
    differsFrom(request.streetType, key.streetType),
    differsFrom(request.city, key.city),
    Number(!key.number.startsWith(request.number)),
    key.streetName.length,
    key.streetName,
    Math.abs(orderOf(key.number) - orderOf(request.number)),
    key.number,
    directionsOf(key),
    key.streetType,
    request.unit === key.unit ? 0 : key.unit === '' ? 1 : 2,
  ];
}

function compareRanks(a: Rank, b: Rank): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : a[at] < b[at] ? -1 : 1;
}
