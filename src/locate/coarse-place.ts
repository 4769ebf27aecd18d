import { addressReadings } from '../domain/address-parts.ts';
import type { Warning } from '../domain/warning.ts';
import { METERS_PER_MILE } from '../geo/distance.ts';
import { displayOf } from './display-address.ts';
import type { AddressSources } from './known-place.ts';
import { MATCH_LEVELS, type CoarsePlace, type Geocoder, type MatchLevel } from './located.ts';
import { matchArea } from './match-area.ts';
import { interpolateNumber, matchStreet } from './match-street.ts';

/** A street within a quarter of a mile can represent a home on it: the comparables are the same. */
const HOME_WITHIN_M = 400;

/** The closest location of an address without a row, from the index or from the geocoder, if there is one. */
export async function findCoarsePlace(
  sources: AddressSources,
  geocoder: Geocoder | null,
  text: string,
): Promise<CoarsePlace | null> {
  const readings = addressReadings(text);
  for (const asked of readings) {
    const place = await interpolateNumber(sources, asked);
    if (place) return place;
  }
  const remote = (await geocoder?.find(text)) ?? null;
  if (remote && isCloser(remote, 'street')) return remote;
  for (const asked of readings) {
    const place = await matchStreet(sources, asked);
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

const LEVEL_WORDS: Readonly<
  Record<CoarsePlace['level'], { readonly code: string; readonly words: string } | null>
> = {
  address: null,
  interpolated: { code: 'address_interpolated', words: 'it was placed between its neighbors' },
  street: { code: 'address_street_level', words: 'a point of its street was used' },
  postal_code: { code: 'address_postal_code_level', words: 'the middle of its ZIP was used' },
  city: { code: 'address_city_level', words: 'the middle of its city was used' },
};

/** The warning for a location coarser than an address. */
export function coarseWarnings({ level, accuracyM, address, source }: CoarsePlace): Warning[] {
  const warnings: Warning[] = [];
  const { formatted } = displayOf(address);
  const off = accuracyM === null ? '' : ` It may be ${distanceWords(accuracyM)} off.`;
  const told = LEVEL_WORDS[level];
  const words =
    level === 'interpolated' && source === 'geocoder' ? 'it was placed along its street' : told?.words;
  if (told) {
    warnings.push({
      code: told.code,
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
  const within = accuracyM === null ? '' : `, most of it within ${distanceWords(accuracyM)} of its middle`;
  const name = level === 'postal_code' ? 'ZIP' : level;
  return `only its ${name} (${formatted}) is known${within}`;
}

function distanceWords(meters: number): string {
  return meters < 1000 ? `${meters} m` : `${(meters / METERS_PER_MILE).toFixed(1)} miles`;
}
