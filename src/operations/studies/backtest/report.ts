import { formatDay } from '../../../domain/day.ts';
import { PROPERTY_TYPES } from '../../../domain/property.ts';
import { stepLengthText } from '../../../domain/step-length.ts';
import type { ValuationKind } from '../../../domain/valuation-kind.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { casesOf, type RatioCases } from '../../../valuation/ratio-study/cases.ts';
import {
  hitRateCurve,
  priceTiers,
  studyGroups,
  studyStratum,
} from '../../../valuation/ratio-study/strata.ts';
import { rounded, strataJson, stratumJson, type StrataJson, type StratumJson } from '../strata.ts';
import { protocolText, type BacktestProtocol, type FoldUnit } from './protocol.ts';
import { areaKey, monthKey, type StudyKind } from './study-kinds.ts';
import { baselineCases, modelCases, type TestedSales } from './tested-sales.ts';

/** Strata of a set of tested sales: all together and by type. */
export interface StratumSet {
  overall: StratumJson;
  by_type: StrataJson;
  /** Of rents: 0 … 4, 5+, unknown. */
  by_bedrooms?: StrataJson;
  /** Of buildings: 2, 3-4, 5-9, 10-19, 20-49, 50+, unknown. */
  by_units?: StrataJson;
}

/** By year of closing, or listing, and of each year by type: `2024`, `2024 houses`. */
interface YearStrata {
  by_year: StrataJson;
  by_year_and_type: StrataJson;
}

interface StratumSets extends StratumSet {
  /** Without sales of one day and price on three parcels or more. */
  without_bundles: StratumSet;
  /** Without sales that the market's own checks flag. */
  unflagged: StratumSet;
}

/** What `plumbline backtest --json` prints. Property types and other keys are in alphabetical order. */
export interface BacktestReport extends StratumSets, YearStrata {
  unflagged: StratumSet & YearStrata;
  market: string;
  kind: ValuationKind;
  protocol: {
    type: BacktestProtocol['kind'];
    description: string;
    train_before: string | null;
    from: string;
    to: string;
    every: string | null;
    folds: FoldUnit | null;
    fold_count: number | null;
    recording_lag_days: number;
    trainings: number;
    tested: number;
    bundles: number;
    flagged: number;
    /** Listings of the window that were not tested, by reason. Sales are all tested. */
    not_tested: Record<string, number>;
    /** Listings used by the two rent approaches to buildings; null = sales comparison only. */
    listings: number | null;
  };
  /** By geohash of five characters: about 4.9 × 4.9 km at the equator, 3.5 × 4.9 km at 45°. */
  by_area: StrataJson;
  /** Fifths by ½ · price + ½ · value / median ratio, '1' the cheapest. */
  by_price_tier: StrataJson;
  /** By month of closing, or listing. */
  by_month: StrataJson;
  /** What remains if only values up to an FSD are given. */
  hit_rate_curve: { fsd_max: number; n: number; hit_rate: number; mdape: number; ppe10: number }[];
  baselines: Record<string, StratumSets>;
}

interface ReportSubject {
  readonly market: string;
  readonly kind: StudyKind;
  readonly protocol: BacktestProtocol;
  readonly trainings: number;
  /** Listings by which buildings were valued, in addition to sales; null = sales comparison only. */
  readonly rents: SaleColumns | null;
  /** Rows that were not tested, by reason. */
  readonly cleaned: Readonly<Record<string, number>>;
  /** Bootstrap draws of each interval; by default those of the ratio study. */
  readonly resamples?: number;
}

