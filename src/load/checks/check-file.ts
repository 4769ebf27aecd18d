import type { TableFormat, TableRow } from '../../tables/table.ts';
import type { LatLon } from '../../geo/distance.ts';
import { RowRejection, skip } from '../rejections.ts';
import type { ColumnForm } from '../rows/column-forms.ts';
import { isUnknown } from '../rows/cell-values.ts';
import type { ColumnSource, Mapping } from '../rows/column-source.ts';
import { COLUMNS_OF, type TableKind } from '../rows/columns.ts';
import type { BoundColumns, CellOf } from '../rows/mapping.ts';
import { createMissingColumnCheck, doubtfulForms, otherSales, worksheetFindings } from './check-columns.ts';
import { createCoordinateCheck } from './check-coordinates.ts';
import { createPointCheck, createUnreadPointCheck, withoutPoints } from './check-points.ts';
import { createValidityCheck } from './check-sale-validity.ts';
import { createStreetLineCheck } from './check-street-lines.ts';
import { createReadableCheck } from './check-readable.ts';
import { createTextCheck, withoutRoundedIds } from './check-texts.ts';
import { createTypeCheck } from './check-types.ts';
import { createValueCheck } from './check-values.ts';
import { createTally, withoutLeftOut, type Finding } from './finding.ts';

/** A file as it is read. `sources` is null for a publisher's format, whose columns are known. */
export interface CheckedFile {
  readonly name: string;
  readonly kind: TableKind;
  readonly header: readonly string[];
  readonly bound: Pick<BoundColumns, 'sources' | 'unread'> | null;
  readonly forms: ReadonlyMap<number, ColumnForm>;
  /** What the reader recognized, called after the last row. */
  readonly format: () => TableFormat | undefined;
  /** Checks whose rows are left out. */
  readonly leaveOut: readonly string[];
  /** The middle of the file, if rows that are far from it are left out. */
  readonly middle: LatLon | null;
  /** The points of ZIP codes and cities, if they are left out. */
  readonly areaPoints: ReadonlySet<string>;
}

/** The text of a cell; '' if it is unknown or cannot be read: then it is rejected with its row. */
export function knownText(cell: CellOf, column: string): string {
  try {
    const text = cell(column);
    return isUnknown(text) ? '' : text;
  } catch (error) {
    if (error instanceof RowRejection) return '';
    throw error;
  }
}

/** Whether types are not read, or from one column as it is. A mapping of its values is a decision. */
function isUndecided(source: ColumnSource | undefined): boolean {
  return source === undefined || (source.source !== undefined && source.map === undefined);
}

/** A column of types of sales names land sales, and may also name sales that are not valid. */
const landSaleColumn = ({ land_sale: landSale }: Mapping): readonly string[] =>
  landSale?.source === undefined ? [] : [landSale.source];

/** Checks a file as a whole: each row is added while it is read. */
export function createFileCheck(file: CheckedFile) {
  const { name, kind, header, bound, forms, format, leaveOut, middle, areaPoints } = file;
  const sourceOf = (column: string): string => bound?.sources[column]?.source ?? column;
  const columns = { lat: sourceOf('latitude'), lon: sourceOf('longitude') };
  const coordinates = createCoordinateCheck(name, columns, kind !== 'crime', middle);
  const points = createPointCheck(name, kind);
  const hasHomes = kind !== 'crime' && kind !== 'index';
  const isLocated = !hasHomes || !bound || 'latitude' in bound.sources || 'longitude' in bound.sources;
  const unreadPoints = isLocated ? null : createUnreadPointCheck(name, header, bound.unread);
  const texts = createTextCheck(name, sourceOf);
  const hidden = createTally();
  const readAs = (column: string): ColumnSource => bound?.sources[column] ?? { source: column };
  const values = createValueCheck(name, kind, sourceOf, readAs);
  const types =
    hasHomes && kind !== 'addresses' && bound && isUndecided(bound.sources.property_type)
      ? createTypeCheck(name, header, bound.unread, bound.sources.property_type?.source)
      : null;
  const validity =
    kind === 'sales' && bound && !('arms_length' in bound.sources)
      ? createValidityCheck(name, header, [...bound.unread, ...landSaleColumn(bound.sources)])
      : null;
  const missing = bound && createMissingColumnCheck(name, kind, bound);
  const readable = bound && createReadableCheck(name, bound.sources, COLUMNS_OF[kind]);
  const streets = bound && createStreetLineCheck(name, bound.unread, bound.sources.address);
  let found: readonly Finding[] | null = null;
  return {
    /** Returns the cells to read. Throws a RowRejection for a row that is left out. */
    add(cell: CellOf, { line, cells, isHidden = false }: TableRow): CellOf {
      const known = (column: string): string => knownText(cell, column);
      types?.add(cells);
      validity?.add(cells);
      missing?.add(known);
      readable?.add(known);
      streets?.add(known('address'), line);
      points.add(known, line);
      unreadPoints?.add({ line, cells });
      if (isHidden) hidden.add(known('address'), line);
      const failed = [
        isHidden ? 'hidden_rows' : null,
        coordinates.add(known('latitude'), known('longitude'), line),
        texts.add(known, line),
        values.add(known, line),
      ];
      const left = failed.find((check) => check !== null && leaveOut.includes(check));
      if (left) skip(left, null, known('address'));
      const read = leaveOut.includes('rounded_ids') ? withoutRoundedIds(cell) : cell;
      return withoutPoints(read, known, areaPoints);
    },
    /** Called after the last row. */
    findings(): readonly Finding[] {
      found ??= withoutLeftOut(findAll(), leaveOut);
      return found;
    },
  };

  function findAll(): Finding[] {
    return [
      ...(missing?.findings() ?? []),
      ...(bound ? otherSales(name, kind, bound.unread) : []),
      ...(bound ? doubtfulForms(name, header, bound, forms) : []),
      ...(types?.findings() ?? []),
      ...(validity?.findings() ?? []),
      ...(streets?.findings() ?? []),
      ...(readable?.findings() ?? []),
      ...worksheetFindings(name, format()),
      ...hidden.finding({
        check: 'hidden_rows',
        column: null,
        message: `${hidden.count()} rows of ${name} are hidden, perhaps by a filter: they would be loaded, too.`,
        remedy: 'Clear the filter, or copy the visible rows into a workbook of their own.',
        isBlocking: true,
      }),
      ...coordinates.findings(),
      ...points.findings(),
      ...(unreadPoints?.findings() ?? []),
      ...texts.findings(),
      ...values.findings(),
    ];
  }
}
