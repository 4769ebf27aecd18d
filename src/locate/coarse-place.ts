import { addressReadings, type ParsedAddress } from '../domain/address-parts.ts';
import { cityOf, takeCountry, takePostalCode, takeState } from '../domain/address-place.ts';
import { addressWords } from '../domain/address-text.ts';
import { formatDistance } from '../domain/display-format.ts';
import type { Warning } from '../domain/warning.ts';
import { cellCenter } from '../geo/cells.ts';
import { METERS_PER_MILE, metersApart } from '../geo/distance.ts';
import { findAddressAreas, type AddressAreaCell, type AddressAreaQuery } from '../store/address-points.ts';
import { displayOf, titleCase } from './display-address.ts';
import type { AddressSources } from './known-place.ts';
import { MATCH_LEVELS, type CoarsePlace, type Geocoder, type MatchLevel } from './located.ts';
import { interpolateNumber, matchStreet } from './match-street.ts';
import { medianPoint, weightedQuantile } from './middle-point.ts';

/** A street mostly within a quarter of a mile of its middle can represent a home: comparables are nearly the same. */
const HOME_WITHIN_M = 400;

/** The closest location of an address without a row, from the index or from the geocoder, if there is one. */
export async function findCoarsePlace(
  sources: AddressSources,
  geocoder: Geocoder | null,
  text: string,
): Promise<CoarsePlace | null> {
  const readings = addressReadings(text);
  for (const request of readings) {
    const place = await interpolateNumber(sources, request);
    if (place) return place;
  }
  const remote = (await geocoder?.find(text)) ?? null;
  if (remote && isCloser(remote, 'street')) return remote;
  for (const request of readings) {
    const place = await matchStreet(sources, request);
    if (place) return place;
  }
  const area = await matchArea(sources, text, readings);
  return remote && (area === null || isCloser(remote, area.level)) ? remote : area;
}

function isCloser({ level }: CoarsePlace, than: MatchLevel): boolean {
  return MATCH_LEVELS.indexOf(level) < MATCH_LEVELS.indexOf(than);
}

/** Whether it is close enough for a home: no wider than the neighborhood that determines its value. */
export function isHomePlace({ level, accuracyM, isDoubtful }: CoarsePlace): boolean {
  if (level === 'address' || level === 'interpolated') return true;
  return level === 'street' && !isDoubtful && accuracyM !== null && accuracyM <= HOME_WITHIN_M;
}

const LEVEL_WORDS: Readonly<Partial<Record<CoarsePlace['level'], { code: string; words: string }>>> = {
  interpolated: { code: 'address_interpolated', words: 'it was placed between its neighbors' },
  street: { code: 'address_street_level', words: 'a point of its street was used' },
  postal_code: { code: 'address_postal_code_level', words: 'the middle of its ZIP was used' },
  city: { code: 'address_city_level', words: 'the middle of its city was used' },
};

/** The warning for a location coarser than an address. */
export function coarseWarnings({ level, accuracyM, address, source }: CoarsePlace): Warning[] {
  const warnings: Warning[] = [];
  const { formatted } = displayOf(address);
  const off = accuracyM === null ? '' : ` It may be ${formatDistance(accuracyM / METERS_PER_MILE)} off.`;
  const wording = LEVEL_WORDS[level];
  const words =
    level === 'interpolated' && source === 'geocoder' ? 'it was placed along its street' : wording?.words;
  if (wording) {
    warnings.push({
      code: wording.code,
      field: 'address',
      message: `The address is not in the address index; ${words} (${formatted}).${off}`,
    });
  }
  if (source === 'geocoder') {
    warnings.push({
      code: 'address_from_geocoder',
      field: 'address',
      message: `The place comes from the geocoder that the operator set, not from loaded records (${formatted}).`,
    });
  }
  return warnings;
}

