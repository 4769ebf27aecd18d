import { ATTRIBUTES, PROPERTY_TYPES } from '../../src/domain/property.ts';
import { percentileUsd } from '../../src/valuation/calibration/distribution.ts';
import { valueHome } from '../../src/valuation/value-home.ts';
import type { Home } from '../../src/valuation/subject.ts';
import {
  quantile,
  relativeWidth,
  sampleSales,
  shareFinding,
  valueSampled,
  type Finding,
  type SampledMarket,
} from './sampling.ts';

const HOMES = 100;

/** Section 3: unknown attributes, types without data, accuracy of large buildings. */
export async function checkUncertainty(market: SampledMarket): Promise<Finding[]> {
  const asMobile: number[] = [];
  for (const { home } of sampleSales(market, ['houses'], HOMES)) {
    const width = relativeWidth(await valueSampled(market, home));
    asMobile.push(relativeWidth(await valueSampled(market, home, {}, { as: 'mobile' })) / width);
  }
  return [
    ...(await checkUnknown(market)),
    {
      check: 'as a mobile home: width of the range relative to a house, median',
      measured: quantile(asMobile, 0.5).toFixed(2),
      goal: '≥ 1',
      n: asMobile.length,
    },
    ...(await checkLargeBuildings(market)),
  ];
}

/** Each attribute, and each own feature, of homes of every type left out in turn, at a place without a record. */
async function checkUnknown({ deps, columns, asOf }: SampledMarket): Promise<Finding[]> {
  const ofAttributes: boolean[] = [];
  const ofFeatures: boolean[] = [];
  for (const type of PROPERTY_TYPES) {
    for (const { home } of sampleSales({ columns, asOf }, [type], HOMES / 4)) {
      const market = await deps.markets.at('property', home.lat, home.lon, asOf);
      const { bound } = await deps.markets.ofInputs(market.inputs);
      const moment = { asOf, knownBy: asOf };
      const widthOf = (changed: Partial<Home>) => {
        const { estimate, distribution } = valueHome(bound, { ...home, ...changed }, {}, moment);
        return (percentileUsd(distribution, 95) - percentileUsd(distribution, 5)) / estimate.pointUsd;
      };
      const whole = widthOf({});
      for (const attribute of ATTRIBUTES) {
        if (home.attributes[attribute] === null) continue;
        const attributes = { ...home.attributes, [attribute]: null };
        ofAttributes.push(widthOf({ attributes }) < 0.98 * whole);
      }
      for (const name of Object.keys(home.features)) {
        const { [name]: _, ...features } = home.features;
        ofFeatures.push(widthOf({ features }) < 0.98 * whole);
      }
    }
  }
  return [
    shareFinding('one attribute unknown: range narrower by more than 2%', '≤ 2%', ofAttributes),
    shareFinding(
      "one of the market's own features unknown: range narrower by more than 2%",
      '≤ 2%',
      ofFeatures,
    ),
  ];
}

/** The published accuracy of a building of five units or more is that of such buildings. */
async function checkLargeBuildings(market: SampledMarket): Promise<Finding[]> {
  const strata: string[] = [];
  for (const { home } of sampleSales(market, ['multifamily'], HOMES)) {
    const { valuation } = await valueSampled(market, home);
    strata.push(valuation.accuracy?.stratum ?? 'none');
  }
  return [
    shareFinding(
      'buildings of 5 or more units: accuracy of their own stratum is reported',
      '100%',
      strata.map((stratum) => stratum.split(':')[0] === 'multifamily'),
    ),
  ];
}
