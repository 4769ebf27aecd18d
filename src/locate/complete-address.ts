import { directionsOf } from '../domain/address-key.ts';
import { addressReadings, type ParsedAddress } from '../domain/address-parts.ts';
import {
  findAddressPoints,
  numbersOfStreet,
  streetNamesBeginning,
  streetNamesOfNumber,
  type AddressPointRow,
} from '../store/address-points.ts';
import { addressWords } from '../domain/address-text.ts';
import { houseNumberOf } from '../domain/house-number.ts';
import { streetNameOf } from '../domain/street-line.ts';
import { directionOf } from '../domain/street-words.ts';
import type { AddressSources } from './known-place.ts';
import { editDistance, showRows, type ShownRow } from './suggest-addresses.ts';

/** Number of readings of a text that are tried, most likely first. */
type Readings = readonly [ParsedAddress, ...ParsedAddress[]];

/** With fewer letters too many street names match, unless a house with the typed number exists. */
const LEAST_LETTERS = 3;
/** From this length on, one letter may be wrong. */
const TYPO_LETTERS = 4;
/** Streets that have the number; few names continue the typed text. */
const MOST_STREETS = 25;
/** Streets without the number, represented by the houses nearest to it: each costs a scan of its numbers. */
const MOST_STREETS_WITHOUT = 4;
const NEAREST_NUMBERS = 8;
/** Beginnings of street names that are looked up. Each costs reads of the database. */
const MOST_BEGINNINGS = 8;

/**
 * Addresses that complete the typed text, best first: the house number as written, a street that starts with
 * the text (or would but for one letter), and direction, type and city as far as they are typed. If no house
 * has the number, the nearest ones.
 */
export async function completeAddress(
  sources: AddressSources,
  text: string,
  most: number,
): Promise<readonly ShownRow[]> {
  const readings = readingsOf(text);
  const [first] = readings;
  const rows = await rowsMeant(sources, readings);
  const ranked = rows
    .map((row) => ({ row, rank: rankOf(sources, readings, row) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map(({ row }) => row);
  return showRows(sources, first, first.unit === '' ? buildingsOf(ranked) : ranked, most);
}

/**
 * The readings of the text as an address, and with its last word as the start of a name: "130 N LA" need not
 * be a lane, and "130 ST PA" need not be a street.
 */
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

async function rowsMeant(sources: AddressSources, readings: Readings): Promise<AddressPointRow[]> {
  const { store, datasetIds } = sources;
  const [{ number }] = readings;
  const named = readings.map(({ streetName }) => streetName).filter((name) => name !== '');
  const beginnings = beginningsOf(named);
  if (number !== '') {
    const names = meant(beginnings, await streetNamesOfNumber(store, datasetIds, number));
    if (names.length > 0) {
      return findAddressPoints(store, datasetIds, { number, streetName: names.slice(0, MOST_STREETS) });
    }
  }
  const long = beginnings.filter((name) => name.length >= LEAST_LETTERS || /^\d/.test(name));
  const lists = await Promise.all(long.map((name) => streetNamesBeginning(store, datasetIds, name)));
  const rows: AddressPointRow[] = [];
  for (const streetName of meant(long, lists.flat()).slice(0, MOST_STREETS_WITHOUT)) {
    const near = nearestTo(number, await numbersOfStreet(store, datasetIds, streetName));
    rows.push(...(await findAddressPoints(store, datasetIds, { number: near, streetName })));
  }
  return rows;
}

/** The likeliest readings, and the last ones: those of an unfinished word. */
function beginningsOf(names: readonly string[]): string[] {
  const distinct = [...new Set(names)];
  if (distinct.length <= MOST_BEGINNINGS) return distinct;
  return [...distinct.slice(0, MOST_BEGINNINGS - 4), ...distinct.slice(-4)];
}

/**
 * The names that start with one of the readings, the closest in length first; otherwise names that nearly do.
 */
function meant(beginnings: readonly string[], names: readonly string[]): string[] {
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

function nearestTo(number: string, known: readonly string[]): string[] {
  const farOf = (other: string): number => Math.abs(orderOf(other) - orderOf(number));
  return known.toSorted((a, b) => farOf(a) - farOf(b)).slice(0, NEAREST_NUMBERS);
}

/** A numeric house number. Text without a number is the start of a street name. */
function orderOf(number: string): number {
  return Number(/\d{1,9}/.exec(number)?.[0] ?? 0);
}

type Rank = readonly (number | string)[];

/** Compared member by member; smaller is better. */
function rankOf(
  sources: AddressSources,
  readings: Readings,
  { key, datasetId, rowNo }: AddressPointRow,
): Rank {
  const asked = readings.find(({ streetName }) => key.streetName.startsWith(streetName)) ?? readings[0];
  const isUnlike = (wanted: string, given: string): number =>
    Number(wanted !== '' && given !== '' && !given.startsWith(wanted));
  return [
    isUnlike(directionsOf(asked), directionsOf(key)),
    isUnlike(asked.streetType, key.streetType),
    isUnlike(asked.city, key.city),
    key.streetName.length,
    key.streetName,
    Math.abs(orderOf(key.number) - orderOf(asked.number)),
    key.number,
    directionsOf(key),
    key.streetType,
    asked.unit === key.unit ? 0 : key.unit === '' ? 1 : 2,
    sources.datasetIds.indexOf(datasetId),
    rowNo,
  ];
}

function compareRanks(a: Rank, b: Rank): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : a[at] < b[at] ? -1 : 1;
}

/** One row per address point: without a requested unit, the building's row or its first unit's. */
function buildingsOf(ranked: readonly AddressPointRow[]): AddressPointRow[] {
  const seen = new Set<string>();
  return ranked.filter(({ key, lat, lon }) => {
    const { number, numberSuffix, streetName, streetType } = key;
    const door = [number, numberSuffix, directionsOf(key), streetName, streetType].join('|');
    const place = `${door} ${lat.toFixed(2)} ${lon.toFixed(2)}`;
    return seen.has(place) ? false : seen.add(place);
  });
}
