import type { ColumnSource } from '../rows/column-source.ts';
import type { TableKind } from '../rows/columns.ts';
import { createDateCheck } from './check-dates.ts';
import { createLotCheck } from './check-lots.ts';
import { createRoomCheck } from './check-rooms.ts';
import { createUnitCheck } from './check-units.ts';
import { createYearCheck } from './check-years.ts';
import type { Finding, RowCheck } from './finding.ts';

/** Homes that share their lot, or fill it. */
const WITHOUT_OWN_LOT = /con|apa|town|row|co-?op|multi|plex|attach|unit/i;

/**
 * Finds columns in another unit, and what is wrong with numbers of rooms, with years and with dates.
 *
 * @param readAs says how a column is read
 */
export function createValueCheck(
  file: string,
  kind: TableKind,
  sourceOf: (column: string) => string,
  readAs: (column: string) => ColumnSource,
) {
  const units = createUnitCheck(file, kind, sourceOf, readAs);
  const lots = createLotCheck(file, sourceOf, readAs);
  const rooms = createRoomCheck(file, sourceOf, readAs);
  const years = createYearCheck(file, sourceOf, readAs);
  const dates = createDateCheck(file, kind, sourceOf);

  /** Returns the check that the row fails. */
  function add(cell: (column: string) => string, line: number): RowCheck | null {
    const numberIn = (column: string): number => Number(cell(column).replaceAll(/[$,\s]/g, '') || NaN);
    units.add(numberIn);
    const homeSqft = WITHOUT_OWN_LOT.test(cell('property_type')) ? 0 : numberIn('living_area');
    lots.add(cell('lot_size'), numberIn('lot_size'), homeSqft, line);
    rooms.add(cell, homeSqft, line);
    years.add(cell('year_built'), line);
    return dates.add(cell, line);
  }

  function findings(): Finding[] {
    const ofUnits = units.findings();
    const hasUnlikelyLots = ofUnits.some(({ column }) => column === 'lot_size');
    return [
      ...ofUnits,
      ...(hasUnlikelyLots ? [] : lots.findings()),
      ...rooms.findings(),
      ...years.findings(),
      ...dates.findings(),
    ];
  }

  return { add, findings };
}
