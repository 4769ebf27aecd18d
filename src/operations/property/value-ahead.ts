import { dayOfInstant } from '../../domain/day.ts';
import { attributesOf, PROPERTY_TYPES } from '../../domain/property.ts';
import { PlumblineError } from '../../errors.ts';
import { SEARCH_DEFAULTS } from '../../schemas/valuation-requests.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import type { OperationDeps } from '../deps.ts';
import { locate } from '../locate-place.ts';
import type { PropertyValuationRequest } from '../valuation-types.ts';
import { NO_CHANGES } from './gather-changes.ts';
import { gatherPropertyInputs } from './gather-property-inputs.ts';

/**
 * Values the home of a sale in each market as a request does, then as a challenge does, and records nothing. The first value in a market sums over
 * its sales, and the first of a thread compiles the code: together 20 times the work of the next.
 *
 * @param times how often at once: as many as there are threads that compute values
 */
export async function valueAhead(
  deps: OperationDeps,
  markets: readonly SaleColumns[],
  times: number,
): Promise<void> {
  const asOf = dayOfInstant(deps.clock());
  for (const columns of markets) {
    if (columns.kind !== 'sales') continue;
    await valuePlace(deps, requestOf(columns, newestOfMainType(columns), asOf), times);
  }
}

/** The newest sale of the type with the most sales: some sums are made for each type. */
function newestOfMainType({ type, n }: SaleColumns): number {
  const types = type.subarray(0, n);
  const counts = PROPERTY_TYPES.map((_, code) => types.reduce((sum, each) => sum + Number(each === code), 0));
  return types.lastIndexOf(counts.indexOf(Math.max(...counts)));
}

function requestOf(columns: SaleColumns, row: number, asOf: number): PropertyValuationRequest {
  return {
    location: { address: null, lat: columns.lat[row], lon: columns.lon[row], mapsPlace: null },
    search: { ...SEARCH_DEFAULTS, lookbackMonths: null, numComps: 1 },
    asOf,
    propertyType: PROPERTY_TYPES[columns.type[row]],
    attributes: attributesOf({ bedrooms: 3, bathrooms: 2 }),
    warnings: [],
  };
}

async function valuePlace(
  deps: OperationDeps,
  request: PropertyValuationRequest,
  times: number,
): Promise<void> {
  try {
    const located = await locate(deps, request.location, 'home', request.asOf);
    const inputs = await gatherPropertyInputs(deps, located, request);
    const values = Array.from({ length: times }, () => deps.computeValue('property', inputs, ''));
    const [{ comparables }] = await Promise.all(values);
    const excluded = comparables.items.slice(0, 1).map(({ compId }) => ({ compId, reason: '' }));
    const changed = { ...inputs, changes: { ...NO_CHANGES, excluded } };
    await Promise.all(values.map(() => deps.computeValue('property', changed, '')));
  } catch (error) {
    // What is wrong with a market is reported to its own requests.
    if (!(error instanceof PlumblineError)) throw error;
  }
}
