import type { TableKind } from '../rows/columns.ts';

/** Text of one of the publisher's columns in a row, by its name in lower case; '' where the file has none such. */
export type SourceCell = (column: string) => string;

/** A publisher's own columns, and how a row of them reads in ours. */
export interface Layout {
  /** Columns that identify a file of this layout, in lower case. */
  readonly needs: readonly string[];
  /** Our columns that it fills. */
  readonly gives: readonly string[];
  readonly read: (row: SourceCell) => Readonly<Record<string, string>>;
}

/** The layouts of one publisher, by kind. */
export type FormatLayouts = Readonly<Partial<Record<TableKind, readonly Layout[]>>>;
