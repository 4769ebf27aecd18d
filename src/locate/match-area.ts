import { cityOf, takeCountry, takePostalCode, takeState } from '../domain/address-place.ts';
import type { ParsedAddress } from '../domain/address-parts.ts';
import { addressWords } from '../domain/address-text.ts';
import { cellCenter } from '../geo/cells.ts';
import { distanceMi, METERS_PER_MILE } from '../geo/distance.ts';
import { findAddressAreas, type AddressAreaCell, type AddressAreaQuery } from '../store/address-areas.ts';
import { titleCase } from './display-address.ts';
import type { AddressSources } from './known-place.ts';
import type { CoarsePlace } from './located.ts';
import { medianPoint, weightedQuantile } from './middle-point.ts';

/** Nine of ten addresses of the area are within its accuracy. */
const MOST_OF_AREA = 0.9;

/** Half of a cell's diagonal (src/geo/cells.ts): the error if only the cell is known. */
const HALF_CELL_M = 400;

/** City, state and ZIP in a text; '' if missing. */
interface AreaNames {
  readonly cities: readonly string[];
  readonly stateCode: string;
  readonly postalCode: string;
}

/** The ZIP, otherwise the city, in a text, if addresses of it are loaded: the median of those addresses. */
export async function matchArea(
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
  const found = await findAddressAreas(sources.store, sources.datasetIds, wanted);
  const cells = found.filter(
    (cell) => stateCode === '' || cell.stateCode === '' || cell.stateCode === stateCode,
  );
  const states = new Set(cells.map((cell) => cell.stateCode).filter((code) => code !== ''));
  if (cells.length === 0 || states.size > 1) return null;
  const points = cells.map(({ cell, count }) => ({ ...cellCenter(cell), weight: count }));
  const middle = roundPoint(medianPoint(points));
  const meters = points.map(({ lat, lon, weight }) => ({
    value: distanceMi(lat, lon, middle.lat, middle.lon) * METERS_PER_MILE,
    weight,
  }));
  return {
    ...middle,
    accuracyM: Math.round(weightedQuantile(meters, MOST_OF_AREA) + HALF_CELL_M),
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

/** Rounded to 1e-5 degrees (a meter), because centers of cells contain rounding noise. */
function roundPoint({ lat, lon }: { readonly lat: number; readonly lon: number }): {
  lat: number;
  lon: number;
} {
  return { lat: Math.round(lat * 1e5) / 1e5, lon: Math.round(lon * 1e5) / 1e5 };
}

/** The most common value among the addresses of the area that have one. */
function commonest(cells: readonly AddressAreaCell[], of: (cell: AddressAreaCell) => string): string {
  const counts = new Map<string, number>();
  for (const cell of cells)
    if (of(cell) !== '') counts.set(of(cell), (counts.get(of(cell)) ?? 0) + cell.count);
  const [first] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return first?.[0] ?? '';
}

/** A text without a house number, or with nothing else, may be a place: "Seattle, WA 98101", "98101". */
function areaNamesOf(text: string, readings: readonly ParsedAddress[]): AreaNames {
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
