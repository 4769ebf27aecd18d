import { PROPERTY_TYPE_LABELS } from '../../domain/property-types.ts';
import {
  type Attribute,
  ATTRIBUTES,
  type Attributes,
  attributesOf,
  PROPERTY_TYPES,
  type PropertyType,
} from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import { PlumblineError } from '../../errors.ts';
import type { Located } from '../../locate/located.ts';
import type { ParcelRow } from '../../store/property-records.ts';
import type { OnParcel } from '../../valuation/columns/sale-columns.ts';
import { contradictedFigures, trainingRangesOf } from '../../valuation/plausibility.ts';
import type { Home } from '../../valuation/subject.ts';
import type { OperationDeps } from '../deps.ts';
import { withLocationFacts } from '../market-data/location-columns.ts';
import type { ActiveMarket } from '../market-data/markets.ts';
import type {
  DescribedSubject,
  PropertyInputs,
  PropertyValuationRequest,
  RecordOfSubject,
} from '../valuation-types.ts';
import { withGivenFeatures } from '../valuation/own-features.ts';
import { findRecord, type FoundRecord } from './find-record.ts';
import type { SubjectRecord } from './subject-record.ts';
import { resolveUnit, UNIT_TYPE, type ResolvedRecord } from './unit-of-building.ts';

/**
 * Gathers the valuation inputs: the active market of the place, and the home as the request and public
 * records describe it.
 *
 * @throws PlumblineError `outside_coverage`, `insufficient_data`, `record_incomplete`
 */
export async function gatherPropertyInputs(
  deps: OperationDeps,
  located: Located,
  request: PropertyValuationRequest,
): Promise<PropertyInputs> {
  const market = await deps.markets.at('property', located.lat, located.lon, request.asOf);
  const inputs = await propertyInputsIn(deps, market, located, request);
  if (request.needsRecordedRooms) rejectWithoutRooms(inputs.subject);
  return inputs;
}

/** @throws PlumblineError `record_incomplete` */
function rejectWithoutRooms({ home: { attributes } }: DescribedSubject): void {
  const missing = (['bedrooms', 'bathrooms'] as const).filter((name) => attributes[name] === null);
  if (missing.length === 0) return;
  throw new PlumblineError(
    'record_incomplete',
    `No public record has the ${missing.join(' and ')} of this home. Enter them in the file’s ${missing.length === 1 ? 'column' : 'columns'} of ${missing.join(' and ')}, and upload it again.`,
  );
}

/** Gathers the inputs in a given market. `knownParcels` as in `findRecord`. */
export async function propertyInputsIn(
  deps: Pick<OperationDeps, 'store' | 'places'>,
  market: ActiveMarket,
  located: Located,
  request: PropertyValuationRequest,
  knownParcels: ReadonlyMap<string, ParcelRow> | null = null,
): Promise<PropertyInputs> {
  const stated = { ...request, isOfUnit: located.unit !== '' };
  const found = await findRecord(deps, { sales: market }, located, request.asOf, stated, knownParcels);
  const resolved = resolveUnit(request, located, found);
  const { record, place, defaultType } = resolved;
  const described = describeSubject(request, record, place, defaultType);
  const alternatives = resolved.building ? [] : found.alternatives;
  const amongOthers = withAlternatives(described, alternatives, (other, at) =>
    describeSubject(request, other, at, defaultType),
  );
  const ofUnit = withTypicalArea(amongOthers, resolved);
  const withFacts = await withLocationFacts(deps.places, market, ofUnit, request.asOf);
  const subject = withGivenFeatures(withFacts, market, request.features);
  rejectUnitWithoutSales(market, resolved, subject);
  return {
    ...salesInputs(market),
    asOf: request.asOf,
    search: request.search,
    subject,
    record: recordOfSubject(resolved),
    namesEarlierSales: true,
    warnings: [
      ...request.warnings,
      ...located.warnings,
      ...resolved.warnings,
      ...recordedTypeWarnings(described),
    ],
  };
}

/** What a later correction of the facts needs of the record. */
function recordOfSubject({ record, defaultType }: ResolvedRecord): RecordOfSubject {
  const { type, attributes, otherSource } = record;
  const known = (of: Attributes) =>
    Object.fromEntries(Object.entries(of).filter(([, value]) => value !== null));
  return {
    type,
    attributes: known(attributes),
    ...(otherSource && {
      otherSource: { type: otherSource.type, attributes: known(otherSource.attributes) },
    }),
    defaultType,
  };
}

function withTypicalArea(subject: DescribedSubject, { typicalAreaSqft }: ResolvedRecord): DescribedSubject {
  return typicalAreaSqft === null ? subject : { ...subject, home: { ...subject.home, typicalAreaSqft } };
}

/**
 * A unit of a building is valued by sales of units. Without any, the value would be a building's or a house's.
 *
 * @throws PlumblineError `insufficient_data`
 */
function rejectUnitWithoutSales(
  { marketId, columns, model }: ActiveMarket,
  { building, defaultType }: ResolvedRecord,
  { home: { type }, typeSource }: DescribedSubject,
): void {
  const isUnit = building !== null || (defaultType === UNIT_TYPE && typeSource === 'default');
  const { hasType } = trainingRangesOf(columns, model.trainedOn);
  if (!isUnit || hasType(PROPERTY_TYPES.indexOf(type))) return;
  const unit =
    building === null
      ? 'a unit of a building'
      : 'a unit of a rental building, whose units are not sold separately';
  throw new PlumblineError(
    'insufficient_data',
    `The home is ${unit}, and market ${marketId} has no sales of type ${type}. Value the building by POST ` +
      "/v1/avm/multifamily, or the unit's rent by POST /v1/avm/rental.",
  );
}

