import {
  packArchive,
  takeArray,
  unpackArchive,
  type Archive,
  type ArchiveArray,
} from '../../array-archive.ts';
import type { Day } from '../../domain/day.ts';
import type { Curve } from '../price-index/group-curve.ts';
import type { PriceIndex } from '../price-index/price-index.ts';
import { FOREST_COLUMNS, type Forest } from '../trees/forest.ts';
import { archiveColumns, takeColumns, unreadable } from '../typed-columns.ts';
import type { FeaturePlan } from './features.ts';
import type { LinearPart } from './linear-part.ts';
import type { MedianFills } from './spatial-lag.ts';

/** A fitted model as plain data. Rows index the columns it was fitted on. */
export interface MarketModel {
  readonly trainedOn: Day;
  /**
   * From which windows of recent sales count back: the training day, or the newest training sales if these are more
   * than a month older. Models of earlier versions count from the training day, and keep their values.
   */
  readonly windowsEnd: Day;
  readonly seed: number;
  readonly plan: FeaturePlan;
  readonly medians: MedianFills;
  readonly index: PriceIndex;
  /** Training sales, ascending. */
  readonly rows: Int32Array;
  /** Fold that each training sale was left out with; member k of each stage never saw fold k. */
  readonly fold: Uint8Array;
  /** Log price moved to the training day less the base trees' out-of-fold prediction. */
  readonly residual: Float64Array;
  /** Out-of-fold prediction of the whole model, at the training day. */
  readonly outOfFold: Float64Array;
  readonly base: readonly Forest[];
  /** What the final trees start from. */
  readonly linear: LinearPart;
  readonly final: readonly Forest[];
  /** Log price per unit of buildings with several units; empty where there are too few. */
  readonly perUnit: readonly Forest[];
  /** One forest: the size of the error to expect. */
  readonly errorSize: readonly Forest[];
  /** By ATTRIBUTES: ln USD of a typical difference between two homes of the sample. */
  readonly attributeScales: Float64Array;
}

/** Increase this when the meaning of stored models changes. Models of another format are rejected. */
const MODEL_FORMAT = 6;

const FOREST_GROUPS = ['base', 'final', 'perUnit', 'errorSize'] as const;

/** The archive's header: everything but the arrays. */
interface ModelMeta extends Pick<MarketModel, 'trainedOn' | 'seed' | 'medians'> {
  /** MODEL_FORMAT. */
  readonly model: number;
  /** Absent where it is the training day. */
  readonly windowsEnd?: Day;
  readonly plan: Omit<FeaturePlan, 'kept'>;
  readonly jumps: PriceIndex['jumps'];
  readonly until: Day;
  readonly own: PriceIndex['own'];
  readonly areaDepth: number;
  readonly curves: Readonly<Record<string, Omit<Curve, 'values'>>>;
  /** Base values of the forests of each group. */
  readonly forests: Readonly<Record<(typeof FOREST_GROUPS)[number], number[]>>;
}

/** The model as bytes. Equal models give equal bytes. */
export function encodeModel(model: MarketModel): Uint8Array {
  const { plan, index } = model;
  const arrays: Record<string, ArchiveArray> = {
    'plan.kept': plan.kept,
    rows: model.rows,
    fold: model.fold,
    residual: model.residual,
    outOfFold: model.outOfFold,
    attributeScales: model.attributeScales,
    'linear.mean': model.linear.mean,
    'linear.deviation': model.linear.deviation,
    'linear.least': model.linear.least,
    'linear.most': model.linear.most,
    'areas.acrossNorth': index.areaPlan.acrossNorth,
    'areas.cut': index.areaPlan.cut,
  };
  const curves: Record<string, Omit<Curve, 'values'>> = {};
  const addCurve = (name: string, { first, step, values }: Curve) => {
    curves[name] = { first, step };
    arrays[`curve.${name}`] = values;
  };
  index.types.forEach((curve, i) => addCurve(`type.${i}`, curve));
  index.areas.forEach((curve, i) => addCurve(`area.${i}`, curve));
  model.linear.weights.forEach((weights, k) => (arrays[`linear.weights.${k}`] = weights));
  for (const group of FOREST_GROUPS) {
    model[group].forEach((forest, i) => {
      Object.assign(arrays, archiveColumns(FOREST_COLUMNS, `${group}.${i}`, forest));
    });
  }
  const meta: ModelMeta = {
    model: MODEL_FORMAT,
    trainedOn: model.trainedOn,
    ...(model.windowsEnd < model.trainedOn && { windowsEnd: model.windowsEnd }),
    seed: model.seed,
    plan: { lat0: plan.lat0, lon0: plan.lon0, milesPerLon: plan.milesPerLon, own: plan.own },
    medians: model.medians,
    jumps: index.jumps,
    until: index.until,
    own: index.own,
    areaDepth: index.areaPlan.depth,
    curves,
    forests: {
      base: basesOf(model.base),
      final: basesOf(model.final),
      perUnit: basesOf(model.perUnit),
      errorSize: basesOf(model.errorSize),
    },
  };
  return packArchive(meta, arrays);
}

function basesOf(forests: readonly Forest[]): number[] {
  return forests.map(({ base }) => base);
}

/**
 * Reads what `encodeModel` wrote; arrays are views of `bytes`.
 *
 * @throws PlumblineError `gone` for a model of another format
 */
export function decodeModel(bytes: Uint8Array): MarketModel {
  const archive = unpackArchive<ModelMeta>(bytes);
  const { meta } = archive;
  if (meta.model !== MODEL_FORMAT) throw unreadable('model', meta.model, MODEL_FORMAT);
  const float64 = (name: string) => takeArray(archive, name, Float64Array);
  const curve = (name: string): Curve => ({ ...meta.curves[name], values: float64(`curve.${name}`) });
  const curvesOf = (kind: string) =>
    Object.keys(meta.curves)
      .filter((name) => name.startsWith(`${kind}.`))
      .map(curve);
  return {
    trainedOn: meta.trainedOn,
    windowsEnd: meta.windowsEnd ?? meta.trainedOn,
    seed: meta.seed,
    plan: { ...meta.plan, kept: takeArray(archive, 'plan.kept', Int32Array) },
    medians: meta.medians,
    index: {
      until: meta.until,
      own: meta.own,
      jumps: meta.jumps,
      types: curvesOf('type'),
      areaPlan: {
        depth: meta.areaDepth,
        acrossNorth: takeArray(archive, 'areas.acrossNorth', Uint8Array),
        cut: float64('areas.cut'),
      },
      areas: curvesOf('area'),
    },
    rows: takeArray(archive, 'rows', Int32Array),
    fold: takeArray(archive, 'fold', Uint8Array),
    residual: float64('residual'),
    outOfFold: float64('outOfFold'),
    base: decodeForests(archive, 'base', meta.forests.base),
    linear: {
      mean: float64('linear.mean'),
      deviation: float64('linear.deviation'),
      least: float64('linear.least'),
      most: float64('linear.most'),
      weights: meta.forests.final.map((_, k) => float64(`linear.weights.${k}`)),
    },
    final: decodeForests(archive, 'final', meta.forests.final),
    perUnit: decodeForests(archive, 'perUnit', meta.forests.perUnit),
    errorSize: decodeForests(archive, 'errorSize', meta.forests.errorSize),
    attributeScales: float64('attributeScales'),
  };
}

function decodeForests(archive: Archive, group: string, bases: readonly number[]): Forest[] {
  return bases.map((base, i) => ({ base, ...takeColumns(FOREST_COLUMNS, `${group}.${i}`, archive) }));
}
