import type { StratumJson } from './stratum-json.ts';

/** A column of the table: its heading and a cell's text. */
export interface TableColumn {
  readonly heading: string;
  readonly text: (stratum: StratumJson) => string;
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
  { heading: 'n', text: (stratum) => String(stratum.n) },
  { heading: 'hit %', text: (stratum) => percent(1)(stratum.hit_rate) },
  { heading: 'MdAPE', text: (stratum) => percent(2)(stratum.mdape) },
  { heading: '95 % interval', text: (stratum) => interval(stratum) },
  { heading: 'MAPE', text: (stratum) => percent(2)(stratum.mape) },
  { heading: 'PPE5', text: (stratum) => percent(1)(stratum.ppe5) },
  { heading: 'PPE10', text: (stratum) => percent(1)(stratum.ppe10) },
  { heading: 'PPE20', text: (stratum) => percent(1)(stratum.ppe20) },
  { heading: 'RT20', text: (stratum) => percent(1)(stratum.rt20) },
  { heading: 'RMSLE', text: (stratum) => number(4)(stratum.rmsle) },
  { heading: 'R²', text: (stratum) => number(3)(stratum.r2) },
];

export const EQUITY_COLUMNS: readonly TableColumn[] = [
  { heading: 'n', text: (stratum) => String(stratum.n) },
  { heading: 'median', text: (stratum) => number(3)(stratum.median_ratio) },
  { heading: 'mean', text: (stratum) => number(3)(stratum.mean_ratio) },
  { heading: 'COD', text: (stratum) => number(2)(stratum.cod) },
  { heading: 'trimmed', text: (stratum) => number(2)(stratum.cod_trimmed) },
  { heading: 'PRD', text: (stratum) => number(3)(stratum.prd) },
  { heading: 'PRB', text: (stratum) => signed(stratum.prb) },
  { heading: 'MKI', text: (stratum) => number(3)(stratum.mki) },
  { heading: 'VEI', text: (stratum) => number(1)(stratum.vei) },
];

export const INTERVAL_COLUMNS: readonly TableColumn[] = [
  { heading: 'n', text: (stratum) => String(stratum.n) },
  { heading: 'in 80 %', text: (stratum) => percent(1)(stratum.coverage_80) },
  { heading: 'in 90 %', text: (stratum) => percent(1)(stratum.coverage_90) },
  { heading: '± s.e.', text: (stratum) => binomialError(stratum.coverage_90, stratum.n) },
  { heading: 'in 95 %', text: (stratum) => percent(1)(stratum.coverage_95) },
  { heading: 'width 90 %', text: (stratum) => percent(1)(stratum.width_90) },
  { heading: 'Winkler 90', text: (stratum) => number(3)(stratum.winkler_90) },
  { heading: 'in ±FSD by fifth (68.3)', text: honesty },
];

/** Figures of each area and month. */
export const AREA_COLUMNS = [
  ...POINT_COLUMNS.slice(0, 4),
  ...EQUITY_COLUMNS.slice(1, 4),
  ...INTERVAL_COLUMNS.slice(2, 4),
];

/** Mark of strata with too few sales to rely on. */
const SMALL_MARK = ' *';

export type LabeledStratum = readonly [label: string, stratum: StratumJson];

/** Strata with their keys as labels. */
export function labeled(prefix: string, strata: Readonly<Record<string, StratumJson>>): LabeledStratum[] {
  return Object.entries(strata).map(([key, stratum]) => [`${prefix}${key}`, stratum]);
}

/** An empty line, a title and a table of strata; small strata are marked. */
export function section(
  title: string,
  columns: readonly TableColumn[],
  rows: readonly LabeledStratum[],
): string[] {
  if (rows.length === 0) return [];
  const table = [
    [title, ...columns.map((column) => column.heading)],
    ...rows.map(([label, stratum]) => [
      stratum.is_small ? label + SMALL_MARK : label,
      ...columns.map((column) => column.text(stratum)),
    ]),
  ];
  return ['', ...aligned(table)];
}

/** The first column left-aligned, figures right-aligned. A long title does not widen its column. */
export function aligned(table: readonly (readonly string[])[]): string[] {
  const widths = table[0].map((_, c) =>
    Math.max(...table.slice(c === 0 ? 1 : 0).map((strata) => strata[c].length), c === 0 ? 16 : 0),
  );
  const [heading, ...rows] = table;
  const lines = rows.map((strata) =>
    strata
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

function interval(stratum: StratumJson): string {
  const bounds = stratum.ci95.mdape;
  return bounds === null ? '–' : `${(100 * bounds[0]).toFixed(2)} – ${(100 * bounds[1]).toFixed(2)}`;
}

function binomialError(share: number | null, n: number): string {
  return share === null ? '–' : (100 * Math.sqrt((share * (1 - share)) / n)).toFixed(1);
}

function honesty(stratum: StratumJson): string {
  return stratum.fsd_honesty === null
    ? '–'
    : stratum.fsd_honesty.map((quintile) => (100 * quintile.within).toFixed(1)).join(' ');
}
