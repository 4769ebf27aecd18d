import { aligned, EQUITY_TITLE, labeled, percent, section, type LabeledStratum } from '../strata.ts';
import type { BacktestReport, StratumSet } from './report.ts';
import { STUDY_KINDS } from './study-kinds.ts';

/** The report for a terminal: aligned, with the baselines under the model and small strata marked. */
export function formatBacktestTable(report: BacktestReport): string {
  const { breakdown, words } = STUDY_KINDS[report.kind];
  const all = accuracyRows(report, report, (set) => set);
  const lines = [
    ...headLines(report),
    ...section('Accuracy (percent)', 'point', all),
    ...section(EQUITY_TITLE, 'equity', all),
  ];
  if (report.protocol.bundles > 0) {
    const kept = accuracyRows(report, report.without_bundles, (set) => set.without_bundles);
    lines.push(...section('Accuracy without bundles', 'point', kept));
    lines.push(...section('Equity without bundles', 'equity', kept));
  }
  lines.push(
    ...section('Intervals (percent)', 'intervals', [
      ['all', report.overall],
      ...labeled('', report.by_type),
      ...labeled('price tier ', report.by_price_tier),
    ]),
  );
  if (breakdown !== null) {
    const { name, title } = breakdown;
    const rows = rowsWithBaselines(report, report, name, (set) => set);
    lines.push(...section(`${title}: accuracy (percent)`, 'point', rows));
    lines.push(...section(`${title}: intervals (percent)`, 'intervals', labeled('', report[name] ?? {})));
  }
  lines.push(
    ...section('Areas', 'areas', labeled('', report.by_area)),
    ...section('Years', 'areas', labeled('', report.by_year)),
    ...section('Years: equity', 'equity', labeled('', report.by_year)),
    ...section('Months', 'areas', labeled('', report.by_month)),
    ...curveLines(report),
    '',
    `*: fewer than 30 ${words.many}. 95% intervals by bootstrap.`,
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

type PickSet = (sets: BacktestReport['baselines'][string]) => StratumSet;

/** All types together and each type, with the baselines under each. */
function accuracyRows(report: BacktestReport, model: StratumSet, pick: PickSet): LabeledStratum[] {
  const baselines = Object.entries(report.baselines);
  return [
    ['all', model.overall],
    ...baselines.map(([name, sets]): LabeledStratum => [`  ${name}`, pick(sets).overall]),
    ...(Object.keys(model.by_type).length < 2 ? [] : rowsWithBaselines(report, model, 'by_type', pick)),
  ];
}

/** The strata of a group, with those of the baselines under each. */
function rowsWithBaselines(
  report: BacktestReport,
  model: StratumSet,
  group: Exclude<keyof StratumSet, 'overall'>,
  pick: PickSet,
): LabeledStratum[] {
  return Object.entries(model[group] ?? {}).flatMap(([key, stratum]): LabeledStratum[] => [
    [key, stratum],
    ...Object.entries(report.baselines).flatMap(([name, sets]): LabeledStratum[] => {
      const baseline = pick(sets)[group]?.[key];
      return baseline ? [[`  ${name}`, baseline]] : [];
    }),
  ]);
}

function curveLines({ hit_rate_curve: points }: BacktestReport): string[] {
  if (points.length === 0) return [];
  const rows = points.map((point) => [
    `FSD ≤ ${point.fsd_max}`,
    String(point.n),
    percent(point.hit_rate, 1),
    percent(point.mdape, 2),
    percent(point.ppe10, 1),
  ]);
  const headings = ['If only values up to an FSD were given', 'n', 'given %', 'MdAPE', 'PPE10'];
  return ['', ...aligned([headings, ...rows])];
}
