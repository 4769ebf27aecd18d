import { attributesOf, type Attributes, type PropertyType } from '../../src/domain/property.ts';
import type { Home } from '../../src/valuation/subject.ts';
import {
  percent,
  quantile,
  requestOf,
  sampleSales,
  shareFinding,
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
  readonly attribute: keyof Attributes;
  readonly by: number;
}

const STEPS: readonly Step[] = [
  {
    name: '+100 sqft of living area lowers the value by more than 0.5%',
    goal: '≤ 2%',
    isCliff: (ratio) => ratio < 0.995,
    attribute: 'livingAreaSqft',
    by: 100,
  },
  {
    name: '+0.5 bath changes the value by more than 20%',
    goal: '≤ 1%',
    isCliff: (ratio) => Math.abs(ratio - 1) > 0.2,
    attribute: 'bathrooms',
    by: 0.5,
  },
  {
    name: '+1 bedroom changes the value by more than 20%',
    goal: '≤ 1%',
    isCliff: (ratio) => Math.abs(ratio - 1) > 0.2,
    attribute: 'bedrooms',
    by: 1,
  },
  {
    name: '+1,000 sqft of lot changes the value by more than 20%',
    goal: '≤ 1%',
    isCliff: (ratio) => Math.abs(ratio - 1) > 0.2,
    attribute: 'lotSizeSqft',
    by: 1000,
  },
];

/** Whole homes of every type; 5+ buildings have their own check. */
const HOME_TYPES: readonly PropertyType[] = ['houses', 'townhomes', 'condos', 'small_multifamily'];

/** Section 4: small steps of one attribute, and what is not stated about a building. */
export async function checkSteps(market: SampledMarket): Promise<Finding[]> {
  return [
    ...(await checkStepsOf(market, 'houses', ['houses'], false)),
    ...(await checkStepsOf(market, 'homes of all types', HOME_TYPES, false)),
    ...(await checkStepsOf(market, 'homes of all types, only rooms stated', HOME_TYPES, true)),
    ...(await checkSecondUnit(market)),
    ...(await checkBaths(market)),
  ];
}

/** @param isTerse only bedrooms, baths and the changed attribute are stated; the record and neighbors say the rest */
async function checkStepsOf(
  market: SampledMarket,
  name: string,
  types: readonly PropertyType[],
  isTerse: boolean,
): Promise<Finding[]> {
  const homes = sampleSales(market, types, HOMES).map(({ home }) => home);
  const valueOf = async (home: Home, changed: Partial<Attributes>): Promise<number> => {
    const stated = isTerse ? onlyRooms(home) : home;
    return (await valueSampled(market, stated, changed)).valuation.pointValue;
  };
  const findings: Finding[] = [];
  for (const { name: step, goal, isCliff, attribute, by } of STEPS) {
    const ratios: number[] = [];
    for (const home of homes) {
      const known = home.attributes[attribute];
      if (known === null) continue;
      const before = await valueOf(home, { [attribute]: known });
      ratios.push((await valueOf(home, { [attribute]: known + by })) / before);
    }
    findings.push(shareFinding(`${name}: ${step}`, goal, ratios.map(isCliff)));
  }
  return findings;
}

function onlyRooms(home: Home): Home {
  const { bedrooms, bathrooms } = home.attributes;
  return { ...home, attributes: attributesOf({ bedrooms, bathrooms }) };
}

async function checkSecondUnit(market: SampledMarket): Promise<Finding[]> {
  const changes: number[] = [];
  for (const { home } of sampleSales(market, ['houses'], HOMES)) {
    const { valuation: one } = await valueSampled(market, home);
    const { valuation: two } = await valueSampled(market, home, { totalUnits: 2 });
    changes.push(two.pointValue / one.pointValue - 1);
  }
  return [
    {
      check: 'a second unit in a house: median change of the value',
      measured: percent(quantile(changes, 0.5)),
      goal: '≥ 0%',
      n: changes.length,
    },
    shareFinding(
      'a second unit in a house lowers the value by more than 5%',
      '0%',
      changes.map((change) => change < -0.05),
    ),
  ];
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
    shareFinding(
      '5 or more units, one bath per unit instead of unknown changes the value by more than 5%',
      '0%',
      changes.map((change) => Math.abs(change) > 0.05),
    ),
  ];
}
