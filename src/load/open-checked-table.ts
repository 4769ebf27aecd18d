import { basename } from 'node:path';
import type { OnBytes } from '../tables/table.ts';
import { isInUs } from '../geo/bounds.ts';
import type { LatLon } from '../geo/distance.ts';
import { createFilePoints } from './checks/check-coordinates.ts';
import { createFileCheck, knownText } from './checks/check-file.ts';
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

/** The middle of the points of a file, from which the others are far. */
async function findMiddle(
  path: string,
  { kind, mapping, settings }: FileReading,
  forms: ReadonlyMap<number, ColumnForm>,
): Promise<LatLon | null> {
  const { columns, batches, close } = await openTableOf(kind, path, () => {});
  const points = createFilePoints();
  try {
    const { bind } = bindColumns(path, columns, kind, mapping, settings.features, forms);
    for await (const rows of batches) {
      for (const row of rows) {
        const cell = bind(row);
        const [lat, lon] = ['latitude', 'longitude'].map((column) =>
          Number.parseFloat(knownText(cell, column)),
        );
        if (isInUs(lat, lon)) points.add(lat, lon, row.line);
      }
    }
    return points.middle();
  } finally {
    await close?.();
  }
}

/** Opens a file with named columns, which is checked as a whole while its rows are read. */
export async function openCheckedTable(
  path: string,
  { kind, options, mapping, settings }: FileReading,
  forms: ReadonlyMap<number, ColumnForm>,
  onBytes: OnBytes,
) {
  const table = await openTableOf(kind, path, onBytes);
  const { columns: header } = table;
  const { unread, sources, bind } = options.format
    ? { ...bindFormat(options.format, path, header, kind, settings.features), sources: null }
    : bindColumns(path, header, kind, mapping, settings.features, forms);
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
  const hasMiddle = sources !== null && leaveOut.includes('far_coordinates');
  const check = createFileCheck({
    name: basename(path),
    kind,
    header,
    bound,
    forms,
    format: () => table.format?.(),
    leaveOut,
    middle: hasMiddle ? await findMiddle(path, { kind, options, mapping, settings }, forms) : null,
  });
  return { table, unread, sources, bind, check };
}
