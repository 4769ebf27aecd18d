import type { Day } from '../../../domain/day.ts';
import { blendedAt, correctedBy } from '../../../valuation/calibration/blend.ts';
import { holdoutSalesOf } from '../../../valuation/calibration/holdout-sales.ts';
import type { HoldoutSales } from '../../../valuation/calibration/holdout-sales.ts';
import { imputeSubject } from '../../../valuation/imputation/impute-subject.ts';
import { distributionOf } from '../../../valuation/calibration/distribution.ts';
import { rawEstimates } from '../../../valuation/comparables/estimate.ts';
import { homeOfSale } from '../../../valuation/columns/home-of-sale.ts';
import { buildSalesData } from '../../../valuation/comparables/sales-data.ts';
import type { SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { holdoutSaleOf, type ModelMaker } from '../../../valuation/train-job.ts';
import { learnFromHoldout, newestScores, outOfFoldScores } from '../../../valuation/train-market.ts';
import { valueHome } from '../../../valuation/value-home.ts';
import type {
  HoldoutResult,
  HoldoutTask,
  ServedTask,
  ServedValues,
  StudiedMarket,
  StudyMethod,
  StudyValues,
} from './study-method.ts';
import { collectValues, momentOf, trainServed } from './served-values.ts';

/**
 * A market's model as the service runs it, in the two halves that a study needs: fit and raw estimates of the
 * sales' homes as recorded, then levels, blend and distribution. Values equal the service's but for the rounding of
 * single comparables to whole dollars.
 */
export function studyMethodOf(maker: ModelMaker): StudyMethod {
  return {
    valueHoldout: (columns, task) => valueHoldout(maker, columns, task),
    finish,
    valueServed: (market, task) => valueServed(maker, market, task),
  };
}

function valueHoldout(maker: ModelMaker, columns: SaleColumns, task: HoldoutTask): HoldoutResult {
  const predictor = maker.bind(maker.fit(columns, task.trainedOn), columns);
  const salesData = buildSalesData(columns, predictor);
  const sales = Array.from(task.rows, (row) => {
    const asOf = columns.soldOn[row];
    const moment = { asOf, knownBy: task.knownBy ?? asOf - 1 };
    const subject = imputeSubject(salesData, homeOfSale(columns, row), {}, moment);
    return holdoutSaleOf(columns, row, task.trainedOn, rawEstimates(salesData, [subject], moment)[0]);
  });
  return { holdout: holdoutSalesOf(sales), crossValidated: outOfFoldScores(predictor) };
}

function finish(trainedOn: Day, holdout: HoldoutSales, result: HoldoutResult): StudyValues {
  const { holdout: tested, crossValidated } = result;
  const learned = learnFromHoldout(newestScores(holdout), trainedOn, () => crossValidated);
  const corrected = correctedBy(tested, learned.blend);
  return collectValues(tested.n, (i) => {
    const logPoint = blendedAt(tested, corrected, learned.blend, i);
    const pointUsd = Math.max(1, Math.round(Math.exp(logPoint)));
    const home = homeOf(tested, i, logPoint);
    return { pointUsd, distribution: distributionOf(learned.calibration, home, pointUsd) };
  });
}

/** Trained and asked exactly as a service is. */
async function valueServed(
  maker: ModelMaker,
  { columns }: StudiedMarket,
  task: ServedTask,
): Promise<ServedValues> {
  const market = await trainServed(maker, columns, task);
  const values = collectValues(task.rows.length, (i) => {
    const home = homeOfSale(columns, task.rows[i]);
    const { estimate, distribution } = valueHome(market, home, {}, momentOf(columns, task, i));
    return { pointUsd: estimate.pointUsd, distribution };
  });
  return { ...values, alternatives: {} };
}

function homeOf(tested: HoldoutSales, i: number, logPoint: number) {
  const width = tested.difficultyWidth;
  return {
    lat: tested.lat[i],
    lon: tested.lon[i],
    type: tested.type[i],
    logPoint,
    difficulty: tested.difficulty.subarray(i * width, (i + 1) * width),
    variantsSpread: tested.variantsSpread[i],
    ageDays: tested.ageDays[i],
  };
}
