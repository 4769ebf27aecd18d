import { type Day, formatDay } from '../../domain/day.ts';
import type { Attributes } from '../../domain/property.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { Warning } from '../../domain/warning.ts';
import type { LatLon } from '../../geo/distance.ts';
import type { Located } from '../../locate/located.ts';
import type { OperationDeps } from '../deps.ts';
import { orCoverageError, modelsOf } from '../market-data/market-catalog.ts';
import { withLocationFacts } from '../market-data/location-columns.ts';
import type { Markets } from '../market-data/markets.ts';
import { PlumblineError } from '../../errors.ts';
import { findRecord } from '../property/find-record.ts';
import { NO_RECORD, type SubjectRecord } from '../property/subject-record.ts';
import {
  describeSubject,
  salesInputs,
  withAlternatives,
  zeroTakenAsUnknown,
} from '../property/gather-property-inputs.ts';
import { oneUnitWarnings, unitIgnored } from '../property/unit-of-building.ts';
import { buildingFieldNameOf } from '../../schemas/field-names.ts';
import { withGivenFeatures } from '../valuation/own-features.ts';
import type {
  MultifamilyValuationRequest,
  DescribedSubject,
  MultifamilyInputs,
  RentInputs,
} from '../valuation-types.ts';
import type { OnParcel } from '../../valuation/columns/sale-columns.ts';
import { SALE_LIMITS } from '../../valuation/flags/limits.ts';
import { SMALL_UNITS } from '../../valuation/multifamily/multifamily-constants.ts';

/**
 * Gathers the valuation inputs of a building. Sales must cover the place. Rents are used only if they also
 * cover it.
 *
 * @throws PlumblineError `outside_coverage`, `insufficient_data`
 */
export async function gatherMultifamilyInputs(
  deps: OperationDeps,
  located: Located,
  request: MultifamilyValuationRequest,
): Promise<MultifamilyInputs> {
  const market = await deps.markets.at('property', located.lat, located.lon, request.asOf);
  const attributes = { ...request.attributes, totalUnits: request.totalUnits };
  const stated = { propertyType: request.propertyType, attributes, isOfUnit: false };
  const found = await findRecord(deps, { sales: market }, located, request.asOf, stated);
  const describe = (record: SubjectRecord, place: OnParcel) => describeMultifamily(request, record, place);
  const described = withAlternatives(describe(found.record, found.place), found.alternatives, describe);
  const subject = await withLocationFacts(deps.places, market, described, request.asOf);
  return {
    ...salesInputs(market),
    asOf: request.asOf,
    search: request.search,
    subject: withGivenFeatures(subject, market, request.features),
    warnings: [
      ...request.warnings,
      ...located.warnings,
      ...found.warnings,
      ...(located.unit === '' ? [] : [unitIgnored(located.unit)]),
    ],
    rent: await rentInputsAt(deps, market.marketId, located, request.asOf),
  };
}

/** Describes the building from the request and the record. The number of units alone decides its type. */
export function describeMultifamily(
  request: MultifamilyValuationRequest,
  record: SubjectRecord,
  place: OnParcel,
): DescribedSubject {
  const propertyType = request.totalUnits <= SMALL_UNITS ? 'small_multifamily' : 'multifamily';
  const { attributes, warnings } = withoutEmptyRooms(request);
  const isOther = isOfAnotherBuilding(request, record);
  const own = isOther ? NO_RECORD : record;
  const subject = describeSubject({ propertyType, attributes: withStoriesThatExist(attributes) }, own, place);
  return {
    ...subject,
    warnings: [
      ...mismatchWarnings(request, propertyType),
      ...(isOther ? [otherBuilding(request, record)] : []),
      ...warnings,
      ...oneUnitWarnings({ ...attributes, totalUnits: request.totalUnits }, own, buildingFieldNameOf),
      ...subject.warnings,
    ],
  };
}

/**
 * If the record has this many times more or fewer units, it describes another building, so its area is not used.
 */
const OTHER_BUILDING_FACTOR = 2;

/**
 * A home that was rented or sold as one dwelling is not a building of five units: dividing its area would
 * give units of a few square feet. A condominium is one unit, never the building. A building of two to four units may be the same house, divided since.
 */
