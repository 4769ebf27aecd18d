import { formatDay, type Day } from '../../domain/day.ts';
import { formatUsd } from '../../domain/display-format.ts';
import { isFailure, PlumblineError } from '../../errors.ts';
import { milesApart } from '../../geo/distance.ts';
import { isUsable } from '../../valuation/columns/sale-columns.ts';
import { COMPARABLES } from '../../valuation/comparables/comparables-constants.ts';
import { addedId } from '../../valuation/comparables/sales-data.ts';
import { SALE_LIMITS } from '../../valuation/flags/limits.ts';
import { SALE_FLAGS } from '../../valuation/flags/sale-flags.ts';
import { rowWithText, textAt } from '../../valuation/typed-columns.ts';
import type { Home } from '../../valuation/subject.ts';
import type { OperationDeps } from '../deps.ts';
import type { Located } from '../../locate/located.ts';
import { locate } from '../locate-place.ts';
import type { ActiveMarket } from '../market-data/markets.ts';
import type {
  DescribedSale,
  PropertyChanges,
  PropertyInputs,
  PropertyValuationRequest,
  RequestedChanges,
  RequestedSale,
} from '../valuation-types.ts';
import { gatherPropertyInputs, propertyInputsIn } from './gather-property-inputs.ts';

/** Only the facts change. */
export const NO_CHANGES = {
  pinned: [],
  excluded: [],
  added: [],
  isFilled: true,
  adjustments: [],
  renovations: [],
} as const satisfies RequestedChanges;

/** A change that does not fit the data. The path is that of the request. */
interface ChangeProblem {
  readonly path: readonly (string | number)[];
  readonly type: string;
  readonly message: string;
}

export class ChangesError extends PlumblineError {
  readonly problems: readonly ChangeProblem[];

  constructor(problems: readonly ChangeProblem[]) {
    const sentences = problems.map(({ path, message }) => `${path.join('.')} ${message}.`);
    super('invalid_changes', sentences.join(' '));
    this.problems = problems;
  }
}

/**
 * The inputs of a valuation with the changes that its request wants.
 *
 * @throws PlumblineError `outside_coverage`, `insufficient_data`, `invalid_changes`
 */
export async function gatherInputsWithChanges(
  deps: OperationDeps,
  located: Located,
  request: PropertyValuationRequest,
): Promise<PropertyInputs> {
  const inputs = await gatherPropertyInputs(deps, located, request);
  const { changes } = request;
  if (!changes) return inputs;
  const market = await deps.markets.columnsOf(inputs);
  return { ...inputs, changes: await gatherChanges(deps, market, inputs, changes) };
}

/**
 * Checks the requested sales against those of the market that were known on the as-of date, and describes added sales by
 * their records.
 *
 * @throws ChangesError with every problem
 */
export async function gatherChanges(
  deps: OperationDeps,
  market: ActiveMarket,
  { asOf, subject: { home } }: Pick<PropertyInputs, 'asOf' | 'subject'>,
  { added, ...changes }: RequestedChanges,
): Promise<PropertyChanges> {
  const problems: ChangeProblem[] = [];
  const report = (path: ChangeProblem['path'], type: string, message: string) => {
    problems.push({ path, type, message });
  };
  const checkSale = (compId: string, path: ChangeProblem['path'], isUsed: boolean): void => {
    const problem = problemOfSale(market, home, asOf, compId, isUsed);
    if (problem !== null) report([...path, 'comp_id'], 'comp_id', problem);
  };
  changes.pinned.forEach((compId, i) => checkSale(compId, ['comparables', 'pinned', i], true));
  changes.excluded.forEach(({ compId }, i) => checkSale(compId, ['comparables', 'excluded', i], false));
  const described: DescribedSale[] = [];
  const pinned = [...changes.pinned];
  const givenById = new Set([...pinned, ...added.flatMap((sale) => ('compId' in sale ? sale.compId : []))]);
  for (const [i, sale] of added.entries()) {
    const path = ['comparables', 'added', i];
    if ('compId' in sale) {
      checkSale(sale.compId, path, true);
      pinned.push(sale.compId);
    } else if (sale.soldOn > asOf) {
      report(
        [...path, 'sale_date'],
        'date_out_of_range',
        `must not be after the as-of date, ${formatDay(asOf)}`,
      );
    } else if (sale.priceUsd < SALE_LIMITS.leastPriceUsd) {
      const least = formatUsd(SALE_LIMITS.leastPriceUsd);
      report(
        [...path, 'sale_price'],
        'price_outside',
        `must be at least ${least}: lower prices, such as of deeds between relatives, do not indicate market value`,
      );
    } else {
      const found = await describeSale(deps, market, home, asOf, sale);
      if (typeof found === 'string') report(path, 'sale', found);
      else if (found.replaces && givenById.has(found.replaces))
        report(
          path,
          'duplicate',
          `is the sale ${found.replaces}, which is also given by its id; give it once`,
        );
      else if (described.some((earlier) => isSameSale(earlier, found)))
        report(path, 'duplicate', 'is the same sale as an earlier one of the list; give it once');
      else described.push(found);
    }
  }
  const ids = new Set(described.map((_, i) => addedId(i)));
  changes.adjustments.forEach(({ compId }, i) => {
    if (!ids.has(compId)) checkSale(compId, ['adjustments', i], true);
  });
  if (problems.length > 0) throw new ChangesError(problems);
  return { ...changes, pinned, added: described, isFullyChecked: true };
}

