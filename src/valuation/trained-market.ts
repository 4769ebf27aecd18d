import { takeArray } from '../array-archive.ts';
import type { Day } from '../domain/day.ts';
import type { Corrected } from './calibration/correction.ts';
import { FOREST_COLUMNS } from './trees/forest.ts';
import type { Calibration } from './calibration/calibration.ts';
import type { StratumAccuracy } from './calibration/holdout-cases.ts';
import { HOLDOUT_COLUMNS, type HoldoutSales } from './calibration/holdout-sales.ts';
import type { FeatureChoice } from '../domain/own-features.ts';
import type { LocationAdjustments } from './rental/location-adjustments.ts';
import { archiveColumns, openModel, packModel, takeColumns } from './typed-columns.ts';

/** Everything needed to value homes of a market, except its sales. */
export interface TrainedMarket extends Corrected {
  readonly trainedOn: Day;
  readonly model: Uint8Array;
  /** Names of the market's own columns that it uses; null: all. */
  readonly features: readonly string[] | null;
  /** The test that chose them; null without one. */
  readonly choice: FeatureChoice | null;
  readonly calibration: Calibration;
  /** Measured on the holdout sales: the whole market, then its types and their confidence levels. Empty without any. */
  readonly accuracy: readonly StratumAccuracy[];
  readonly holdout: HoldoutSales;
  /** Learned from sales; null in a model of sales and in a market with many listings. */
  readonly locationAdjustments: LocationAdjustments | null;
}

const ARCHIVE = { kind: 'trained-market', format: 5, name: 'trained market' } as const;

/** The archive's header: everything but the arrays. */
interface Meta
  extends
    Pick<TrainedMarket, 'trainedOn' | 'accuracy'>,
    Pick<Calibration, 'centerLat' | 'centerLon' | 'placeUnitMi' | 'priceUnit' | 'indexVariance'>,
    Pick<HoldoutSales, 'difficultyWidth'> {
  readonly scaleBase: number;
  readonly correction?: { readonly base: number; readonly trust: number };
  /** Absent in models of earlier programs. */
  readonly features?: TrainedMarket['features'];
  readonly choice?: TrainedMarket['choice'];
}

const LOCATION_COLUMNS = { lat: 'float64', lon: 'float64', offset: 'float64' } as const;
const BLEND_COLUMNS = {
  comparablesWeight: 'float64',
  ownTrust: 'float64',
} as const;
const SCALE_COLUMNS = {
  low: 'float64',
  high: 'float64',
  center: 'float64',
  spread: 'float64',
  slope: 'float64',
} as const;
const SCORE_COLUMNS = {
  scores: 'float64',
  type: 'uint8',
  logPoint: 'float64',
  eastMi: 'float64',
  northMi: 'float64',
} as const;

/** The market as bytes. Equal markets give equal bytes: a model is named by their hash. */
export function encodeTrained(trained: TrainedMarket): Uint8Array {
  const { blend, correction, calibration, holdout, locationAdjustments } = trained;
  const { centerLat, centerLon, placeUnitMi, priceUnit, indexVariance } = calibration;
  const meta: Meta = {
    trainedOn: trained.trainedOn,
    accuracy: trained.accuracy,
    scaleBase: calibration.scale.base,
    centerLat,
    centerLon,
    placeUnitMi,
    priceUnit,
    indexVariance,
    difficultyWidth: holdout.difficultyWidth,
    ...(correction && { correction: { base: correction.forest.base, trust: correction.trust } }),
    ...(trained.features && { features: trained.features }),
    ...(trained.choice && { choice: trained.choice }),
  };
  return packModel(ARCHIVE, meta, {
    model: trained.model,
    'holdout.difficulty': holdout.difficulty,
    ...archiveColumns(HOLDOUT_COLUMNS, 'holdout', holdout),
    ...archiveColumns(BLEND_COLUMNS, 'blend', blend),
    ...(correction && {
      'correction.ofHoldout': correction.ofHoldout,
      ...archiveColumns(FOREST_COLUMNS, 'correction', correction.forest),
    }),
    ...archiveColumns(SCALE_COLUMNS, 'scale', calibration.scale),
    ...archiveColumns(SCORE_COLUMNS, 'calibration', calibration),
    ...(locationAdjustments ? archiveColumns(LOCATION_COLUMNS, 'location', locationAdjustments) : {}),
  });
}

/** @throws Error where the bytes are not a trained market, or one of another format */
export function decodeTrained(bytes: Uint8Array): TrainedMarket {
  const { meta, archive } = openModel<Meta>(ARCHIVE, bytes);
  const { trainedOn, accuracy, scaleBase, difficultyWidth } = meta;
  const { centerLat, centerLon, placeUnitMi, priceUnit, indexVariance } = meta;
  const holdout = takeColumns(HOLDOUT_COLUMNS, 'holdout', archive);
  const difficulty = takeArray(archive, 'holdout.difficulty', Float32Array);
  return {
    trainedOn,
    features: meta.features ?? null,
    choice: meta.choice ?? null,
    model: takeArray(archive, 'model', Uint8Array),
    blend: takeColumns(BLEND_COLUMNS, 'blend', archive),
    correction: meta.correction
      ? {
          forest: { base: meta.correction.base, ...takeColumns(FOREST_COLUMNS, 'correction', archive) },
          trust: meta.correction.trust,
          ofHoldout: takeArray(archive, 'correction.ofHoldout', Float64Array),
        }
      : null,
    calibration: {
      scale: { ...takeColumns(SCALE_COLUMNS, 'scale', archive), base: scaleBase },
      ...takeColumns(SCORE_COLUMNS, 'calibration', archive),
      centerLat,
      centerLon,
      placeUnitMi,
      priceUnit,
      indexVariance,
    },
    accuracy,
    holdout: { n: holdout.type.length, ...holdout, difficulty, difficultyWidth },
    locationAdjustments:
      'location.offset' in archive.arrays ? takeColumns(LOCATION_COLUMNS, 'location', archive) : null,
  };
}
