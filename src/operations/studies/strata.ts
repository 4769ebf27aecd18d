import { writeRecord } from '../../tables/write-csv.ts';
import type { Figure } from '../../valuation/ratio-study/figures.ts';
import type { Interval95, StratumStudy } from '../../valuation/ratio-study/strata.ts';

/** Figures of a report, defined in docs/methods/measuring.md. Rates are fractions; COD and VEI are percentages, as IAAO writes them. */
const FIGURE_NAMES = {
  hit_rate: 'hitRate',
  mdape: 'mdape',
  mape: 'mape',
  ppe5: 'ppe5',
  ppe10: 'ppe10',
  ppe20: 'ppe20',
  rt20: 'rt20',
  rmsle: 'rmsle',
  r2: 'r2',
  median_ratio: 'medianRatio',
  mean_ratio: 'meanRatio',
  cod: 'cod',
  cod_trimmed: 'codTrimmed',
  prd: 'prd',
  prb: 'prb',
  mki: 'mki',
  vei: 'vei',
  coverage_80: 'coverage80',
  coverage_90: 'coverage90',
  coverage_95: 'coverage95',
  width_90: 'width90',
  winkler_90: 'winkler90',
} as const satisfies Record<string, Figure>;

type FigureName = keyof typeof FIGURE_NAMES;

const NAMES = Object.keys(FIGURE_NAMES) as FigureName[];

interface FsdQuintileJson {
  quintile: number;
  n: number;
  fsd_mean: number;
  within: number;
  standard_error: number;
  ci95: Interval95 | null;
}

export type StratumJson = { n: number; is_small: boolean } & { [N in FigureName]: number | null } & {
  fsd_honesty: FsdQuintileJson[] | null;
  ci95: { [N in FigureName]: Interval95 | null };
};

export type StrataJson = Record<string, StratumJson>;

export function stratumJson(stratum: StratumStudy): StratumJson {
  const figures = {} as { [N in FigureName]: number | null };
  const ci95 = {} as { [N in FigureName]: Interval95 | null };
  for (const name of NAMES) {
    const figure = stratum.figures[FIGURE_NAMES[name]];
    figures[name] = figure === null ? null : rounded(figure);
    ci95[name] = roundedInterval(stratum.ci95[FIGURE_NAMES[name]]);
  }
  const honesty = stratum.fsdHonesty.map((quintile) => ({
    quintile: quintile.quintile,
    n: quintile.n,
    fsd_mean: rounded(quintile.fsdMean),
    within: rounded(quintile.within),
    standard_error: rounded(quintile.standardError),
    ci95: roundedInterval(quintile.ci95),
  }));
  return {
    n: stratum.n,
    is_small: stratum.isSmall,
    ...figures,
    fsd_honesty: honesty.length > 0 ? honesty : null,
    ci95,
  };
}

export function strataJson(strata: ReadonlyMap<string, StratumStudy>): StrataJson {
  return Object.fromEntries([...strata].map(([key, stratum]) => [key, stratumJson(stratum)]));
}

/** Six decimals: with 25,000 sales, a figure is known to the third or fourth. */
export function rounded(figure: number): number {
  return Number(figure.toFixed(6));
}

function roundedInterval(interval: Interval95 | null): Interval95 | null {
  return interval && [rounded(interval[0]), rounded(interval[1])];
}

/** A column of a table: its heading and a stratum's text. */
type TableColumn = readonly [heading: string, textOf: (stratum: StratumJson) => string];

const shown = (figure: number | null, textOf: (figure: number) => string): string =>
  figure === null ? '–' : textOf(figure);
export const percent = (figure: number | null, digits: number): string =>
  shown(figure, (share) => (100 * share).toFixed(digits));
const inPercent = (name: FigureName, digits: number) => (stratum: StratumJson) =>
  percent(stratum[name], digits);
const number = (name: FigureName, digits: number) => (stratum: StratumJson) =>
  shown(stratum[name], (figure) => figure.toFixed(digits));

const POINT_COLUMNS: readonly TableColumn[] = [
  ['n', ({ n }) => String(n)],
  ['hit %', inPercent('hit_rate', 1)],
  ['MdAPE', inPercent('mdape', 2)],
  ['95 % interval', mdapeInterval],
  ['MAPE', inPercent('mape', 2)],
  ['PPE5', inPercent('ppe5', 1)],
  ['PPE10', inPercent('ppe10', 1)],
  ['PPE20', inPercent('ppe20', 1)],
  ['RT20', inPercent('rt20', 1)],
  ['RMSLE', number('rmsle', 4)],
  ['R²', number('r2', 3)],
];

