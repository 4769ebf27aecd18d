import type { PropertyType } from '../../src/domain/property.ts';
import { milesApart } from '../../src/geo/distance.ts';
import {
  sampleSales,
  shareFinding,
  valueSampled,
  type Finding,
  type PropertyResponse,
  type SampledMarket,
} from './sampling.ts';

const HOMES = 100;
/** All comparables of the estimator, not only the best. */
const COMPARABLES = 20;
/** Two homes this close share their location. */
const NEXT_DOOR_MI = 0.1;

const TYPES: readonly PropertyType[] = ['houses', 'townhomes', 'condos', 'small_multifamily', 'multifamily'];

/** Section 5: adjustments relative to the sale price, without market conditions, over all comparables. */
export async function checkAdjustments(market: SampledMarket): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const type of TYPES) findings.push(...(await checkAdjustmentsOf(market, type)));
  return findings;
}

async function checkAdjustmentsOf(market: SampledMarket, type: PropertyType): Promise<Finding[]> {
  const comparables: { item: PropertyResponse['comparables']['items'][number]; isNextDoor: boolean }[] = [];
  for (const { home } of sampleSales(market, [type], HOMES)) {
    const { comparables: listed } = await valueSampled(market, home, {}, { numComps: COMPARABLES });
    for (const item of listed.items) {
      const there = { lat: item.latitude, lon: item.longitude };
      comparables.push({ item, isNextDoor: milesApart(home, there) <= NEXT_DOOR_MI });
    }
  }
  const sharesOf = ({ item }: (typeof comparables)[number]) => {
    const lines = item.adjustments.filter(({ field }) => field !== 'market_conditions');
    const gross = lines.reduce((sum, { amount }) => sum + Math.abs(amount), 0) / item.salePrice;
    const net = Math.abs(lines.reduce((sum, { amount }) => sum + amount, 0)) / item.salePrice;
    const amountOf = (wanted: string) => lines.find(({ field }) => field === wanted)?.amount ?? 0;
    const remainder = Math.abs(amountOf('unexplained')) / item.salePrice;
    const place = Math.abs(amountOf('unexplained') + amountOf('location')) / item.salePrice;
    return { gross, net, remainder, place };
  };
  const shares = comparables.map(sharesOf);
  const nextDoor = comparables.filter(({ isNextDoor }) => isNextDoor).map(sharesOf);
  const bedrooms = comparables.flatMap(({ item }) =>
    item.adjustments.filter(
      ({ field, subject, comp, amount }) =>
        field === 'bedrooms' && subject !== null && comp !== null && amount !== 0,
    ),
  );
  if (comparables.length === 0) return [];
  const findings: Finding[] = [
    shareFinding(
      'gross adjustment at most 25% of the sale price',
      '≥ 70%',
      shares.map(({ gross }) => gross <= 0.25),
    ),
    shareFinding(
      'net adjustment at most 15% of the sale price',
      '≥ 80%',
      shares.map(({ net }) => net <= 0.15),
    ),
    shareFinding(
      `unexplained remainder above 10% of the sale price, within ${NEXT_DOOR_MI} mi`,
      '≤ 10%',
      nextDoor.map(({ remainder }) => remainder > 0.1),
    ),
    shareFinding(
      `location and unexplained remainder together above 10%, within ${NEXT_DOOR_MI} mi`,
      '≤ 10%',
      nextDoor.map(({ place }) => place > 0.1),
    ),
    shareFinding(
      'more bedrooms raise the value of the comparable, fewer lower it',
      '≥ 90%',
      bedrooms.map(({ subject, comp, amount }) => Number(subject) > Number(comp) === amount > 0),
    ),
  ];
  return findings.map((finding) => ({ ...finding, check: `${type}: ${finding.check}` }));
}
