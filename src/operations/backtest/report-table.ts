import type { BacktestReport, CellSet } from './report.ts';
import type { LabelledCell } from './cell-table.ts';
import {
  aligned,
  AREA_COLUMNS,
  EQUITY_COLUMNS,
  INTERVAL_COLUMNS,
  labelled,
  percent,
  POINT_COLUMNS,
  section,
} from './cell-table.ts';

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
    lines.push(...section(`${title}`, AREA_COLUMNS, labelled('', cells)));
  }
  lines.push(...curveLines(report), '', `*: fewer than 30 sales. 95 % intervals by bootstrap.`, '');
  return lines.join('\n');
}

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
