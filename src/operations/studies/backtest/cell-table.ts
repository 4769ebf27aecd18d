import type { CellJson } from './cell-json.ts';

/** A column of the table: its heading and a cell's text. */
export interface TableColumn {
  readonly heading: string;
  readonly text: (cell: CellJson) => string;
}

export const percent =
  (digits: number) =>
  (figure: number | null): string =>
    figure === null ? '–' : (100 * figure).toFixed(digits);
const number =
  (digits: number) =>
  (figure: number | null): string =>
    figure === null ? '–' : figure.toFixed(digits);
const signed = (figure: number | null): string =>
  figure === null ? '–' : `${figure < 0 ? '-' : '+'}${Math.abs(figure).toFixed(3)}`;

export const POINT_COLUMNS: readonly TableColumn[] = [
  { heading: 'n', text: (cell) => String(cell.n) },
  { heading: 'hit %', text: (cell) => percent(1)(cell.hit_rate) },
  { heading: 'MdAPE', text: (cell) => percent(2)(cell.mdape) },
  { heading: '95 % interval', text: (cell) => interval(cell) },
  { heading: 'MAPE', text: (cell) => percent(2)(cell.mape) },
  { heading: 'PPE5', text: (cell) => percent(1)(cell.ppe5) },
  { heading: 'PPE10', text: (cell) => percent(1)(cell.ppe10) },
  { heading: 'PPE20', text: (cell) => percent(1)(cell.ppe20) },
  { heading: 'RT20', text: (cell) => percent(1)(cell.rt20) },
  { heading: 'RMSLE', text: (cell) => number(4)(cell.rmsle) },
  { heading: 'R²', text: (cell) => number(3)(cell.r2) },
];

export const EQUITY_COLUMNS: readonly TableColumn[] = [
  { heading: 'n', text: (cell) => String(cell.n) },
  { heading: 'median', text: (cell) => number(3)(cell.median_ratio) },
  { heading: 'mean', text: (cell) => number(3)(cell.mean_ratio) },
  { heading: 'COD', text: (cell) => number(2)(cell.cod) },
  { heading: 'trimmed', text: (cell) => number(2)(cell.cod_trimmed) },
  { heading: 'PRD', text: (cell) => number(3)(cell.prd) },
  { heading: 'PRB', text: (cell) => signed(cell.prb) },
  { heading: 'MKI', text: (cell) => number(3)(cell.mki) },
  { heading: 'VEI', text: (cell) => number(1)(cell.vei) },
];

export const INTERVAL_COLUMNS: readonly TableColumn[] = [
  { heading: 'n', text: (cell) => String(cell.n) },
  { heading: 'in 80 %', text: (cell) => percent(1)(cell.coverage_80) },
  { heading: 'in 90 %', text: (cell) => percent(1)(cell.coverage_90) },
  { heading: '± s.e.', text: (cell) => binomialError(cell.coverage_90, cell.n) },
  { heading: 'in 95 %', text: (cell) => percent(1)(cell.coverage_95) },
  { heading: 'width 90 %', text: (cell) => percent(1)(cell.width_90) },
  { heading: 'Winkler 90', text: (cell) => number(3)(cell.winkler_90) },
  { heading: 'in ±FSD by fifth (68.3)', text: honesty },
];

/** What is told of each area and month. */
export const AREA_COLUMNS = [
  ...POINT_COLUMNS.slice(0, 4),
  ...EQUITY_COLUMNS.slice(1, 4),
  ...INTERVAL_COLUMNS.slice(2, 4),
];

/** Cells with too few sales to rest anything on carry this mark. */
const SMALL_MARK = ' *';

export type LabelledCell = readonly [label: string, cell: CellJson];

/** Cells under the keys they are kept by. */
export function labelled(prefix: string, cells: Readonly<Record<string, CellJson>>): LabelledCell[] {
  return Object.entries(cells).map(([key, cell]) => [`${prefix}${key}`, cell]);
}

/** An empty line, a title and a table of cells; small cells are marked. */
export function section(
  title: string,
  columns: readonly TableColumn[],
  rows: readonly LabelledCell[],
): string[] {
  if (rows.length === 0) return [];
  const table = [
    [title, ...columns.map((column) => column.heading)],
    ...rows.map(([label, cell]) => [
      cell.is_small ? label + SMALL_MARK : label,
      ...columns.map((column) => column.text(cell)),
    ]),
  ];
  return ['', ...aligned(table)];
}

/** The first column to the left, figures to the right. The title may be long: it does not widen its column. */
export function aligned(table: readonly (readonly string[])[]): string[] {
  const widths = table[0].map((_, c) =>
    Math.max(...table.slice(c === 0 ? 1 : 0).map((cells) => cells[c].length), c === 0 ? 16 : 0),
  );
  const [heading, ...rows] = table;
  const lines = rows.map((cells) =>
    cells
      .map((text, c) => padded(text, widths[c], c === 0))
      .join('  ')
      .trimEnd(),
  );
  const names = heading
    .map((text, c) => padded(c === 0 ? '' : text, widths[c], c === 0))
    .join('  ')
    .trimEnd();
  return [heading[0], names, ...lines];
}

function padded(text: string, width: number, isLabel: boolean): string {
  return isLabel ? text.padEnd(width) : text.padStart(width);
}

function interval(cell: CellJson): string {
  const bounds = cell.ci95.mdape;
  return bounds === null ? '–' : `${(100 * bounds[0]).toFixed(2)} – ${(100 * bounds[1]).toFixed(2)}`;
}

function binomialError(share: number | null, n: number): string {
  return share === null ? '–' : (100 * Math.sqrt((share * (1 - share)) / n)).toFixed(1);
}

function honesty(cell: CellJson): string {
  return cell.fsd_honesty === null
    ? '–'
    : cell.fsd_honesty.map((quintile) => (100 * quintile.within).toFixed(1)).join(' ');
}
