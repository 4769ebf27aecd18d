import { basename } from 'node:path';
import type { OnBytes } from '../tables/table.ts';
import { isInUs } from '../geo/bounds.ts';
import { createFilePoints } from './checks/check-coordinates.ts';
import { createFileCheck, knownText, type CheckedFile } from './checks/check-file.ts';
import { createPointCheck } from './checks/check-points.ts';
import type { RowCheck } from './checks/finding.ts';
import { bindFormat } from './formats/bind-format.ts';
import type { ImportOptions } from './import-options.ts';
import { openTableOf } from './open-table-of.ts';
import { createFormCounter, type ColumnForm } from './rows/column-forms.ts';
import { sourcesOf, type Mapping } from './rows/column-source.ts';
import type { TableKind } from './rows/columns.ts';
import { AS_WRITTEN, bindColumns } from './rows/mapping.ts';
import type { ReadSettings } from './rows/read-rows.ts';

/** How the columns of a file become those of the import. */
export interface FileReading {
  readonly kind: TableKind;
  readonly options: Pick<ImportOptions, 'format' | 'leaveOut' | 'features'>;
  readonly mapping: Mapping;
  readonly settings: ReadSettings;
}

/** How the values of a file's columns are written, decided from all its rows. */
export async function surveyForms(
  path: string,
  { kind, options, mapping, settings }: FileReading,
): Promise<ReadonlyMap<number, ColumnForm>> {
  if (options.format) return AS_WRITTEN;
  const { columns, batches, close } = await openTableOf(kind, path, () => {});
  try {
    const { kinds } = bindColumns(path, columns, kind, mapping, settings.features);
    const counter = createFormCounter(kinds, settings.today);
    for await (const rows of batches) for (const { cells } of rows) counter.add(cells);
    return counter.decide();
  } finally {
    await close?.();
  }
}

function bindTable(
  path: string,
  header: readonly string[],
  { kind, options, mapping, settings }: FileReading,
  forms: ReadonlyMap<number, ColumnForm>,
) {
  return options.format
    ? { ...bindFormat(options.format, path, header, kind, settings.features), sources: null }
    : bindColumns(path, header, kind, mapping, settings.features, forms);
}

/** The middle of the points of a file, from which the others are far, and its points of ZIP codes and cities. */
async function readPoints(
  path: string,
  reading: FileReading,
  forms: ReadonlyMap<number, ColumnForm>,
): Promise<Pick<CheckedFile, 'middle' | 'areaPoints'>> {
  const { columns, batches, close } = await openTableOf(reading.kind, path, () => {});
  const points = createFilePoints();
  const homes = createPointCheck(path, reading.kind);
  try {
    const { bind } = bindTable(path, columns, reading, forms);
    for await (const rows of batches) {
      for (const row of rows) {
        const cell = bind(row);
        const known = (column: string): string => knownText(cell, column);
        const [lat, lon] = ['latitude', 'longitude'].map((column) => Number.parseFloat(known(column)));
        if (isInUs(lat, lon)) points.add(lat, lon, row.line);
        homes.add(known, row.line);
      }
    }
    return { middle: points.middle(), areaPoints: homes.areaPoints() };
  } finally {
    await close?.();
  }
}

/** Opens a file with named columns, which is checked as a whole while its rows are read. */
export async function openCheckedTable(
  path: string,
  reading: FileReading,
  forms: ReadonlyMap<number, ColumnForm>,
  onBytes: OnBytes,
) {
  const { kind, options } = reading;
  const table = await openTableOf(kind, path, onBytes);
  const { columns: header } = table;
  const { unread, sources, bind } = bindTable(path, header, reading, forms);
  // A column that is kept as a feature because all are may be an important one.
  const isRead = new Set(
    Object.values(sources ?? {})
      .flatMap(sourcesOf)
      .map((name) => name.toLowerCase()),
  );
  const notRead =
    options.features === 'all'
      ? header.filter((name) => name !== '' && !isRead.has(name.toLowerCase()))
      : unread;
  const bound = sources && { sources, unread: notRead };
  const leaveOut = options.leaveOut ?? [];
  const leavesOut = (check: RowCheck): boolean => leaveOut.includes(check);
  const points =
    leavesOut('far_coordinates') || leavesOut('coordinates_of_areas')
      ? await readPoints(path, reading, forms)
      : null;
  const check = createFileCheck({
    name: basename(path),
    kind,
    header,
    bound,
    forms,
    format: () => table.format?.(),
    leaveOut,
    middle: leavesOut('far_coordinates') && points ? points.middle : null,
    areaPoints: leavesOut('coordinates_of_areas') && points ? points.areaPoints : new Set(),
  });
  return { table, unread, sources, bind, check };
}
