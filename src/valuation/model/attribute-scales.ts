import { ATTRIBUTES } from '../../domain/property.ts';
import { SCALE_SAMPLE } from './constants.ts';
import { createFeatureWriter, RAW_ATTRIBUTES, RAW_TYPE, type FeaturePlan } from './features.ts';
import { rawOf, type AsOfSample } from './as-of-sample.ts';
import { predictForest, type Forest } from '../trees/forest.ts';

/**
 * By attribute: ln USD that the base trees typically pay for the difference between two homes of
 * the sample. Each of an even sample of homes gets the attribute of the next home of its type; half
 * of the mean square is the variance over homes.
 */
export function attributeScales(plan: FeaturePlan, sales: AsOfSample, base: readonly Forest[]): Float64Array {
  const write = createFeatureWriter(plan);
  const features = new Float64Array(plan.kept.length);
  const value = (raw: Float64Array) => {
    write(raw, features);
    return base.reduce((sum, forest) => sum + predictForest(forest, features), 0) / base.length;
  };
  const step = Math.max(1, Math.floor(sales.n / SCALE_SAMPLE));
  const sample = Array.from({ length: Math.ceil(sales.n / step) }, (_, s) => rawOf(sales, s * step));
  const values = sample.map(value);
  return Float64Array.from(ATTRIBUTES, (_, a) => {
    const column = RAW_ATTRIBUTES + a;
    let squares = 0;
    let pairs = 0;
    sample.forEach((raw, s) => {
      const donor = nextOfType(sample, s);
      if (donor === null || Number.isNaN(donor[column]) || Number.isNaN(raw[column])) return;
      const changed = raw.slice();
      changed[column] = donor[column];
      squares += donor[column] === raw[column] ? 0 : (value(changed) - values[s]) ** 2;
      pairs++;
    });
    return pairs === 0 ? 0 : Math.sqrt(squares / pairs / 2);
  });
}

function nextOfType(sample: readonly Float64Array[], s: number): Float64Array | null {
  for (let step = 1; step < sample.length; step++) {
    const other = sample[(s + step) % sample.length];
    if (other[RAW_TYPE] === sample[s][RAW_TYPE]) return other;
  }
  return null;
}