/** The model and the data of the active market, by which a replay finds them again. */
export function salesInputs({ inputs, dataset }: ActiveMarket) {
  return { ...inputs, salesDatasetId: dataset?.datasetId ?? null };
}

/** The request takes precedence over the record. The type decides what an omitted unit count means. */
export function describeSubject(
  request: Pick<PropertyValuationRequest, 'propertyType' | 'attributes'>,
  record: SubjectRecord,
  place: OnParcel,
  defaultType: PropertyType = 'houses',
): DescribedSubject {
  const type = request.propertyType ?? record.type ?? defaultType;
  const typeSource = request.propertyType ? 'request' : record.type ? 'record' : 'default';
  // The API allows an area of 0. No home has one, so 0 can only mean that the caller does not know it.
  const given = {
    ...request.attributes,
    livingAreaSqft: request.attributes.livingAreaSqft || null,
    lotSizeSqft: request.attributes.lotSizeSqft || null,
  };
  const attributes: Partial<Record<Attribute, number | null>> = {};
  const sources: { [A in Attribute]?: 'request' | 'record' } = {};
  for (const attribute of ATTRIBUTES) {
    const recorded = attribute === 'totalUnits' ? recordedUnits(record, type) : record.attributes[attribute];
    attributes[attribute] = given[attribute] ?? recorded;
    if (given[attribute] !== null) sources[attribute] = 'request';
    else if (recorded !== null) sources[attribute] = 'record';
  }
  const known = attributesOf(attributes);
  return {
    home: {
      ...place,
      type,
      attributes: known,
      features: record.features,
      ...recordedOtherwise(type, typeSource, given, record),
    },
    typeSource,
    sources,
    warnings: [
      ...(typeSource === 'default'
        ? [typeAssumed(`, so the subject was valued as a ${PROPERTY_TYPE_LABELS[type].toLowerCase()}`)]
        : []),
      ...unitCountWarnings(type, known),
      ...(request.attributes.livingAreaSqft === 0 ? [zeroTakenAsUnknown('living_area')] : []),
      ...(request.attributes.lotSizeSqft === 0 ? [zeroTakenAsUnknown('lot_size')] : []),
    ],
  };
}

/** Adds the other homes that may be meant, as the request and their records describe them. */
export function withAlternatives<Subject extends { readonly home: Home }>(
  subject: Subject,
  alternatives: FoundRecord['alternatives'],
  describe: (record: SubjectRecord, place: OnParcel) => Subject,
): Subject {
  if (alternatives.length === 0) return subject;
  const place = { lat: subject.home.lat, lon: subject.home.lon, parcelId: null };
  const homes = alternatives.map(({ record, probability }) => ({
    home: describe(record, place).home,
    probability,
  }));
  return { ...subject, home: { ...subject.home, alternatives: homes } };
}

/**
 * What the record says instead of the request. If the request has no type and the sources of the record disagree on
 * it, that is the type of an older one.
 */
function recordedOtherwise(
  type: PropertyType,
  typeSource: DescribedSubject['typeSource'],
  given: Partial<Attributes>,
  record: SubjectRecord,
): Pick<Home, 'recorded'> {
  const figures = contradictedFigures(given, record.attributes);
  const ofType = typeSource === 'request' ? record : (record.otherSource ?? record);
  if (ofType.type !== null && ofType.type !== type) {
    const { totalUnits } = ofType.attributes;
    return { recorded: { type: ofType.type, attributes: { totalUnits, ...figures } } };
  }
  return Object.keys(figures).length > 0 ? { recorded: { type, attributes: figures } } : {};
}

/** A warning if the request, or an older source of the record, has another type. */
export function recordedTypeWarnings({ home, typeSource }: DescribedSubject): Warning[] {
  if (!home.recorded || home.recorded.type === home.type) return [];
  const [recorded, used] = [home.recorded.type, home.type].map((type) => PROPERTY_TYPE_LABELS[type]);
  const who = typeSource === 'request' ? 'The public record has' : 'An older source of the public record has';
  const as = typeSource === 'request' ? 'as given' : 'by the newest source';
  return [
    {
      code: 'type_differs_from_record',
      field: 'property_type',
      message: `${who} the type "${recorded}". The property was valued as "${used}", ${as}; the range covers both.`,
    },
  ];
}

export function zeroTakenAsUnknown(field: string, where = ''): Warning {
  return {
    code: 'zero_taken_as_unknown',
    field,
    message: `${field} is 0${where}, so it was treated as unknown.`,
  };
}

export function typeAssumed(consequence: string): Warning {
  return {
    code: 'property_type_assumed',
    field: 'property_type',
    message: `No property_type was given and no record has one${consequence}.`,
  };
}

/**
 * A record's unit count is valid only for the recorded type. A request with another type means another building.
 */
export function recordedUnits(record: SubjectRecord, type: PropertyType): number | null {
  return record.type === null || record.type === type ? record.attributes.totalUnits : null;
}

function unitCountWarnings(type: PropertyType, { totalUnits }: Attributes): Warning[] {
  if (type !== 'multifamily' || totalUnits !== null) return [];
  return [
    {
      code: 'units_unknown',
      field: 'total_units',
      message:
        'No record has the number of units of this building, so it was imputed from nearby buildings. ' +
        'You can give the number to POST /v1/avm/multifamily.',
    },
  ];
}
