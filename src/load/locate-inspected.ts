import { appendFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Store } from '../store/store.ts';
import { writeRecord } from '../tables/write-csv.ts';
import { openPlaceIndex, type PlaceIndex } from './address-index.ts';
import type { UnplacedRow } from './inspected-rows.ts';
import type { Inspection } from './inspect-file.ts';
import { REJECTION_HELP } from './rejection-help.ts';
import { writeReport, LISTED_ROWS, REJECTION_HEADER, shownValue } from './rejections.ts';

/** Rows whose places are looked up together, before other requests of the process continue. */
const PORTION = 200;
const MAX_EXAMPLES = 3;

/**
 * An inspection with the rows without coordinates rejected that a market cannot place: all of them if the market is new.
 * They are added to the list of rejected rows.
 */
export async function locateInspected(
  store: Store,
  marketId: string | null,
  inspection: Inspection,
  rejectedRowsPath: string,
): Promise<Inspection> {
  const { unplaced, rejections } = inspection;
  if (unplaced.length === 0) return inspection;
  const places = marketId === null ? null : await openPlaceIndex(store, marketId);
  const missing: UnplacedRow[] = [];
  for (let start = 0; start < unplaced.length; start += PORTION) {
    const portion = unplaced.slice(start, start + PORTION);
    missing.push(...(places === null || places.isEmpty ? portion : await findUnknown(places, portion)));
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  if (missing.length === 0) return inspection;
  const listed = Math.max(0, LISTED_ROWS - rejections.reduce((sum, { count }) => sum + count, 0));
  const file = basename(inspection.file);
  const lines = missing
    .slice(0, listed)
    .map(({ line, address }) =>
      writeRecord([file, String(line), 'rejected', 'not_located', 'address', address.street], '\n'),
    );
  const header = rejections.length === 0 ? [writeRecord(REJECTION_HEADER, '\n')] : [];
  await writeReport(rejectedRowsPath, () => appendFile(rejectedRowsPath, [...header, ...lines].join('')));
  const notLocated = {
    kind: 'rejected' as const,
    reason: 'not_located',
    column: null,
    count: missing.length,
    examples: missing
      .slice(0, MAX_EXAMPLES)
      .map(({ line, address }) => `"${shownValue(address.street, 40)}" (line ${line})`),
    remedy: REJECTION_HELP.not_located,
    values: [],
  };
  return {
    ...inspection,
    usableRows: inspection.usableRows - missing.length,
    rejections: [...rejections, notLocated].sort((a, b) => b.count - a.count),
  };
}

async function findUnknown(places: PlaceIndex, rows: readonly UnplacedRow[]): Promise<UnplacedRow[]> {
  const ids = rows.flatMap(({ parcelId }) => (parcelId === null ? [] : [parcelId]));
  const parcels = await places.parcels([...new Set(ids)]);
  const unknown: UnplacedRow[] = [];
  for (const row of rows) {
    if (row.parcelId !== null && parcels.has(row.parcelId)) continue;
    if ((await places.address(row.address)) === null) unknown.push(row);
  }
  return unknown;
}