/** Measures the tested sales; there must be at least one. */
export function measureBacktest(subject: ReportSubject, tested: TestedSales): BacktestReport {
  const { columns, rows } = tested;
  const { market, resamples } = subject;
  const { kind, breakdown } = subject.kind;
  const cases = modelCases(tested);
  const keysOf = (keyOf: (row: number) => string): string[] => Array.from(rows, keyOf);
  const types = keysOf((row) => PROPERTY_TYPES[columns.type[row]]);
  const areas = keysOf((row) => areaKey(columns.lat[row], columns.lon[row]));
  const months = keysOf((row) => monthKey(columns.soldOn[row]));
  const years = months.map((month) => month.slice(0, 4));
  const typesOfYears = types.map((type, position) => `${years[position]} ${type}`);
  const brackets = breakdown ? keysOf((row) => breakdown.keyOf(columns, row)) : [];
  const groups = (of: RatioCases, keys: readonly string[]) => studyGroups(of, keys, resamples);

  /** The rows without a mark: their cases, and those of their keys. */
  const keptOf = (of: RatioCases, marks: Uint8Array | null) => {
    const positions = [...rows.keys()].filter((position) => !marks?.[position]);
    const pick = (keys: readonly string[]): string[] => positions.map((position) => keys[position]);
    return { kept: casesOf(of, positions), pick };
  };
  const byYear = (marks: Uint8Array | null): YearStrata => {
    const { kept, pick } = keptOf(cases, marks);
    return {
      by_year: strataJson(groups(kept, pick(years))),
      by_year_and_type: strataJson(groups(kept, pick(typesOfYears))),
    };
  };
  /** The strata of the rows without a mark. */
  const unmarked = (of: RatioCases, marks: Uint8Array | null): StratumSet => {
    const { kept, pick } = keptOf(of, marks);
    const set = {
      overall: stratumJson(studyStratum(kept, resamples)),
      by_type: strataJson(groups(kept, pick(types))),
    };
    if (breakdown === null) return set;
    const { name, keys: order } = breakdown;
    const strata = [...groups(kept, pick(brackets))];
    return {
      ...set,
      [name]: strataJson(new Map(strata.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)))),
    };
  };
  const sets = (of: RatioCases): StratumSets => ({
    ...unmarked(of, null),
    without_bundles: unmarked(of, tested.isBundle),
    unflagged: unmarked(of, tested.isFlagged),
  });
  const ofModel = sets(cases);
  return {
    market,
    kind,
    protocol: protocolJson(subject, tested),
    ...ofModel,
    unflagged: { ...ofModel.unflagged, ...byYear(tested.isFlagged) },
    ...byYear(null),
    by_area: strataJson(groups(cases, areas)),
    by_price_tier: strataJson(groups(cases, priceTiers(cases))),
    by_month: strataJson(groups(cases, months)),
    hit_rate_curve: hitRateCurve(cases).map((point) => ({
      fsd_max: point.fsdMax,
      n: point.n,
      hit_rate: rounded(point.hitRate),
      mdape: rounded(point.mdape),
      ppe10: rounded(point.ppe10),
    })),
    baselines: Object.fromEntries(
      Object.keys(tested.baselines).map((name) => [name, sets(baselineCases(tested, name))]),
    ),
  };
}

function protocolJson(
  { protocol, trainings, cleaned, rents }: ReportSubject,
  { columns, rows, isBundle, isFlagged }: TestedSales,
): BacktestReport['protocol'] {
  const days = Int32Array.from(rows, (row) => columns.soldOn[row]).sort();
  const count = (marks: Uint8Array): number => marks.reduce((sum, mark) => sum + mark, 0);
  return {
    type: protocol.kind,
    description: protocolText(protocol),
    train_before: protocol.kind === 'frozen' ? formatDay(protocol.trainBefore) : null,
    from: formatDay(days[0]),
    to: formatDay(days[days.length - 1]),
    every: protocol.kind === 'walk_forward' ? stepLengthText(protocol.every) : null,
    folds: protocol.kind === 'folds' ? protocol.unit : null,
    fold_count: protocol.kind === 'folds' ? protocol.count : null,
    recording_lag_days: columns.recordingLagDays,
    trainings,
    tested: rows.length,
    bundles: count(isBundle),
    flagged: count(isFlagged),
    not_tested: { ...cleaned },
    listings: rents?.n ?? null,
  };
}
