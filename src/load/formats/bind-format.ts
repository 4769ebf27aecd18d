import { usageError } from '../../errors.ts';
import type { Format } from '../import-options.ts';
import type { TableKind } from '../rows/columns.ts';
import { createPositions, featureColumn, type BoundColumns, type CellOf } from '../rows/mapping.ts';
import { MILWAUKEE } from './milwaukee.ts';
import { SEATTLE } from './seattle.ts';

/** A publisher's own columns, and how to read them as ours. Names of source columns are in lower case. */
interface Layout {
  /** Columns that identify a file of this layout. */
  readonly needs: readonly string[];
  /** Our columns of a row of the source's columns. */
  readonly read: (source: CellOf) => Readonly<Record<string, string>>;
}

const LAYOUTS: Readonly<Record<Format, Readonly<Partial<Record<TableKind, readonly Layout[]>>>>> = {
  milwaukee: MILWAUKEE,
  seattle: SEATTLE,
};

/** Binds a publisher's file, whose layout is recognized by its header. */
export function bindFormat(
  format: Format,
  path: string,
  header: readonly string[],
  kind: TableKind,
  features: readonly string[] = [],
): Pick<BoundColumns, 'unread' | 'bind'> {
  const layouts = LAYOUTS[format][kind];
  if (!layouts) {
    const kinds = Object.keys(LAYOUTS[format]).join(', ');
    throw usageError(`--format ${format} has no layout for ${kind}; it has ${kinds}.`);
  }
  const positions = new Map(header.map((name, i) => [name.toLowerCase(), i]));
  const layout = layouts.find((known) => known.needs.every((name) => positions.has(name)));
  if (!layout) {
    const needs = layouts.map((known) => known.needs.join(', ')).join('; or ');
    throw usageError(
      `${path} is not a ${format} file of ${kind}: its header should have ${needs}. It has: ${header.join(', ')}.`,
    );
  }
  const positionOf = createPositions(path, header);
  const featureAt = features.map((name) => [featureColumn(name), positionOf(name, name)] as const);
  return {
    unread: [],
    bind: (row) => {
      const own = featureAt.map(([column, at]) => [column, row.cells[at] ?? '']);
      const read = layout.read((column) => row.cells[positions.get(column) ?? -1]?.trim() ?? '');
      const cells: Readonly<Record<string, string>> = { ...read, ...Object.fromEntries(own) };
      return (column) => cells[column] ?? '';
    },
  };
}
