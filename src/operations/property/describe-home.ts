import type { Day } from '../../domain/day.ts';
import type { OwnFeature } from '../../domain/own-features.ts';
import { attributesOf } from '../../domain/property.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { LocationRequest } from '../../locate/located.ts';
import type { OperationDeps } from '../deps.ts';
import { type AddressInfo, addressInfoOf, locate } from '../locate-place.ts';
import { modelsOf } from '../market-data/market-catalog.ts';
import type { PricePath, ValuationInput } from '../valuation-types.ts';
import { propertyInputsIn } from './gather-property-inputs.ts';
import { ownSales } from './price-path.ts';
import { unitsAtAddress, type UnitAtAddress } from './units-at-address.ts';

/** What is known about a home before a user enters anything. */
interface DescribedHome {
  readonly addressInfo: AddressInfo;
  readonly marketId: string;
  /** The first as-of date that each kind of model can value here; null if there is no model of the kind. */
  readonly firstServed: Readonly<Record<ValuationKind, Day | null>>;
  /** Null if several parcels may be meant. */
  readonly parcelId: string | null;
  /** Its newest sale that was known on the date. */
  readonly lastSale: PricePath['sales'][number] | null;
  /** The units of a building that was found by its street address. */
  readonly units: readonly UnitAtAddress[];
  /** Every attribute and own feature, from records or imputed from similar homes nearby. */
  readonly inputs: readonly ValuationInput[];
  /** The market's own features of its sales and of its listings. */
  readonly features: readonly OwnFeature[];
  readonly rentFeatures: readonly OwnFeature[];
}

/**
 * What records and neighbors say about the home at a place, so that a user can start from it. A valuation
 * request must name bedrooms and bathrooms; here they may come from a record. The result contains no value,
 * so it is neither stored nor charged.
 *
 * @throws PlumblineError `address_not_found`, `outside_coverage`, `insufficient_data`
 */
export async function describeHome(
  deps: OperationDeps,
  { location, asOf }: { readonly location: LocationRequest; readonly asOf: Day },
): Promise<DescribedHome> {
  const located = await locate(deps, location, 'home', asOf);
  const market = await deps.markets.at('property', located.lat, located.lon, asOf);
  const inputs = await propertyInputsIn(deps, market, located, {
    location,
    asOf,
    search: { radiusMi: 1, lookbackMonths: null, numComps: 0 },
    propertyType: null,
    attributes: attributesOf({}),
    warnings: [],
  });
  const { valuation } = await deps.computeValue('property', inputs, deps.newId());
  const entry = (await deps.markets.list()).find(({ marketId }) => marketId === market.marketId);
  const firstOf = (kind: ValuationKind): Day | null =>
    (entry && modelsOf(entry, kind).at(0)?.trainedOn) ?? null;
  return {
    addressInfo: await addressInfoOf(deps.places, located),
    marketId: market.marketId,
    parcelId: inputs.subject.home.parcelId,
    lastSale: ownSales(market, inputs.subject.home, asOf).at(-1) ?? null,
    firstServed: {
      property: firstOf('property'),
      rental: firstOf('rental'),
      multifamily: firstOf('multifamily'),
    },
    units: await unitsAtAddress(deps, market, located, asOf),
    inputs: valuation.inputs,
    features: entry?.sales?.features ?? [],
    rentFeatures: entry?.rents?.features ?? [],
  };
}
