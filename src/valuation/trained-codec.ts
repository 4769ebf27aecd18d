import type { JsonValue } from '../domain/json.ts';
import { packArchive, takeArray, unpackArchive, type Archive } from '../array-archive.ts';
import type { StratumAccuracy } from './calibration/holdout-accuracy.ts';
import { HOLDOUT_COLUMNS, type HoldoutSales } from './calibration/holdout-sales.ts';
import type { Calibration } from './calibration/calibration.ts';
import { archiveColumns, takeColumns } from './typed-columns.ts';
import type { TrainedMarket } from './trained-market.ts';

const KIND = 'trained-market';
/** Raised when what is stored changes its meaning. */
const FORMAT = 2;

interface Meta {
  readonly kind: string;
  readonly format: number;
  readonly trainedOn: number;
  readonly accuracy: readonly StratumAccuracy[];
  readonly scaleBase: number;
  readonly centerLat: number;
  readonly centerLon: number;
  readonly placeUnitMi: number;
  readonly priceUnit: number;
  readonly difficultyWidth: number;
}

const LOCATION_COLUMNS = { lat: 'float64', lon: 'float64', offset: 'float64' } as const;
const BLEND_COLUMNS = {
  modelBias: 'float64',
  comparablesBias: 'float64',
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
  const { blend, calibration, holdout, locationAdjustments } = trained;
  const meta: Meta = {
    kind: KIND,
    format: FORMAT,
    trainedOn: trained.trainedOn,
    accuracy: trained.accuracy,
    scaleBase: calibration.scale.base,
    centerLat: calibration.centerLat,
    centerLon: calibration.centerLon,
    placeUnitMi: calibration.placeUnitMi,
    priceUnit: calibration.priceUnit,
    difficultyWidth: holdout.difficultyWidth,
  };
  return packArchive(meta as unknown as JsonValue, {
    model: trained.model,
    'holdout.difficulty': holdout.difficulty,
    ...archiveColumns(HOLDOUT_COLUMNS, 'holdout', holdout),
    ...archiveColumns(BLEND_COLUMNS, 'blend', blend),
    ...archiveColumns(SCALE_COLUMNS, 'scale', calibration.scale),
    ...archiveColumns(SCORE_COLUMNS, 'calibration', calibration),
    ...(locationAdjustments ? archiveColumns(LOCATION_COLUMNS, 'location', locationAdjustments) : {}),
  });
}

/** @throws Error where the bytes are not a trained market, or one of another format */
export function decodeTrained(bytes: Uint8Array): TrainedMarket {
  const archive = unpackArchive(bytes);
  const meta = archive.meta as unknown as Meta;
  if (meta?.kind !== KIND) throw new Error('The archive is not a trained market.');
  if (meta.format !== FORMAT) {
    throw new Error(
      `The trained market has format ${meta.format}; this program reads format ${FORMAT}. Train again.`,
    );
  }
  return {
    trainedOn: meta.trainedOn,
    model: takeArray(archive, 'model', Uint8Array),
    blend: takeColumns(BLEND_COLUMNS, 'blend', archive),
    calibration: takeCalibration(archive, meta),
    accuracy: meta.accuracy,
    holdout: takeHoldout(archive, meta),
    locationAdjustments:
      'location.offset' in archive.arrays ? takeColumns(LOCATION_COLUMNS, 'location', archive) : null,
  };
}

function takeCalibration(archive: Archive, meta: Meta): Calibration {
  return {
    scale: { ...takeColumns(SCALE_COLUMNS, 'scale', archive), base: meta.scaleBase },
    ...takeColumns(SCORE_COLUMNS, 'calibration', archive),
    centerLat: meta.centerLat,
    centerLon: meta.centerLon,
    placeUnitMi: meta.placeUnitMi,
    priceUnit: meta.priceUnit,
  };
}

function takeHoldout(archive: Archive, { difficultyWidth }: Meta): HoldoutSales {
  const columns = takeColumns(HOLDOUT_COLUMNS, 'holdout', archive);
  const difficulty = takeArray(archive, 'holdout.difficulty', Float32Array);
  return { n: columns.type.length, ...columns, difficulty, difficultyWidth };
}
