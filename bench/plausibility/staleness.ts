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

/**
 * Section 3: a year later, without newer sales, every value has the warning and a wider range. Sales imported
 * without training again are checked by tests (`test/stale-model.test.ts`), because nothing is written here.
 */
export async function checkStaleness(market: SampledMarket): Promise<Finding[]> {
  const later = { ...market, asOf: market.asOf + 365 };
  const widths: number[] = [];
  const isWarned: boolean[] = [];
  for (const { home } of sampleSales(market, ['houses', 'condos'], HOMES)) {
    const [now, old] = [await valueSampled(market, home), await valueSampled(later, home)];
    widths.push(relativeWidth(old) / relativeWidth(now));
    isWarned.push(old.valuation.warnings.some(({ code }) => code === 'stale_market'));
  }
  return [
    shareFinding('a year without newer sales: a warning', '100%', isWarned),
    {
      check: 'a year without newer sales: width of the range relative to today, lowest tenth',
      measured: quantile(widths, 0.1).toFixed(2),
      goal: '≥ 1.1',
      n: widths.length,
    },
  ];
}
