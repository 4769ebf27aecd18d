import { SQFT_PER_SQM } from '../rows/cell-values.ts';
import type { ColumnSource } from '../rows/column-source.ts';
import { createTally, isCommon, LEAST_VALUES, MAX_VALUES, multiply, type Finding } from './finding.ts';

/**
 * The median lot of houses is larger than the home on it: 4.7 times in Milwaukee, 4 times in King County. Of lots in
 * square meters it would be a tenth.
 */
const LEAST_LOT_PER_HOME = 0.8;
/** Finds lots in acres or square meters. */
export function createLotCheck(
  file: string,
  sourceOf: (column: string) => string,
  readAs: (column: string) => ColumnSource,
) {
  const lotsPerHome: number[] = [];
  const smallLots = createTally();
  let rows = 0;

  /** `homeSqft` is 0 for a home without a lot of its own. */
  function add(lot: string, lotSqft: number, homeSqft: number, line: number): void {
    rows++;
    if (lotSqft > 0 && homeSqft > 0 && lotsPerHome.length < MAX_VALUES) lotsPerHome.push(lotSqft / homeSqft);
    if (/^\d{0,2}\.\d*[1-9]0*$/.test(lot)) smallLots.add(lot, line);
  }

  function findings(): Finding[] {
    const perHome = lotsPerHome.toSorted((a, b) => a - b);
    const median = perHome[perHome.length >> 1];
    const source = sourceOf('lot_size');
    const decimals = smallLots.finding({
      check: 'unlikely_units',
      column: 'lot_size',
      message: `${smallLots.count()} of ${rows} rows of ${file} have a lot_size with decimals below 100: it may be in acres, and the others in square feet.`,
      remedy: `Give all values of ${source} in one unit, or write "acres" after these.`,
      isBlocking: isCommon(smallLots.count(), rows),
    });
    if (perHome.length < LEAST_VALUES || median >= LEAST_LOT_PER_HOME) return decimals;
    return [
      ...decimals,
      {
        check: 'unlikely_units',
        column: 'lot_size',
        count: perHome.length,
        message: `The median lot of ${file} has ${Math.round(100 * median)}% of the living area of the home on it: lot_size may be in square meters.`,
        examples: perHome
          .slice(perHome.length >> 1, (perHome.length >> 1) + 3)
          .map((share) => share.toFixed(2)),
        remedy: 'Multiply lot_size by a factor, or export it in square feet.',
        fixes: [multiply('lot_size', source, SQFT_PER_SQM * (readAs('lot_size').times ?? 1))],
        isBlocking: true,
      },
    ];
  }

  return { add, findings };
}