function isOfAnotherBuilding(
  { totalUnits }: MultifamilyValuationRequest,
  { type, attributes }: SubjectRecord,
): boolean {
  if (type === 'condos') return true;
  const isBuilding = type === null || type === 'small_multifamily' || type === 'multifamily';
  if (!isBuilding) return totalUnits > SMALL_UNITS;
  const recorded = attributes.totalUnits ?? totalUnits;
  return Math.max(recorded / totalUnits, totalUnits / recorded) >= OTHER_BUILDING_FACTOR;
}

function otherBuilding({ totalUnits }: MultifamilyValuationRequest, record: SubjectRecord): Warning {
  const { totalUnits: recorded } = record.attributes;
  const described = recorded === null ? record.type : `${record.type ?? 'a building'} of ${recorded} units`;
  return {
    code: 'record_of_another_building',
    field: 'total_units',
    message: `The record here is of ${described}, which cannot be a building of ${totalUnits} units, so the record was not used.`,
  };
}

/**
 * The API sets no limit on stories. No building has more than this number. Without a limit, the differences
 * would grow to infinity.
 */
function withStoriesThatExist(attributes: Attributes): Attributes {
  const { stories } = attributes;
  return stories === null
    ? attributes
    : { ...attributes, stories: Math.min(stories, SALE_LIMITS.mostStories.multifamily) };
}

function mismatchWarnings(request: MultifamilyValuationRequest, derived: string): Warning[] {
  if (request.propertyType === null || request.propertyType === derived) return [];
  return [
    {
      code: 'property_type_mismatch',
      field: 'property_type',
      message: `property_type is ${request.propertyType}, but ${request.totalUnits} units make it ${derived}: valued as ${derived}.`,
    },
  ];
}

/**
 * A building of five or more units has bathrooms, so 0 bathrooms means that nobody counted them; most
 * assessors record 0 for such buildings. If bathrooms are 0, then 0 bedrooms were not counted either. If
 * bathrooms are known, 0 bedrooms mean that all units are studios.
 */
function withoutEmptyRooms({
  attributes,
  totalUnits,
}: MultifamilyValuationRequest): Pick<MultifamilyValuationRequest, 'attributes' | 'warnings'> {
  if (totalUnits <= SMALL_UNITS || attributes.bathrooms !== 0) return { attributes, warnings: [] };
  const empty = attributes.bedrooms === 0 ? ['bathrooms', 'bedrooms'] : ['bathrooms'];
  return {
    attributes: { ...attributes, bathrooms: null, bedrooms: attributes.bedrooms || null },
    warnings: empty.map((field) => zeroTakenAsUnknown(field, ' for a building of five or more units')),
  };
}

type RentDeps = Pick<OperationDeps, 'assumptionsOf'> & { readonly markets: Pick<Markets, 'at' | 'list'> };

/**
 * The rental and multifamily models of the market that are active on the day, or a sentence that names what
 * is missing. The sentence is part of the response, so it depends on nothing imported or listed later.
 *
 * @throws errors of the markets, except those for a place or day that rents do not cover
 */
export async function rentInputsAt(
  { markets, assumptionsOf }: RentDeps,
  marketId: string,
  place: LatLon,
  asOf: Day,
): Promise<RentInputs> {
  const entry = (await markets.list()).find((candidate) => candidate.marketId === marketId);
  const modelsOfKind = (kind: ValuationKind) => (entry ? modelsOf(entry, kind) : []);
  const buildings = modelsOfKind('multifamily').findLast((model) => model.trainedOn <= asOf);
  if (!buildings) {
    return {
      reason:
        `Market ${marketId} has no multifamily model trained on or before ${formatDay(asOf)}. It needs ` +
        'imported rents of the market and a training.',
    };
  }
  const rental = await orCoverageError(markets.at('rental', place.lat, place.lon, asOf));
  if (rental instanceof PlumblineError) {
    return { reason: `Too few rents around this point were known on ${formatDay(asOf)} to estimate rents.` };
  }
  if (rental.marketId !== marketId) {
    return {
      reason: `The rents around this point are in market ${rental.marketId} and the sales in market ${marketId}; a multiplier needs both in one market.`,
    };
  }
  // Uses the rental model that the multipliers were trained with, even if a newer rental model exists. An
  // error of that model affects the training sales and this building alike, so it cancels out. An error of
  // another model does not.
  const trainedWith = modelsOfKind('rental').findLast((model) => model.trainedOn === buildings.trainedOn);
  const { modelId } = trainedWith ?? rental.model;
  return {
    rental: { ...rental.inputs, modelId },
    buildingsModelId: buildings.modelId,
    assumptions: assumptionsOf(marketId),
  };
}
