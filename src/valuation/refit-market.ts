import { addMonths, type Day } from '../domain/day.ts';
import { CALIBRATION } from './calibration/calibration-constants.ts';
import {
  holdoutSalesOf,
  joinHoldoutSales,
  pickHoldoutSales,
  type HoldoutSales,
} from './calibration/holdout-sales.ts';
import type { SaleColumns } from './columns/sale-columns.ts';
import { holdoutWithAdjustments } from './rental/location-adjustments.ts';
import { holdoutRows, predictHoldout, type OnProgress, type TrainJob } from './train-job.ts';
import {
  completeMarket,
  fitJobs,
  newestSale,
  trainingColumns,
  usedColumns,
  type BoundMarket,
  type RunTrainJobs,
  type TrainSettings,
} from './train-market.ts';
import type { TrainedMarket } from './trained-market.ts';

/** Holdout sales closed at most this long after the training of the model that predicted them. */
const MAX_GAP_DAYS = 62;
/** Sales that became known since a training are compared if they closed at most this long before it. */
const UNSEEN_MONTHS = 6;

interface RefitSettings extends TrainSettings {
  /** Whether a second model is fit, as of the earlier training, to compare it with the earlier model. */
  readonly isChecked: boolean;
}

interface Refit {
  readonly trained: TrainedMarket;
  /** The holdout sales and all that became known since, which the check has predicted. Empty without such sales. */
  readonly holdout: HoldoutSales;
  /** Predictions of the earlier model: of the sales that became known since its training. */
  readonly byEarlier: HoldoutSales;
}

/**
 * Why a model cannot be refitted, as the end of a sentence; null if it can: a refit keeps the holdout sales of the
 * earlier model, which predicts the sales that closed since.
 */
export function refitObstacle(
  { trained, columns: seen }: BoundMarket,
  columns: SaleColumns,
  trainedOn: Day,
): string | null {
  const { holdout } = trained;
  const tested = trained.choice?.tests ?? seen.features;
  const known = new Set([...tested, ...seen.features].map(({ name }) => name));
  const names = new Set(columns.features.map(({ name }) => name));
  if (trained.trainedOn >= trainedOn) return 'the earlier model is not older';
  if (holdout.n < CALIBRATION.enoughScores) return 'the earlier model has few holdout sales';
  if (holdout.soldOn.some((day, i) => day <= holdout.trainedOn[i])) {
    return 'the holdout of the earlier model was chosen at random, not by date';
  }
  if (![...names].every((name) => known.has(name)) || !seen.features.every(({ name }) => names.has(name))) {
    return 'the columns of the files have changed';
  }
  if (newestSale(columns, trainedOn) - trained.trainedOn > MAX_GAP_DAYS) {
    return `the earlier model was trained more than ${MAX_GAP_DAYS} days before the newest sale`;
  }
  return null;
}

/**
 * Trains a market by one fit. Holdout sales are those of the earlier model, and the sales that became known since, each
 * predicted by the newest model that was trained before it closed: these predictions need no fit.
 *
 * @param earlier earlier models, newest first, each bound to its columns and newer sales; none that `refitObstacle` rejects
 */
export async function refitMarket(
  loaded: SaleColumns,
  trainedOn: Day,
  earlier: readonly BoundMarket[],
  given: RefitSettings,
  onProgress?: OnProgress,
  runJobs?: RunTrainJobs,
): Promise<Refit> {
  const [newest] = earlier;
  const { trainedOn: since, features, choice } = newest.trained;
  const settings = { ...given, features, choice };
  const rows = usedColumns(loaded, settings);
  const columns = trainingColumns(rows, settings);
  const jobs: TrainJob[] = [{ kind: 'model', trainedOn }];
  if (settings.isChecked) {
    jobs.push({ kind: 'holdout', trainedOn: since, rows: unseenRows(columns, since, trainedOn) });
  }
  const predictEarlier = async () => ({
    byEarlier: predictUnseen(newest, trainedOn),
    byOlder: earlier.slice(1).map((market, i) => predictClosedBefore(market, earlier[i], since, trainedOn)),
  });
  // While other threads fit, this one predicts.
  const [{ model, fresh }, { byEarlier, byOlder }] = await Promise.all([
    fitJobs(columns, jobs, settings, onProgress, runJobs),
    predictEarlier(),
  ]);
  const adjustments = settings.locationAdjustments ?? null;
  const [checked = byEarlier] = fresh.map((sales) =>
    adjustments ? holdoutWithAdjustments(sales, adjustments) : sales,
  );
  const kept = [newest.trained.holdout, ...byOlder];
  const holdout = recentHoldout(inOrder(joinHoldoutSales([...kept, closedAfter(checked, since)])));
  return {
    trained: completeMarket(rows, trainedOn, model, holdout, settings),
    holdout: checked.n > 0 ? joinHoldoutSales([...kept, checked]) : checked,
    byEarlier,
  };
}

/** Predictions, by a model, of the sales that became known since its training. */
export function predictUnseen(market: BoundMarket, knownBy: Day): HoldoutSales {
  const { trainedOn } = market.trained;
  return predictRows(market, unseenRows(market.columns, trainedOn, knownBy));
}

/** Sales that became known after a day, so that no model of that day has seen them. */
export function unseenRows(columns: SaleColumns, since: Day, knownBy: Day): Int32Array {
  const rows = holdoutRows(columns, knownBy, addMonths(since, -UNSEEN_MONTHS), knownBy);
  const unseen = rows.filter((row) => columns.availableOn[row] > since);
  return unseen.slice(-CALIBRATION.maxHoldoutPerMonth);
}

/** The sales that became known since a day, and closed after the training of this model and by that of the next. */
function predictClosedBefore(market: BoundMarket, next: BoundMarket, since: Day, knownBy: Day): HoldoutSales {
  const { columns, trained } = market;
  const rows = holdoutRows(columns, knownBy, trained.trainedOn + 1, next.trained.trainedOn);
  return predictRows(
    market,
    rows.filter((row) => columns.availableOn[row] > since),
  );
}

function predictRows({ columns, salesData, trained }: BoundMarket, rows: Int32Array): HoldoutSales {
  const job = { kind: 'holdout', trainedOn: trained.trainedOn, rows } as const;
  return holdoutSalesOf(predictHoldout(columns, salesData, job, rows));
}

function closedAfter(sales: HoldoutSales, day: Day): HoldoutSales {
  return pickWhere(sales, (i) => sales.soldOn[i] > day);
}

function pickWhere(sales: HoldoutSales, isWanted: (i: number) => boolean): HoldoutSales {
  return pickHoldoutSales(sales, Int32Array.from(sales.type.keys()).filter(isWanted));
}

/** By training day of the model that predicted them. */
function inOrder(sales: HoldoutSales): HoldoutSales {
  const rows = Int32Array.from(sales.trainedOn.keys());
  return pickHoldoutSales(
    sales,
    rows.sort((a, b) => sales.trainedOn[a] - sales.trainedOn[b] || a - b),
  );
}

/** The last months, more than a training can fit: they cost nothing here. */
function recentHoldout(sales: HoldoutSales): HoldoutSales {
  const newest = sales.soldOn.reduce((last, day) => Math.max(last, day), -Infinity);
  const from = addMonths(newest + 1, -CALIBRATION.maxHoldoutMonths) - 1;
  return pickWhere(sales, (i) => sales.trainedOn[i] >= from);
}