/** What was found instead of a home: "only its ZIP (Riverton, WI 53001) is known". */
export function foundInstead({ level, address, accuracyM, isDoubtful }: CoarsePlace): string {
  const { formatted } = displayOf(address);
  if (level === 'street' && isDoubtful) return `its street (${formatted}) is known, but no number near it`;
  const within =
    accuracyM === null
      ? ''
      : `, most of it within ${formatDistance(accuracyM / METERS_PER_MILE)} of its middle`;
  const name = level === 'postal_code' ? 'ZIP' : level;
  return `only its ${name} (${formatted}) is known${within}`;
}

/** Nine of ten addresses of the area are within its accuracy. */
const SHARE_WITHIN = 0.9;

/** Half of a cell's diagonal (src/geo/cells.ts): the error if only the cell is known. */
const HALF_CELL_M = 400;

/** The ZIP, otherwise the city, in a text, if addresses of it are loaded: the median of those addresses. */
async function matchArea(
  sources: AddressSources,
  text: string,
  readings: readonly ParsedAddress[],
): Promise<CoarsePlace | null> {
  const { cities, stateCode, postalCode } = areaNamesOf(text, readings);
  if (postalCode !== '') {
    const zip = await middleOfArea(sources, { postalCode }, stateCode);
    if (zip) return { ...zip, level: 'postal_code', address: { ...zip.address, postalCode } };
  }
  for (const city of cities) {
    const middle = await middleOfArea(sources, { city }, stateCode);
    if (middle) return { ...middle, level: 'city', address: { ...middle.address, postalCode: '' } };
  }
  return null;
}

async function middleOfArea(
  sources: AddressSources,
  wanted: AddressAreaQuery,
  stateCode: string,
): Promise<Omit<CoarsePlace, 'level'> | null> {
  const found = await findAddressAreas(sources.store, sources.rowsIds, wanted);
  const cells = found.filter(
    (cell) => stateCode === '' || cell.stateCode === '' || cell.stateCode === stateCode,
  );
  const states = new Set(cells.map((cell) => cell.stateCode).filter((code) => code !== ''));
  if (cells.length === 0 || states.size > 1) return null;
  const points = cells.map(({ cell, count }) => ({ ...cellCenter(cell), weight: count }));
  const median = medianPoint(points);
  // Rounded to a meter, because centers of cells contain rounding noise.
  const middle = { lat: Math.round(median.lat * 1e5) / 1e5, lon: Math.round(median.lon * 1e5) / 1e5 };
  const meters = points.map((point) => ({ value: metersApart(point, middle), weight: point.weight }));
  return {
    ...middle,
    accuracyM: Math.round(weightedQuantile(meters, SHARE_WITHIN) + HALF_CELL_M),
    address: {
      street: '',
      city: titleCase(commonest(cells, (cell) => cell.city)),
      stateCode: stateCode || commonest(cells, (cell) => cell.stateCode),
      postalCode: '',
    },
    isDoubtful: false,
    source: 'index',
  };
}

/** The most common value among the addresses of the area that have one. */
function commonest(cells: readonly AddressAreaCell[], of: (cell: AddressAreaCell) => string): string {
  const counts = new Map<string, number>();
  for (const cell of cells)
    if (of(cell) !== '') counts.set(of(cell), (counts.get(of(cell)) ?? 0) + cell.count);
  const [first] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return first?.[0] ?? '';
}

/** City, state and ZIP in a text; '' if missing. A text without a house number may be only a place. */
function areaNamesOf(text: string, readings: readonly ParsedAddress[]) {
  const named = readings.map(({ city }) => city);
  const [likeliest] = readings;
  if (likeliest.number === '' || likeliest.streetName === '') {
    const words = addressWords(text).flat();
    takeCountry(words);
    const postalCode = takePostalCode(words, 0);
    const stateCode = takeState(words, 0, words.length > 1);
    const cities = [cityOf(words), ...named];
    return { cities: distinct(cities), stateCode, postalCode };
  }
  const { stateCode, postalCode } = likeliest;
  return { cities: distinct(named), stateCode, postalCode };
}

function distinct(cities: readonly string[]): string[] {
  return [...new Set(cities)].filter((city) => city !== '');
}
