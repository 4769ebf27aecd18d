import { fieldNameOf } from '../../schemas/field-names.ts';
import { missingDetails, type MissingDetails } from '../../valuation/missing-details.ts';
import { valueHome } from '../../valuation/value-home.ts';
import type { OperationDeps } from '../deps.ts';
import { comparablesList, valuationWarnings } from '../valuation/value-members.ts';
import type { ComputedOf, PropertyInputs } from '../valuation-types.ts';
import { computeChanges } from './compute-changes.ts';
import { namingEarlierSales } from './earlier-sales.ts';
import { propertyMembers, propertyValuation, saleComparableOf } from './property-members.ts';

/** @throws PlumblineError `gone` if the model or the data was pruned */
export async function computeProperty(
  { markets }: Pick<OperationDeps, 'markets'>,
  inputs: PropertyInputs,
  valuationId: string,
): Promise<ComputedOf<'property'>> {
  const market = await markets.ofInputs(inputs, inputs.salesDatasetId);
  const { asOf, search, subject, changes } = inputs;
  if (changes) return computeChanges(market, inputs, changes, valuationId);
  const valued = valueHome(market.bound, subject.home, subject.sources, { asOf, knownBy: asOf }, search);
  const warnings = valuationWarnings(market, inputs, subject, [valued], fieldNameOf);
  const named = namingEarlierSales(market, inputs);
  const members = propertyMembers(valuationId, market, inputs, valued);
  return {
    valuation: propertyValuation(members, warnings),
    comparables: comparablesList(
      search,
      valued.comparables.items.map((item) => saleComparableOf(market, named(item), fieldNameOf)),
      valued.comparables.candidates,
    ),
  };
}

/**
 * How much each missing detail of the home would narrow the range of these inputs.
 *
 * @throws PlumblineError `gone` if the model or the data was pruned
 */
export async function computeMissingDetails(
  { markets }: Pick<OperationDeps, 'markets'>,
  inputs: PropertyInputs,
): Promise<MissingDetails> {
  const { asOf, subject } = inputs;
  const { bound } = await markets.ofInputs(inputs);
  return missingDetails(bound, subject.home, subject.sources, { asOf, knownBy: asOf });
}
