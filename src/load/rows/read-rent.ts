import type { RentListing } from '../../domain/rent.ts';
import type { CellOf } from './bind-columns.ts';
import { amountOf, dateOf, lastDayOf, textOf, yesNoOf } from './cell-values.ts';
import { UNIT_ATTRIBUTE_COLUMNS } from './columns.ts';
import { typeOfUnits } from '../../domain/property-type-words.ts';
import {
  readAddress,
  readAttributes,
  readDay,
  readFeatures,
  readPoint,
  readType,
  type ReadSettings,
  type Unplaced,
} from './read-rows.ts';
import { reject, skip } from './row-rejection.ts';

/** A listing without coordinates; the record id is '' where the file has none. Without type and units it is a condo. */
export function readRent(cell: CellOf, settings: ReadSettings): Unplaced<RentListing> {
  const rentUsd = amountOf(cell('rent'), 'rent') || skip('no_rent', 'rent', cell('rent'));
  const { day: listedOn, datePrecision } = readDay(cell, 'listed_date', settings);
  const attributes = readAttributes(cell, UNIT_ATTRIBUTE_COLUMNS);
  const { totalUnits } = attributes;
  return {
    recordId: textOf(cell('record_id'), 'record_id'),
    parcelId: textOf(cell('parcel_id'), 'parcel_id') || null,
    listedOn,
    lastSeenOn: readLastSeenOn(cell, listedOn, settings),
    datePrecision,
    rentUsd,
    address: readAddress(cell),
    ...readPoint(cell),
    type: readType(cell, attributes) ?? (totalUnits === null ? 'condos' : typeOfUnits(totalUnits)),
    attributes,
    isFurnished: readYesNo(cell, 'is_furnished'),
    hasParking: readYesNo(cell, 'has_parking'),
    features: readFeatures(cell, settings.features),
  };
}

function readLastSeenOn(
  cell: CellOf,
  listedOn: RentListing['listedOn'],
  { today }: ReadSettings,
): RentListing['lastSeenOn'] {
  const text = cell('last_seen_date');
  const lastSeen = dateOf(text, 'last_seen_date');
  if (lastSeen === null) return null;
  if (lastSeen.day > today) reject('date_in_future', 'last_seen_date', text);
  const lastSeenOn = Math.min(today, lastDayOf(lastSeen));
  return lastSeenOn < listedOn ? reject('last_seen_before_listed', 'last_seen_date', text) : lastSeenOn;
}

function readYesNo(cell: CellOf, column: string): boolean | null {
  const value = yesNoOf(cell(column), column);
  return value === null ? null : value === 1;
}
