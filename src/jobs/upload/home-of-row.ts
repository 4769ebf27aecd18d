import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { createHomeIndex } from '../../domain/repeated-homes.ts';
import type { SheetRow } from '../../tables/read-sheet.ts';
import type { AddressReader } from './read-row.ts';
import type { Result } from './result-columns.ts';

/** Finds the first row of the home of each row, which is given all rows in order. Rows of rents are units of their own. */
export function createHomeFinder({
  kind,
  readAddress,
}: {
  readonly kind: ValuationKind;
  readonly readAddress: AddressReader;
}): (row: SheetRow, data: Result['data']) => number {
  const homes = createHomeIndex<number>();
  return (row, data) => {
    if (data === null || kind === 'rental') return row.row;
    const { formatted_address: found, latitude: lat, longitude: lon } = data.address_info;
    // The address that was found replaces that of the row where the row has coordinates only.
    return homes.findOrAdd({ address: readAddress(row) ?? found, lat, lon }, () => row.row);
  };
}