const EQUITY_COLUMNS: readonly TableColumn[] = [
  ['n', ({ n }) => String(n)],
  ['median', number('median_ratio', 3)],
  ['mean', number('mean_ratio', 3)],
  ['COD', number('cod', 2)],
  ['trimmed', number('cod_trimmed', 2)],
  ['PRD', number('prd', 3)],
  ['PRB', ({ prb }) => shown(prb, (figure) => `${figure < 0 ? '-' : '+'}${Math.abs(figure).toFixed(3)}`)],
  ['MKI', number('mki', 3)],
  ['VEI', number('vei', 1)],
];

const INTERVAL_COLUMNS: readonly TableColumn[] = [
  ['n', ({ n }) => String(n)],
  ['in 80 %', inPercent('coverage_80', 1)],
  ['in 90 %', inPercent('coverage_90', 1)],
  ['± s.e.', coverageError],
  ['in 95 %', inPercent('coverage_95', 1)],
  ['width 90 %', inPercent('width_90', 1)],
  ['Winkler 90', number('winkler_90', 3)],
  ['in ±FSD by fifth (68.3)', honesty],
];

/** The columns of each kind of table. A table of areas or months has a few of each. */
const COLUMNS = {
  point: POINT_COLUMNS,
  equity: EQUITY_COLUMNS,
  intervals: INTERVAL_COLUMNS,
  areas: [...POINT_COLUMNS.slice(0, 4), ...EQUITY_COLUMNS.slice(1, 4), ...INTERVAL_COLUMNS.slice(2, 4)],
} as const;

export const EQUITY_TITLE = 'Equity (IAAO: COD 5–15, PRD 0.98–1.03, PRB ±0.05, VEI ±10, median 0.90–1.10)';

export type LabeledStratum = readonly [label: string, stratum: StratumJson];

/** Strata with their keys as labels. */
export function labeled(prefix: string, strata: Readonly<StrataJson>): LabeledStratum[] {
  return Object.entries(strata).map(([key, stratum]) => [`${prefix}${key}`, stratum]);
}

/** An empty line, a title and a table of strata. A star marks strata with too few sales to rely on. */
export function section(
  title: string,
  columns: keyof typeof COLUMNS,
  rows: readonly LabeledStratum[],
): string[] {
  if (rows.length === 0) return [];
  const table = [
    [title, ...COLUMNS[columns].map(([heading]) => heading)],
    ...rows.map(([label, stratum]) => [
      stratum.is_small ? `${label} *` : label,
      ...COLUMNS[columns].map(([, textOf]) => textOf(stratum)),
    ]),
  ];
  return ['', ...aligned(table)];
}

/** The first column left-aligned, figures right-aligned. A long title does not widen its column. */
export function aligned(table: readonly (readonly string[])[]): string[] {
  const [[title, ...headings], ...rows] = table;
  const lines = [['', ...headings], ...rows];
  const widths = lines[0].map((_, c) => Math.max(...lines.map((line) => line[c].length), c === 0 ? 16 : 0));
  const padded = lines.map((line) =>
    line.map((text, c) => (c === 0 ? text.padEnd(widths[c]) : text.padStart(widths[c]))),
  );
  return [title, ...padded.map((line) => line.join('  ').trimEnd())];
}

function mdapeInterval({ ci95: { mdape } }: StratumJson): string {
  return mdape === null ? '–' : `${percent(mdape[0], 2)} – ${percent(mdape[1], 2)}`;
}

/** Standard error of the 90% coverage: that of a binomial share. */
function coverageError({ coverage_90: coverage, n }: StratumJson): string {
  return shown(coverage, (share) => percent(Math.sqrt((share * (1 - share)) / n), 1));
}

function honesty({ fsd_honesty: quintiles }: StratumJson): string {
  return quintiles === null ? '–' : quintiles.map(({ within }) => percent(within, 1)).join(' ');
}

/** Strata by the name of their group, such as `by_type`: one line of CSV per stratum, each figure with its 95% interval. */
export function* strataCsv(groups: Readonly<Record<string, Readonly<StrataJson>>>): Generator<string> {
  const figures = NAMES.flatMap((name) => [name, `${name}_ci95_low`, `${name}_ci95_high`]);
  yield csvLine(['group', 'cell', 'n', 'is_small', ...figures]);
  for (const [group, strata] of Object.entries(groups)) {
    for (const [key, stratum] of Object.entries(strata)) {
      const values = NAMES.flatMap((name) => [stratum[name], ...(stratum.ci95[name] ?? [null, null])]);
      const { n, is_small: isSmall } = stratum;
      yield csvLine([group, key, n, Number(isSmall), ...values.map((value) => value ?? NaN)]);
    }
  }
}

/** One line of CSV with its line end. A number that is not finite is an empty cell. */
export function csvLine(cells: readonly (string | number)[]): string {
  const known = cells.map((cell) => (typeof cell === 'string' || Number.isFinite(cell) ? cell : null));
  return writeRecord(known, '\n');
}
