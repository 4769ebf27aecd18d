import type { CoarsePlace } from '../located.ts';
import { memberOf, pointOf, textOf } from '../untrusted-members.ts';

/**
 * The Census Bureau's geocoder (`locations/onelineaddress`, format json). It interpolates numbers along their
 * street's address range, so its match level is never closer than `interpolated`.
 */
export function censusQuery(text: string): Readonly<Record<string, string>> {
  return { address: text, benchmark: 'Public_AR_Current', format: 'json' };
}

/** The first match; null if there is none, or if the response does not have the Bureau's form. */
export function readCensusAnswer(answer: unknown): CoarsePlace | null {
  const matches = memberOf(memberOf(answer, 'result'), 'addressMatches');
  const match: unknown = Array.isArray(matches) ? matches[0] : undefined;
  const coordinates = memberOf(match, 'coordinates');
  const point = pointOf(memberOf(coordinates, 'y'), memberOf(coordinates, 'x'));
  const matched = textOf(memberOf(match, 'matchedAddress'));
  if (point === null || matched === '') return null;
  const components = memberOf(match, 'addressComponents');
  const address = {
    street: matched.split(',')[0].trim(),
    city: textOf(memberOf(components, 'city')),
    stateCode: textOf(memberOf(components, 'state')),
    postalCode: textOf(memberOf(components, 'zip')),
  };
  return { ...point, level: 'interpolated', accuracyM: null, address, isDoubtful: false, source: 'geocoder' };
}
