import type { BacktestReport, CellSet } from './report.ts';
import type { CellJson } from './cell-json.ts';

/** A column of the table: its heading and a cell's text. */
interface TableColumn {
  readonly heading: string;
  readonly text: (cell: CellJson) => string;
}

const percent =
  (digits: number) =>
  (figure: number | null): string =>
    figure === null ? '–' : (100 * figure).toFixed(digits);
const number =
  (digits: number) =>
  (figure: number | null): string =>
    figure === null ? '–' : figure.toFixed(digits);
const signed = (figure: number | null): string =>
  figure === null ? '–' : `${figure < 0 ? '−' : '+'}${Math.abs(figure).toFixed(3)}`;

const POINT_COLUMNS: readonly TableColumn[] = [
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

const EQUITY_COLUMNS: readonly TableColumn[] = [
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

const INTERVAL_COLUMNS: readonly TableColumn[] = [
  { heading: 'n', text: (cell) => String(cell.n) },
  { heading: 'in 80 %', text: (cell) => percent(1)(cell.coverage_80) },
  { heading: 'in 90 %', text: (cell) => percent(1)(cell.coverage_90) },
  { heading: '± s.e.', text: (cell) => binomialError(cell.coverage_90, cell.n) },
  { heading: 'in 95 %', text: (cell) => percent(1)(cell.coverage_95) },
  { heading: 'width 90 %', text: (cell) => percent(1)(cell.width_90) },
  { heading: 'Winkler 90', text: (cell) => number(3)(cell.winkler_90) },
  { heading: 'in ±FSD by fifth (68.3)', text: honesty },
];

/** Cells with too few sales to rest anything on carry this mark. */
const SMALL_MARK = ' *';

/** The report for a terminal: aligned, baselines beside the model, small cells marked. */
export function formatBacktestTable(report: BacktestReport): string {
  const { protocol } = report;
  const lines = [
    `${report.market} · ${protocol.description}`,
    `${protocol.tested} sales closed ${protocol.from} … ${protocol.to}, ${protocol.trainings} trainings, recording lag ${protocol.recording_lag_days} days; ` +
      `${protocol.bundles} of bundles, ${protocol.flagged} flagged`,
  ];
  const all = accuracyRows(report, report, (set) => set);
  const kept = accuracyRows(report, report.without_bundles, (set) => set.without_bundles);
  lines.push(...section('Accuracy (per cent)', POINT_COLUMNS, all));
  lines.push(
    ...section('Equity (IAAO: COD 5–15, PRD 0.98–1.03, PRB ±0.05, median 0.90–1.10)', EQUITY_COLUMNS, all),
  );
  if (protocol.bundles > 0) {
    lines.push(...section('Accuracy without bundles', POINT_COLUMNS, kept));
    lines.push(...section('Equity without bundles', EQUITY_COLUMNS, kept));
  }
  lines.push(
    ...section('Intervals (per cent)', INTERVAL_COLUMNS, [
      ['all', report.overall],
      ...labelled('', report.by_type),
      ...labelled('price tier ', report.by_price_tier),
    ]),
  );
  for (const [title, cells] of [
    ['Areas', report.by_area],
    ['Months', report.by_month],
  ] as const) {
    lines.push(
      ...section(
        `${title}`,
        [...POINT_COLUMNS.slice(0, 4), ...EQUITY_COLUMNS.slice(1, 4), ...INTERVAL_COLUMNS.slice(2, 4)],
        labelled('', cells),
      ),
    );
  }
  lines.push(...curveLines(report), '', `*: fewer than 30 sales. 95 % intervals by bootstrap.`, '');
  return lines.join('\n');
}

type LabelledCell = readonly [label: string, cell: CellJson];
type BaselineSets = BacktestReport['baselines'][string];

/** All types together and each type, the baselines under each. */
function accuracyRows(
  report: BacktestReport,
  model: CellSet,
  pick: (sets: BaselineSets) => CellSet,
): LabelledCell[] {
  const baselines = Object.entries(report.baselines).map(([name, sets]) => ({ name, set: pick(sets) }));
  const rows: LabelledCell[] = [['all', model.overall]];
  for (const { name, set } of baselines) rows.push([`  ${name}`, set.overall]);
  if (Object.keys(model.by_type).length < 2) return rows;
  for (const [type, cell] of Object.entries(model.by_type)) {
    rows.push([type, cell]);
    for (const { name, set } of baselines) rows.push([`  ${name}`, set.by_type[type]]);
  }
  return rows;
}

function labelled(prefix: string, cells: Readonly<Record<string, CellJson>>): LabelledCell[] {
  return Object.entries(cells).map(([key, cell]) => [`${prefix}${key}`, cell]);
}

function section(title: string, columns: readonly TableColumn[], rows: readonly LabelledCell[]): string[] {
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
function aligned(table: readonly (readonly string[])[]): string[] {
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

function curveLines(report: BacktestReport): string[] {
  if (report.hit_rate_curve.length === 0) return [];
  const table = [
    ['If only values up to an FSD were given', 'n', 'given %', 'MdAPE', 'PPE10'],
    ...report.hit_rate_curve.map((point) => [
      `FSD ≤ ${point.fsd_max}`,
      String(point.n),
      percent(1)(point.hit_rate),
      percent(2)(point.mdape),
      percent(1)(point.ppe10),
    ]),
  ];
  return ['', ...aligned(table)];
}
