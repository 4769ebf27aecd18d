import { PlumblineError } from '../../errors.ts';
import type { Format } from '../import-options.ts';
import type { BoundColumns } from '../rows/bind-columns.ts';
import type { TableKind } from '../rows/columns.ts';
import type { FormatLayouts } from './layout.ts';
import { MILWAUKEE } from './milwaukee.ts';
import { SEATTLE } from './seattle.ts';

const LAYOUTS: Readonly<Record<Format, FormatLayouts>> = { milwaukee: MILWAUKEE, seattle: SEATTLE };

/** Binds a publisher's file, its layout told by the header. */
export function bindFormat(
  format: Format,
  path: string,
  header: readonly string[],
  kind: TableKind,
): BoundColumns {
  const layouts = LAYOUTS[format][kind];
  if (!layouts) {
    const kinds = Object.keys(LAYOUTS[format]).join(', ');
    throw new PlumblineError('usage', `--format ${format} has no layout for ${kind}; it has ${kinds}.`);
  }
  const names = header.map((name) => name.toLowerCase());
  const layout = layouts.find((known) => known.needs.every((name) => names.includes(name)));
  if (!layout) {
    const needs = layouts.map((known) => known.needs.join(', ')).join('; or ');
    throw new PlumblineError(
      'usage',
      `${path} is no ${format} file of ${kind}: its header should have ${needs}. It has: ${header.join(', ')}.`,
    );
  }
  const positions = new Map(names.map((name, i) => [name, i]));
  return {
    columns: layout.gives,
    unread: [],
    bind: (row) => {
      const cells = layout.read((column) => row.cells[positions.get(column) ?? -1]?.trim() ?? '');
      return (column) => cells[column] ?? '';
    },
  };
}
