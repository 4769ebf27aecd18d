import type { CellJson } from './cell-json.ts';
import { FIGURE_NAMES, type FigureName } from './cell-json.ts';
import { csvLine } from './csv-line.ts';

/** Cells by the name of their group: `overall`, `by_type` … as in the JSON. */
export type CellGroups = Readonly<Record<string, Readonly<Record<string, CellJson>>>>;

const NAMES = Object.keys(FIGURE_NAMES) as FigureName[];

/** One line a cell: its group and key, n, then each figure with its 95 % interval. */
export function* cellsCsv(groups: CellGroups): Generator<string> {
  const figures = NAMES.flatMap((name) => [name, `${name}_ci95_low`, `${name}_ci95_high`]);
  yield csvLine(['group', 'cell', 'n', 'is_small', ...figures]);
  for (const [group, cells] of Object.entries(groups)) {
    for (const [key, cell] of Object.entries(cells)) {
      const values = NAMES.flatMap((name) => [cell[name], ...(cell.ci95[name] ?? [null, null])]);
      yield csvLine([group, key, cell.n, Number(cell.is_small), ...values.map((value) => value ?? NaN)]);
    }
  }
}
