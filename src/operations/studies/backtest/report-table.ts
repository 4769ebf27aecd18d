import type { BacktestReport, StratumSet } from './report.ts';
import type { LabeledStratum } from './stratum-table.ts';
import {
  aligned,
  AREA_COLUMNS,
  EQUITY_COLUMNS,
  INTERVAL_COLUMNS,
  labeled,
  percent,
  POINT_COLUMNS,
  section,
} from './stratum-table.ts';
import { STUDY_KINDS } from './study-kinds.ts';

/** The report for a terminal: aligned, with the baselines under the model and small strata marked. */
export function formatBacktestTable(report: BacktestReport): string {
  const { protocol } = report;
  const lines = headLines(report);
  const all = accuracyRows(report, report, (set) => set);
  const kept = accuracyRows(report, report.without_bundles, (set) => set.without_bundles);
  lines.push(...section('Accuracy (percent)', POINT_COLUMNS, all));
  lines.push(
    ...section('Equity (IAAO: COD 5–15, PRD 0.98–1.03, PRB ±0.05, median 0.90–1.10)', EQUITY_COLUMNS, all),
  );
  if (protocol.bundles > 0) {
    lines.push(...section('Accuracy without bundles', POINT_COLUMNS, kept));
    lines.push(...section('Equity without bundles', EQUITY_COLUMNS, kept));
  }
  lines.push(
    ...section('Intervals (percent)', INTERVAL_COLUMNS, [
      ['all', report.overall],
      ...labeled('', report.by_type),
      ...labeled('price tier ', report.by_price_tier),
    ]),
  );
  const { breakdown } = STUDY_KINDS[report.kind];
  if (breakdown !== null) {
    const rows = rowsBeside(report, report, breakdown.name, (set) => set);
    lines.push(...section(`${breakdown.title}: accuracy (percent)`, POINT_COLUMNS, rows));
    const strata = labeled('', report[breakdown.name] ?? {});
    lines.push(...section(`${breakdown.title}: intervals (percent)`, INTERVAL_COLUMNS, strata));
  }
  for (const [title, strata] of [
    ['Areas', report.by_area],
    ['Months', report.by_month],
  ] as const) {
    lines.push(...section(`${title}`, AREA_COLUMNS, labeled('', strata)));
  }
  lines.push(
    ...curveLines(report),
    '',
    `*: fewer than 30 ${STUDY_KINDS[report.kind].words.many}. 95% intervals by bootstrap.`,
    '',
  );
  return lines.join('\n');
}

function headLines({ market, kind, protocol }: BacktestReport): string[] {
  const { words } = STUDY_KINDS[kind];
  const lag = words.one === 'sale' ? `, recording lag ${protocol.recording_lag_days} days` : '';
  const cleaned = Object.entries(protocol.not_tested).map(([reason, n]) => `${n} ${reason}`);
  return [
    `${market} · ${kind} · ${protocol.description}`,
    `${protocol.tested} ${words.many} ${words.dated} ${protocol.from} … ${protocol.to}, ${protocol.trainings} trainings${lag}; ` +
      `${protocol.bundles} of bundles, ${protocol.flagged} flagged`,
    ...(protocol.listings === null ? [] : [`By three approaches, with ${protocol.listings} listings`]),
    ...(cleaned.length > 0 ? [`Not tested: ${cleaned.join(', ')}`] : []),
  ];
}

type BaselineSets = BacktestReport['baselines'][string];

/** All types together and each type, the baselines under each. */
function accuracyRows(
  report: BacktestReport,
  model: StratumSet,
  pick: (sets: BaselineSets) => StratumSet,
): LabeledStratum[] {
  const rows: LabeledStratum[] = [['all', model.overall]];
  for (const [name, sets] of Object.entries(report.baselines)) rows.push([`  ${name}`, pick(sets).overall]);
  if (Object.keys(model.by_type).length < 2) return rows;
  return [...rows, ...rowsBeside(report, model, 'by_type', pick)];
}

/** The strata of a group, under each those of the baselines. */
function rowsBeside(
  report: BacktestReport,
  model: StratumSet,
  group: 'by_type' | 'by_bedrooms' | 'by_units',
  pick: (sets: BaselineSets) => StratumSet,
): LabeledStratum[] {
  const rows: LabeledStratum[] = [];
  for (const [key, stratum] of Object.entries(model[group] ?? {})) {
    rows.push([key, stratum]);
    for (const [name, sets] of Object.entries(report.baselines)) {
      const beside = pick(sets)[group]?.[key];
      if (beside) rows.push([`  ${name}`, beside]);
    }
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
