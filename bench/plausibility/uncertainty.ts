import { ATTRIBUTES, PROPERTY_TYPES, type Attributes } from '../../src/domain/property.ts';
import { percentileUsd } from '../../src/valuation/calibration/distribution.ts';
import { valueHome } from '../../src/valuation/value-home.ts';
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
  readonly needsRecord?: boolean;
}[] = [
  { name: '50 bedrooms in 1,128 sqft', change: () => ({ bedrooms: 50, livingAreaSqft: 1128 }) },
  { name: '5,000 baths', change: () => ({ bathrooms: 5000 }) },
  {
    name: 'living area four times that of the record',
    change: ({ attributes }) => ({ livingAreaSqft: 4 * (attributes.livingAreaSqft ?? 1500) }),
    needsRecord: true,
  },
];

/** Section 3: unknown attributes, types without data, implausible input, accuracy of large buildings. */
export async function checkUncertainty(market: SampledMarket): Promise<Finding[]> {
  const homes = sampleSales(market, ['houses'], HOMES).map(({ home }) => home);
  const known: PropertyResponse[] = [];
  for (const home of homes) known.push(await valueSampled(market, home));
  const widths = known.map(relativeWidth);
  const findings: Finding[] = [];
  const recorded: Home[] = [];
  for (const home of homes) {
    const { valuation } = await valueSampled(market, home, { livingAreaSqft: null });
    const area = valuation.inputs.find(({ field }) => field === 'living_area');
    if (area?.source === 'record') recorded.push(home);
  }
  for (const { name, change, needsRecord } of IMPLAUSIBLE) {
    const sampled = needsRecord ? recorded : homes;
    const odd: PropertyResponse[] = [];
    for (const home of sampled) odd.push(await valueSampled(market, home, change(home)));
    const isHonest = odd.map(
      (one, i) => relativeWidth(one) > widths[homes.indexOf(sampled[i])] && warningsOf(one) === 1,
    );
    findings.push({
      check: `${name}: one warning and a wider range`,
      measured: shareOf(isHonest),
      goal: '100%',
      n: odd.length,
    });
  }
  findings.push({
    check: 'homes as recorded with a warning of implausible input',
    measured: shareOf(known.map((one) => warningsOf(one) > 0)),
    goal: '≤ 2%',
    n: known.length,
  });
  findings.push(await checkUnknown(market));
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

function warningsOf({ valuation }: PropertyResponse): number {
  return valuation.warnings.filter(({ code }) => code === 'implausible_input').length;
}

/** Each attribute of homes of every type left out in turn, at a place without a record. */
async function checkUnknown({ deps, columns, asOf }: SampledMarket): Promise<Finding> {
  const isNarrower: boolean[] = [];
  for (const type of PROPERTY_TYPES) {
    for (const { home } of sampleSales({ columns, asOf }, [type], HOMES / 4)) {
      const market = await deps.markets.at('property', home.lat, home.lon, asOf);
      const { modelId } = market.model;
      const { bound } = await deps.markets.ofInputs({ modelId, snapshotSha256: market.snapshotSha256 });
      const moment = { asOf, knownBy: asOf };
      const widthOf = (attributes: Attributes) => {
        const { estimate, distribution } = valueHome(bound, { ...home, attributes }, {}, moment);
        return (percentileUsd(distribution, 95) - percentileUsd(distribution, 5)) / estimate.pointUsd;
      };
      const whole = widthOf(home.attributes);
      for (const attribute of ATTRIBUTES) {
        if (home.attributes[attribute] === null) continue;
        isNarrower.push(widthOf({ ...home.attributes, [attribute]: null }) < 0.98 * whole);
      }
    }
  }
  return {
    check: 'one attribute unknown: range narrower by more than 2%',
    measured: shareOf(isNarrower),
    goal: '≤ 2%',
    n: isNarrower.length,
  };
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
