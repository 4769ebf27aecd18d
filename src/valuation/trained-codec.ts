import type { JsonValue } from '../domain/json.ts';
import { packArchive, takeArray, unpackArchive, type Archive, type ArchiveArray } from '../array-archive.ts';
import type { StratumAccuracy } from './calibration/holdout-accuracy.ts';
import type { HoldoutSales } from './calibration/holdout-sales.ts';
import { startBlend, type Blend } from './calibration/blend.ts';
import type { Calibration } from './calibration/calibration.ts';
import type { TrainedMarket } from './trained-market.ts';

const KIND = 'trained-market';
/** Raised when what is stored changes its meaning. */
const FORMAT = 1;

interface Meta {
  readonly kind: string;
  readonly format: number;
  readonly trainedOn: number;
  readonly accuracy: readonly StratumAccuracy[];
  readonly scaleBase: number;
  readonly centreLat: number;
  readonly centreLon: number;
  readonly placeUnitMi: number;
  readonly priceUnit: number;
  readonly difficultyWidth: number;
}

const HOLDOUT_INTS = ['trainedOn', 'soldOn', 'availableOn', 'flaggedOn'] as const;
const HOLDOUT_FLOATS = [
  'lat',
  'lon',
  'logPrice',
  'logModel',
  'logComparables',
  'comparablesTrust',
  'variantsSpread',
  'ageDays',
] as const;
const PLACE_FLOATS = ['lat', 'lon', 'offset'] as const;
const OWN_FLOATS = ['logOwn', 'ownShare'] as const;
const BLEND_FLOATS = ['modelBias', 'comparablesBias', 'comparablesWeight'] as const;
const SCALE_FLOATS = ['low', 'high', 'centre', 'spread', 'slope'] as const;
const SCORE_FLOATS = ['scores', 'logPoint', 'eastMi', 'northMi'] as const;

/** Equal markets give equal bytes: a model is named by their hash. */
export function encodeTrained(trained: TrainedMarket): Uint8Array {
  const { blend, calibration, holdout } = trained;
  const arrays: Record<string, ArchiveArray> = {
    model: trained.model,
    'holdout.type': holdout.type,
    'holdout.difficulty': holdout.difficulty,
    'calibration.type': calibration.type,
  };
  for (const name of [...HOLDOUT_INTS, ...HOLDOUT_FLOATS, ...OWN_FLOATS])
    arrays[`holdout.${name}`] = holdout[name];
  for (const name of BLEND_FLOATS) arrays[`blend.${name}`] = blend[name];
  arrays['blend.ownTrust'] = blend.ownTrust;
  if (trained.locationAdjustments !== null) {
    for (const name of PLACE_FLOATS) arrays[`place.${name}`] = trained.locationAdjustments[name];
  }
  for (const name of SCALE_FLOATS) arrays[`scale.${name}`] = calibration.scale[name];
  for (const name of SCORE_FLOATS) arrays[`calibration.${name}`] = calibration[name];
  const meta: Meta = {
    kind: KIND,
    format: FORMAT,
    trainedOn: trained.trainedOn,
    accuracy: trained.accuracy,
    scaleBase: calibration.scale.base,
    centreLat: calibration.centreLat,
    centreLon: calibration.centreLon,
    placeUnitMi: calibration.placeUnitMi,
    priceUnit: calibration.priceUnit,
    difficultyWidth: holdout.difficultyWidth,
  };
  return packArchive(meta as unknown as JsonValue, arrays);
}

export function decodeTrained(bytes: Uint8Array): TrainedMarket {
  const archive = unpackArchive(bytes);
  const meta = archive.meta as unknown as Meta;
  if (meta?.kind !== KIND) throw new Error('The archive is no trained market.');
  if (meta.format !== FORMAT) {
    throw new Error(
      `The trained market has format ${meta.format}; this program reads format ${FORMAT}. Train again.`,
    );
  }
  return {
    trainedOn: meta.trainedOn,
    model: takeArray(archive, 'model', Uint8Array),
    blend: {
      ...takeFloats(archive, 'blend', BLEND_FLOATS),
      ownTrust:
        'blend.ownTrust' in archive.arrays
          ? takeArray(archive, 'blend.ownTrust', Float64Array)
          : startBlend().ownTrust,
    } satisfies Blend,
    calibration: takeCalibration(archive, meta),
    accuracy: meta.accuracy,
    holdout: takeHoldout(archive, meta),
    locationAdjustments: 'place.offset' in archive.arrays ? takeFloats(archive, 'place', PLACE_FLOATS) : null,
  };
}

function takeCalibration(archive: Archive, meta: Meta): Calibration {
  return {
    scale: { ...takeFloats(archive, 'scale', SCALE_FLOATS), base: meta.scaleBase },
    ...takeFloats(archive, 'calibration', SCORE_FLOATS),
    type: takeArray(archive, 'calibration.type', Uint8Array),
    centreLat: meta.centreLat,
    centreLon: meta.centreLon,
    placeUnitMi: meta.placeUnitMi,
    priceUnit: meta.priceUnit,
  };
}

function takeHoldout(archive: Archive, meta: Meta): HoldoutSales {
  const type = takeArray(archive, 'holdout.type', Uint8Array);
  const ints = {} as Record<(typeof HOLDOUT_INTS)[number], Int32Array>;
  for (const name of HOLDOUT_INTS) ints[name] = takeArray(archive, `holdout.${name}`, Int32Array);
  return {
    n: type.length,
    ...ints,
    ...takeFloats(archive, 'holdout', HOLDOUT_FLOATS),
    ...takeOwn(archive, type.length),
    type,
    difficulty: takeArray(archive, 'holdout.difficulty', Float32Array),
    difficultyWidth: meta.difficultyWidth,
  };
}

/** Markets trained before there were rents say nothing of own buildings. */
function takeOwn(archive: Archive, n: number): Pick<HoldoutSales, (typeof OWN_FLOATS)[number]> {
  if ('holdout.logOwn' in archive.arrays) return takeFloats(archive, 'holdout', OWN_FLOATS);
  return { logOwn: new Float64Array(n).fill(NaN), ownShare: new Float64Array(n) };
}

function takeFloats<Name extends string>(
  archive: Archive,
  group: string,
  names: readonly Name[],
): Record<Name, Float64Array> {
  const taken = {} as Record<Name, Float64Array>;
  for (const name of names) taken[name] = takeArray(archive, `${group}.${name}`, Float64Array);
  return taken;
}