/** Why a sale of the market cannot be used; null if it can. */
function problemOfSale(
  { columns, marketId, parcelSales }: ActiveMarket,
  home: Home,
  asOf: Day,
  compId: string,
  isUsed: boolean,
): string | null {
  const row = rowWithText(columns.recordId, compId);
  if (row === null || columns.availableOn[row] > asOf || columns.soldOn[row] > asOf) {
    return `is not a sale of market ${marketId} known on ${formatDay(asOf)}`;
  }
  if (!isUsed) return null;
  if (!isUsable(columns, row, asOf)) {
    const why =
      columns.flag[row] === 0 ? 'an operator excluded it' : `its flag is ${SALE_FLAGS[columns.flag[row]]}`;
    return `is a sale that does not indicate market value: ${why}`;
  }
  return parcelSales.rowsOf(home).includes(row) ? 'is a sale of the property itself' : null;
}

/**
 * The same sale within this share of the price and this many days: publishers round, and date contracts or deeds. With
 * another price it contradicts the record.
 */
const SAME_SALE = { price: 0.01, days: 31 } as const;

/** The same record, or the same home, day and price. */
function isSameSale(one: DescribedSale, other: DescribedSale): boolean {
  if (one.replaces !== undefined && one.replaces === other.replaces) return true;
  const [a, b] = [one.subject.home, other.subject.home];
  const isSameHome = a.parcelId === b.parcelId && a.lat === b.lat && a.lon === b.lon;
  return isSameHome && one.soldOn === other.soldOn && one.priceUsd === other.priceUsd;
}

/** A sale by its record, or why it cannot be compared. */
async function describeSale(
  deps: OperationDeps,
  market: ActiveMarket,
  subject: Home,
  asOf: Day,
  { location, priceUsd, soldOn, ...facts }: RequestedSale,
): Promise<DescribedSale | string> {
  try {
    const located = await locate(deps, location, 'home', asOf);
    const request = {
      ...facts,
      location,
      asOf,
      search: { radiusMi: 1, lookbackMonths: null, numComps: 0 },
      warnings: [],
    };
    const {
      subject: { home, sources },
    } = await propertyInputsIn(deps, market, located, request);
    const miles = milesApart(subject, home);
    if (miles > COMPARABLES.maxMi) {
      return `is ${miles.toFixed(0)} miles away; a comparable is at most ${COMPARABLES.maxMi} miles away`;
    }
    if (home.parcelId !== null && home.parcelId === subject.parcelId) return 'is the property itself';
    const { columns, parcelSales } = market;
    const recorded = parcelSales
      .rowsOf(home)
      .filter(
        (row) => columns.availableOn[row] <= asOf && Math.abs(columns.soldOn[row] - soldOn) <= SAME_SALE.days,
      );
    const same = recorded.find(
      (row) => Math.abs(columns.priceUsd[row] - priceUsd) <= SAME_SALE.price * priceUsd,
    );
    // A deed at a nominal price contradicts nothing.
    const other = same === undefined ? recorded.findLast((row) => isUsable(columns, row, asOf)) : undefined;
    return {
      priceUsd,
      soldOn,
      address: location.address,
      isVerified: same !== undefined,
      ...(same !== undefined && { replaces: textAt(columns.recordId, same) }),
      ...(other !== undefined && { contradicts: textAt(columns.recordId, other) }),
      isPriceChecked: true,
      subject: { home, sources },
    };
  } catch (error) {
    if (isFailure(error, 'address_not_found', 'insufficient_data', 'invalid_feature'))
      return `cannot be used: ${error.message}`;
    throw error;
  }
}
