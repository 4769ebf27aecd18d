import type { Day } from './day.ts';
import type { PropertyRecord } from './property.ts';

/** A taxed unit of land and the public record of its buildings. */
export interface Parcel extends PropertyRecord {
  readonly parcelId: string;
  /** The date the record describes. It is not used for valuations as of an earlier date. */
  readonly asOf: Day;
}

const isSeparator = (character: string): boolean => !/[\p{L}\d]/u.test(character);

/** Letters and digits: other documents have other separators, such as `359-0456-000` and `3590456000`. */
export function compactParcelNumber(text: string): string {
  return [...text]
    .filter((character) => !isSeparator(character))
    .join('')
    .toUpperCase();
}

/** A parcel number, or its beginning, with the separators of a number of the data: `3590456` like `022-4567-110` is `359-0456`. */
export function respellParcelNumber(typed: string, example: string): string {
  const compact = compactParcelNumber(typed);
  let at = 0;
  let spelled = '';
  for (const character of example) {
    if (at === compact.length) break;
    spelled += isSeparator(character) ? character : compact[at++];
  }
  return spelled + compact.slice(at);
}
