import type { Attributes } from '../../src/domain/property.ts';
import type { Home } from '../../src/valuation/subject.ts';
import {
  quantile,
  relativeWidth,
  sampleSales,
  shareOf,
  valueSampled,
  type Finding,
  type PropertyResponse,
  type SampledMarket,
} from './sampling.ts';

const HOMES = 100;

/** Input that no real home has, or that contradicts the record. */
const IMPLAUSIBLE: readonly {
  readonly name: string;
  readonly change: (home: Home) => Partial<Attributes>;
}[] = [
  { name: '50 bedrooms in 1,128 sqft', change: () => ({ bedrooms: 50, livingAreaSqft: 1128 }) },
  { name: '5,000 baths', change: () => ({ bathrooms: 5000 }) },
  {
    name: 'living area four times that of the record',
    change: ({ attributes }) => ({ livingAreaSqft: 4 * (attributes.livingAreaSqft ?? 1500) }),
  },
];

/** Section 3: unknown attributes, types without data, implausible input, accuracy of large buildings. */
export async function checkUncertainty(market: SampledMarket): Promise<Finding[]> {
  const homes = sampleSales(market, ['houses'], HOMES).map(({ home }) => home);
  const known: PropertyResponse[] = [];
  for (const home of homes) known.push(await valueSampled(market, home));
  const widths = known.map(relativeWidth);
  const findings: Finding[] = [];
  for (const { name, change } of IMPLAUSIBLE) {
    const odd: PropertyResponse[] = [];
    for (const home of homes) odd.push(await valueSampled(market, home, change(home)));
    const isHonest = odd.map(
      (one, i) =>
        relativeWidth(one) > widths[i] && one.valuation.warnings.some(({ field }) => field !== null),
    );
    findings.push({
      check: `${name}: a warning and a wider range`,
      measured: shareOf(isHonest),
      goal: '100%',
      n: odd.length,
    });
  }
  const asMobile: number[] = [];
  for (const [i, home] of homes.entries())
    asMobile.push(relativeWidth(await valueSampled(market, home, {}, { as: 'mobile' })) / widths[i]);
  findings.push({
    check: 'as a mobile home: width of the range relative to a house, median',
    measured: quantile(asMobile, 0.5).toFixed(2),
    goal: '≥ 1',
    n: asMobile.length,
  });
  return [...findings, ...(await checkLargeBuildings(market))];
}

/** The published accuracy of a building of five units or more is that of such buildings. */
async function checkLargeBuildings(market: SampledMarket): Promise<Finding[]> {
  const strata: string[] = [];
  for (const { home } of sampleSales(market, ['multifamily'], HOMES)) {
    const { valuation } = await valueSampled(market, home);
    strata.push(valuation.accuracy?.stratum ?? 'none');
  }
  return [
    {
      check: 'buildings of 5 or more units: accuracy of their own stratum is reported',
      measured: shareOf(strata.map((stratum) => stratum === 'multifamily')),
      goal: '100%',
      n: strata.length,
    },
  ];
}
