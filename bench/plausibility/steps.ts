import type { Attributes } from '../../src/domain/property.ts';
import type { Home } from '../../src/valuation/subject.ts';
import {
  percent,
  quantile,
  requestOf,
  sampleSales,
  shareOf,
  valueMultifamily,
  valueSampled,
  type Finding,
  type SampledMarket,
} from './sampling.ts';

const HOMES = 150;

/** A small change of what is known about a home. */
interface Step {
  readonly name: string;
  readonly goal: string;
  readonly isCliff: (ratio: number) => boolean;
  /** null where the home lacks what is changed. */
  readonly change: (attributes: Attributes) => Partial<Attributes> | null;
}

const plus =
  (attribute: keyof Attributes, amount: number): Step['change'] =>
  (attributes) => {
    const known = attributes[attribute];
    return known === null ? null : { [attribute]: known + amount };
  };

const STEPS: readonly Step[] = [
  {
    name: '+100 sqft of living area lowers the value by more than 0.5%',
    goal: '≤ 2%',
    isCliff: (ratio) => ratio < 0.995,
    change: plus('livingAreaSqft', 100),
  },
  {
    name: '+0.5 bath changes the value by more than 20%',
    goal: '≤ 1%',
    isCliff: (ratio) => Math.abs(ratio - 1) > 0.2,
    change: plus('bathrooms', 0.5),
  },
  {
    name: '+1 bedroom changes the value by more than 20%',
    goal: '≤ 1%',
    isCliff: (ratio) => Math.abs(ratio - 1) > 0.2,
    change: plus('bedrooms', 1),
  },
  {
    name: '+1,000 sqft of lot changes the value by more than 20%',
    goal: '≤ 1%',
    isCliff: (ratio) => Math.abs(ratio - 1) > 0.2,
    change: plus('lotSizeSqft', 1000),
  },
];

/** Section 4: small steps of one attribute, and what is not stated about a building. */
export async function checkSteps(market: SampledMarket): Promise<Finding[]> {
  const homes = sampleSales(market, ['houses'], HOMES).map(({ home }) => home);
  const valueOf = async (home: Home, changed: Partial<Attributes>): Promise<number> =>
    (await valueSampled(market, home, changed)).valuation.pointValue;
  const before: number[] = [];
  for (const home of homes) before.push(await valueOf(home, {}));
  const findings: Finding[] = [];
  for (const { name, goal, isCliff, change } of STEPS) {
    const ratios: number[] = [];
    for (const [i, home] of homes.entries()) {
      const changed = change(home.attributes);
      if (changed) ratios.push((await valueOf(home, changed)) / before[i]);
    }
    findings.push({ check: name, measured: shareOf(ratios.map(isCliff)), goal, n: ratios.length });
  }
  const second: number[] = [];
  for (const [i, home] of homes.entries()) second.push((await valueOf(home, { totalUnits: 2 })) / before[i]);
  findings.push({
    check: 'a second unit in a house: median change of the value',
    measured: percent(quantile(second, 0.5) - 1),
    goal: '≥ 0%',
    n: second.length,
  });
  return [...findings, ...(await checkBaths(market))];
}

/** One bath per unit instead of an unknown number, for buildings of five units or more. */
async function checkBaths(market: SampledMarket): Promise<Finding[]> {
  const changes: number[] = [];
  for (const { home } of sampleSales(market, ['multifamily'], HOMES)) {
    const { totalUnits, bedrooms } = home.attributes;
    if (totalUnits === null || totalUnits < 5) continue;
    const given = { ...home.attributes, bedrooms: bedrooms ?? totalUnits, bathrooms: null };
    const at = { lat: home.lat, lon: home.lon };
    const valueWith = async (bathrooms: number | null): Promise<number> => {
      const request = requestOf(market.asOf, at, { ...given, bathrooms });
      return (await valueMultifamily(market, request, totalUnits)).valuation.pointValue;
    };
    changes.push((await valueWith(totalUnits)) / (await valueWith(null)) - 1);
  }
  return [
    {
      check: '5 or more units, one bath per unit instead of unknown: median change of the value',
      measured: percent(quantile(changes, 0.5)),
      goal: 'within 5%',
      n: changes.length,
    },
  ];
}
