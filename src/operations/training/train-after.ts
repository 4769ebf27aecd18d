import { formatCount } from '../../domain/display-format.ts';
import { type Day, formatDay } from '../../domain/day.ts';
import { isFailure } from '../../errors.ts';
import { compareModels, isWorse, type Comparison } from '../../valuation/calibration/compare-models.ts';
import { joinHoldoutSales, type HoldoutSales } from '../../valuation/calibration/holdout-sales.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { predictUnseen, refitMarket, refitObstacle, unseenRows } from '../../valuation/refit-market.ts';
import type { LocationAdjustments } from '../../valuation/rental/location-adjustments.ts';
import type { OnProgress } from '../../valuation/train-job.ts';
import { trainMarket, type BoundMarket, type RunTrainJobs } from '../../valuation/train-market.ts';
import type { TrainedMarket } from '../../valuation/trained-market.ts';

/** Whether a new model becomes active, and how it was trained. */
export interface Promotion {
  /** Why it does not become active; null if it does. */
  readonly heldBack: string | null;
  /** Sentences for the operator. */
  readonly notes: readonly string[];
  /** The model that it is compared with; null if with none. */
  readonly comparedWith: string | null;
}

interface EarlierModel {
  readonly modelId: string;
  readonly trainedOn: Day;
  /** Binds it to the rows it was trained on and newer ones. */
  readonly bind: () => Promise<BoundMarket>;
}

interface TrainAfter {
  readonly columns: SaleColumns;
  readonly trainedOn: Day;
  readonly locationAdjustments: LocationAdjustments | null;
  readonly isRefit: boolean;
  readonly isActivated: boolean;
  /** The active models of the kind, oldest first. */
  readonly models: readonly EarlierModel[];
}

/** A trained market, and the out-of-sample predictions that decide whether it becomes active. */
interface Outcome {
  readonly trained: TrainedMarket;
  readonly holdout: HoldoutSales;
  readonly byCurrent: HoldoutSales;
}

/** Trains a market that may have earlier models: by a refit if wanted and possible, and compared with the current model. */
export async function trainAfter(
  runJobs: RunTrainJobs,
  onProgress: OnProgress,
  training: TrainAfter,
): Promise<{ readonly trained: TrainedMarket; readonly promotion: Promotion }> {
  const { isRefit, isActivated, models } = training;
  const notes: string[] = [];
  const newest = models.at(-1);
  const current = newest && (isRefit || !isActivated) ? await bindReadable(newest, notes) : null;
  const outcome = await runTraining(runJobs, onProgress, training, current, notes);
  const { trained } = outcome;
  if (!newest || !current || isActivated) {
    return { trained, promotion: { heldBack: null, notes, comparedWith: null } };
  }
  const compared = compareModels(
    { holdout: outcome.holdout, blend: trained.blend },
    { holdout: joinHoldoutSales([current.trained.holdout, outcome.byCurrent]), blend: current.trained.blend },
  );
  const comparedWith = newest.modelId;
  const sentence = comparisonSentence(compared, comparedWith, training.columns.kind);
  if (compared && isWorse(compared)) {
    const heldBack = `${sentence} ${lossSentence(compared)}`;
    return { trained, promotion: { heldBack, notes, comparedWith } };
  }
  return { trained, promotion: { heldBack: null, notes: [...notes, sentence], comparedWith } };
}

async function runTraining(
  runJobs: RunTrainJobs,
  onProgress: OnProgress,
  training: TrainAfter,
  current: BoundMarket | null,
  notes: string[],
): Promise<Outcome> {
  const { columns, trainedOn, locationAdjustments, isRefit, isActivated } = training;
  const obstacle = current ? refitObstacle(current, columns, trainedOn) : 'there is no earlier model to use';
  if (isRefit && current && obstacle === null) {
    const earlier = [current, ...(await olderMarkets(training, notes))];
    const settings = { locationAdjustments, isChecked: !isActivated };
    const refit = await refitMarket(columns, trainedOn, earlier, settings, onProgress, runJobs);
    return { ...refit, byCurrent: refit.byEarlier };
  }
  if (isRefit) notes.push(`It was not refitted but trained with new holdout months: ${obstacle}.`);
  const trained = await trainMarket(columns, trainedOn, { locationAdjustments }, onProgress, runJobs);
  const byCurrent = current && !isActivated ? predictUnseen(current, trainedOn) : joinHoldoutSales([]);
  return { trained, holdout: trained.holdout, byCurrent };
}

/** Null, with a note, for a model that this version cannot read. */
async function bindReadable(model: EarlierModel, notes: string[]): Promise<BoundMarket | null> {
  try {
    return await model.bind();
  } catch (error) {
    if (!isFailure(error, 'gone')) throw error;
    notes.push(`Model ${model.modelId} could not be used: ${error.message}`);
    return null;
  }
}

/** The models that are needed to predict sales that closed before the newest training and became known after it. */
async function olderMarkets(
  { models, columns, trainedOn }: TrainAfter,
  notes: string[],
): Promise<BoundMarket[]> {
  const since = models.at(-1)?.trainedOn ?? trainedOn;
  const older = models.filter((model) => model.trainedOn < since).toReversed();
  const closings = Array.from(unseenRows(columns, since, trainedOn), (row) => columns.soldOn[row]);
  const needed = new Set(
    closings.filter((day) => day <= since).map((day) => older.find((model) => model.trainedOn < day)),
  );
  const markets: BoundMarket[] = [];
  for (const model of older) {
    const market = needed.has(model) ? await bindReadable(model, notes) : null;
    if (market) markets.push(market);
  }
  return markets;
}

function comparisonSentence(compared: Comparison | null, modelId: string, rows: SaleColumns['kind']): string {
  if (compared === null) return `Too few ${rows} are new to both to compare it with model ${modelId}.`;
  const { n, from, to, candidateMdape, currentMdape } = compared;
  return (
    `On ${formatCount(n)} ${rows} of ${formatDay(from)} to ${formatDay(to)}, which neither had seen, its median ` +
    `error is ${percent(candidateMdape)}; that of model ${modelId} is ${percent(currentMdape)}.`
  );
}

function lossSentence({ difference, standardError, currentError }: Comparison): string {
  const loss = percent(difference / currentError);
  return `Its mean error is ${loss} larger, more than two standard errors (${percent((2 * standardError) / currentError)}).`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}
