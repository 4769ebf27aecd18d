import { createHash } from 'node:crypto';
import { acsPublishedOn } from '../../domain/census/acs-years.ts';
import { type Day, formatDay } from '../../domain/day.ts';
import { RENTAL_FIELDS, RENTAL_UNIT_FIELDS } from '../../domain/property-attributes.ts';
import { ATTRIBUTES } from '../../domain/property.ts';
import { RENT_FEATURES } from '../../domain/rent.ts';
import type { Warning } from '../../domain/warning.ts';
import type { OperationDeps } from '../deps.ts';
import type { BoundActiveMarket } from '../market-data/markets.ts';
import { featureInputs, rentFeatureWarnings } from '../valuation/own-features.ts';
import {
  adjustmentMembers,
  accuracyOf,
  attributeValue,
  comparablePlaceOf,
  comparablesList,
  modelMembers,
  perSqft,
  recordSourceOf,
  valuationWarnings,
  valueFigures,
} from '../valuation/value-members.ts';
import type {
  CensusRentalInputs,
  ComputedOf,
  DescribedBuilding,
  RentalInput,
  RentalInputs,
  RentalValue,
  RentComparable,
} from '../valuation-types.ts';
import { rentalFieldNameOf } from '../../schemas/field-names.ts';
import type { PointAndDistribution } from '../../valuation/calibration/distribution.ts';
import { asOfEnd, featuresOfSale, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import {
  CENSUS_RENT,
  censusBedrooms,
  type CensusRentData,
  valueUnitsByCensus,
} from '../../valuation/rental/census-rent.ts';
import {
  type RentalUnit,
  type UnitComparable,
  type ValuedUnit,
  valueUnits,
} from '../../valuation/rental/value-units.ts';
import type { ImputedSubject } from '../../valuation/subject.ts';

/** @throws PlumblineError `gone` if the model or the data was pruned */
export async function computeRental(
  { markets }: Pick<OperationDeps, 'markets'>,
  inputs: RentalInputs,
  valuationId: string,
): Promise<ComputedOf<'rental'>> {
  if ('census' in inputs) return rentsOfCensus(inputs, valuationId);
  const market = await markets.ofInputs(inputs, inputs.rentsDatasetId);
  const { asOf, search, building } = inputs;
  const { home, units, sources } = building;
  const valued = valueUnits(market.bound, home, units, sources, { asOf, knownBy: asOf }, search);
  const values = valued.units.map((unit) => unit.valued);
  const estimates = values.map(({ estimate, distribution }) => ({
    pointUsd: estimate.pointUsd,
    distribution,
  }));
  const { items, candidates } = valued.comparables;
  const members = rentalMembers(valuationId, building, asOf, { ...valued, units: estimates });
  const reportsLastSeen = items.length > 0 && hasLastSeenDays(market.columns, asOf);
  return {
    valuation: {
      ...members,
      estimators: totalEstimators(valued.units),
      inputs: rentalInputsOf(market, building, valued.units),
      accuracy: accuracyOf(market.bound.trained, home.type, members.confidenceLevel),
      model: modelMembers(market, asOf),
      warnings: [
        ...valuationWarnings(market, inputs, building, values, rentalFieldNameOf),
        ...rentFeatureWarnings(market, building),
      ],
    },
    comparables: comparablesList(
      search,
      items.map((item) => rentComparableOf(market, item, asOf, reportsLastSeen)),
      candidates,
    ),
  };
}

/**
 * The members of a rental value before its sources. Money is in whole dollars per month; figures per square
 * foot are in cents.
 */
function rentalMembers(
  valuationId: string,
  { home, units }: DescribedBuilding,
  asOf: Day,
  { total, units: estimates, correlation }: ReturnType<typeof valueUnitsByCensus>,
) {
  const figures = valueFigures(total.pointUsd, total.distribution);
  return {
    valuationId,
    propertyType: home.type,
    totalUnits: home.attributes.totalUnits ?? 1,
    currency: 'USD' as const,
    period: 'monthly' as const,
    asOfDate: formatDay(asOf),
    unitsValued: units.length,
    ...figures,
    estimatedRent: figures.estimatedValue,
    estimatedRentLow: figures.estimatedValueLow,
    estimatedRentHigh: figures.estimatedValueHigh,
    annualRent: 12 * figures.pointValue,
    totalMethod: totalMethodOf(units.length, correlation),
    units: units.map((unit, index) => unitRentOf(unit, estimates[index], index)),
  };
}

function unitRentOf(
  unit: RentalUnit,
  estimate: PointAndDistribution,
  unitIndex: number,
): RentalValue['units'][number] {
  const { pointValue, estimatedValue, estimatedValueLow, estimatedValueHigh, ...spread } = valueFigures(
    estimate.pointUsd,
    estimate.distribution,
  );
  return {
    unitIndex,
    bedrooms: unit.bedrooms,
    bathrooms: unit.bathrooms,
    size: unit.sizeSqft,
    isFurnished: unit.isFurnished,
    pointValue,
    estimatedRent: estimatedValue,
    estimatedRentLow: estimatedValueLow,
    estimatedRentHigh: estimatedValueHigh,
    rentPerSqft: perSqft(pointValue, unit.sizeSqft),
    ...spread,
  };
}

/** A sentence that explains how the units' distributions were combined into the total's. */
function totalMethodOf(units: number, correlation: number): string {
  if (units === 1) return 'One unit: the total is its rent, with its distribution.';
  const rho = correlation.toFixed(2);
  return (
    `The point is the sum of the units' rents. At each percentile the total lies √((1 − ρ) · Σd² + ρ · (Σd)²) from ` +
    `it, where d are the units' distances and ρ = ${rho} is the correlation of two units' errors within a building.`
  );
}

/**
 * The estimate of each estimator for all units together. A unit's rent is Σ weight · value of its estimators.
 * The same holds for the total: an estimator's weight is its share of the total rent.
 */
function totalEstimators(units: readonly ValuedUnit[]): RentalValue['estimators'] {
  const total = units.reduce((sum, { valued }) => sum + valued.estimate.pointUsd, 0);
  const names = new Set(
    units.flatMap(({ valued }) => valued.estimate.estimators.map((estimator) => estimator.name)),
  );
  return [...names].map((name) => {
    let alone = 0;
    let weighed = 0;
    let weight = 0;
    for (const { valued } of units) {
      const { estimators, pointUsd } = valued.estimate;
      // A unit without comparables has one estimator, whose estimate also counts for the others.
      const own = estimators.find((estimator) => estimator.name === name);
      alone += own?.valueUsd ?? pointUsd;
      weighed += own ? own.weight * own.valueUsd : 0;
      weight += own ? (own.weight * pointUsd) / total : 0;
    }
    return { name, value: Math.round(weight > 0 ? weighed / weight : alone), weight };
  });
}

/**
 * Whether the publisher reports when listings were removed. If so, a listing that was not removed by the day
 * was still on the market.
 */
function hasLastSeenDays(columns: SaleColumns, asOf: Day): boolean {
  const { lastSeenOn } = columns;
  return lastSeenOn !== null && lastSeenOn.subarray(0, asOfEnd(columns, asOf)).some((day) => day <= asOf);
}

function rentComparableOf(
  market: BoundActiveMarket,
  item: UnitComparable,
  asOf: Day,
  reportsLastSeen: boolean,
): RentComparable {
  const { columns } = market;
  const { row } = item;
  const place = comparablePlaceOf(columns, row, item.distanceMi);
  const listedOn = columns.soldOn[row];
  // An observation after the as-of date was not known on that date.
  const lastSeenOn = Math.min(asOf, columns.lastSeenOn?.[row] ?? asOf);
  const isGone = columns.lastSeenOn !== null && columns.lastSeenOn[row] <= asOf;
  const furnished = featuresOfSale(columns, row)[RENT_FEATURES.isFurnished];
  return {
    ...place,
    rent: item.salePriceUsd,
    listedDate: formatDay(listedOn),
    lastSeenDate: isGone ? formatDay(lastSeenOn) : null,
    daysOnMarket: reportsLastSeen ? Math.max(0, lastSeenOn - listedOn) : null,
    rentPerSqft: perSqft(item.salePriceUsd, place.livingArea),
    timeAdjustedRent: item.timeAdjustedPriceUsd,
    ...adjustmentMembers(item.salePriceUsd, item.adjustments, rentalFieldNameOf),
    adjustedRent: item.adjustedPriceUsd,
    similarity: item.similarity,
    weight: item.weight,
    isFurnished: furnished === undefined ? null : furnished === '1',
    unitIndex: item.unitIndexes,
    armsLength: null,
    source: recordSourceOf(market, row),
  };
}

/** Computes rents at a place without listings, from the inputs alone. */
function rentsOfCensus(
  { census, asOf, search, building, warnings }: CensusRentalInputs,
  valuationId: string,
): ComputedOf<'rental'> {
  const valued = valueUnitsByCensus(census, building.units, asOf);
  const members = rentalMembers(valuationId, building, asOf, valued);
  return {
    valuation: {
      ...members,
      estimators: [{ name: 'census', value: members.pointValue, weight: 1 }],
      inputs: inputsAsGiven(building),
      accuracy: null,
      model: {
        id: `census-${census.year}`,
        version: formatDay(acsPublishedOn(census.year)),
        sha256: sha256Of({ year: census.year, rents: census.rents }),
        dataSnapshot: sha256Of(census),
      },
      warnings: [...warnings, ...building.warnings, censusWarning(census, building)],
    },
    comparables: comparablesList(search, [], 0),
  };
}

/** A hash of the figures used, so that the version changes only with them. */
function sha256Of(used: object): string {
  return createHash('sha256').update(JSON.stringify(used)).digest('hex');
}

const LEVEL_NAMES = { block_group: 'block group', tract: 'tract', cousub: 'subdivision', county: 'county' };

function censusWarning({ year, rents, offsets }: CensusRentData, { units }: DescribedBuilding): Warning {
  const used = units.map(({ bedrooms }) => rents[censusBedrooms(bedrooms)]);
  const areas = new Set(used.map(({ level, geoid }) => `${LEVEL_NAMES[level]} ${geoid}`));
  const { nation, state, market } = offsets;
  const buildings = nation.buildings + state.buildings + market.buildings;
  const moved =
    buildings === 0
      ? 'no listings were available to adjust them to asking rents'
      : `adjusted by the ratio to asking rents in ${buildings} buildings`;
  return {
    code: 'census_rents',
    field: null,
    message:
      `There are too few rent listings here, so these are census median gross rents by bedrooms ` +
      `(${year - 4}–${year}, ${[...areas].join(', ')}), brought forward to the date at ` +
      `${(100 * CENSUS_RENT.growthPerYear).toFixed(1)} % a year; ${moved}. Size, bathrooms and amenities have ` +
      `no effect; the interval is wide enough to cover them.`,
  };
}

/** Given per unit in `units`, so not listed with the building's inputs, except for an imputed size. */
const OF_UNITS: ReadonlySet<string> = new Set(RENTAL_UNIT_FIELDS.map(({ key }) => key));
/** Listed even if unknown, because a caller may enter them. The others are listed only if known. */
const ENTERED_FOR_BUILDINGS: ReadonlySet<string> = new Set(RENTAL_FIELDS.map(({ key }) => key));

/**
 * The inputs of the rents: first those of the building, then the imputed sizes. If a detail of the building
 * was imputed separately for each unit, the most frequent value is listed.
 */
function rentalInputsOf(
  market: BoundActiveMarket,
  building: DescribedBuilding,
  units: readonly ValuedUnit[],
): RentalInput[] {
  const subjects = units.map(({ valued }) => valued.subject);
  const attributes = subjects[0].inputs.flatMap(({ attribute, source }, at): RentalInput[] => {
    if (OF_UNITS.has(attribute)) return [];
    if (source === 'default' && !ENTERED_FOR_BUILDINGS.has(attribute)) return [];
    const { value, support } = mostCommon(
      subjects.map((subject) => subject.inputs[at]),
      (input) => input.value,
    );
    return [inputLine(rentalFieldNameOf(attribute), attributeValue(attribute, value), source, support)];
  });
  const perUnit = subjects.map(({ imputedFeatures }) => featureInputs(market, building, imputedFeatures));
  const features = perUnit[0].map((_, at) => {
    const { field, value, source, support } = mostCommon(
      perUnit.map((ofUnit) => ofUnit[at]),
      (input) => input.value,
    );
    return inputLine(field, value, source, support);
  });
  return [typeOf(building), ...attributes, parkingOf(building, subjects), ...features, ...sizesOf(subjects)];
}

/** What is known about the building if no listing was used to impute the rest. */
function inputsAsGiven(building: DescribedBuilding): RentalInput[] {
  const { home, sources } = building;
  const attributes = ATTRIBUTES.flatMap((field): RentalInput[] => {
    const known = home.attributes[field];
    if (OF_UNITS.has(field) || (known === null && !ENTERED_FOR_BUILDINGS.has(field))) return [];
    const source = known === null ? 'default' : (sources[field] ?? 'default');
    return [inputLine(rentalFieldNameOf(field), attributeValue(field, known), source)];
  });
  return [typeOf(building), ...attributes, parkingOf(building, [])];
}

/** `unitIndex` is null for details of the building. */
function inputLine(
  field: string,
  value: RentalInput['value'],
  source: RentalInput['source'],
  support: number | null = null,
  unitIndex: readonly number[] | null = null,
): RentalInput {
  return { field, value, source, support, unitIndex };
}

function typeOf({ home, typeSource }: DescribedBuilding): RentalInput {
  return inputLine('property_type', home.type, typeSource);
}

function parkingOf(
  { home, parkingSource }: DescribedBuilding,
  subjects: readonly ImputedSubject[],
): RentalInput {
  const field = 'has_parking';
  if (parkingSource !== null) {
    return inputLine(field, home.features[RENT_FEATURES.hasParking] === '1', parkingSource);
  }
  const imputed = subjects.flatMap(({ imputedFeatures }) =>
    imputedFeatures.filter(({ name }) => name === RENT_FEATURES.hasParking),
  );
  if (imputed.length === 0) return inputLine(field, null, 'default');
  const { value, support } = mostCommon(imputed, (feature) => feature.value);
  return inputLine(field, value === null ? null : value === '1', 'comparables', support);
}

/** The first input with the most frequent value. */
function mostCommon<Item>(items: readonly Item[], valueOf: (item: Item) => unknown): Item {
  const groups = Map.groupBy(items, valueOf);
  return [...groups.values()].reduce((best, group) => (group.length > best.length ? group : best))[0];
}

/** For each group of identical units whose size was imputed. Identical units share one subject. */
function sizesOf(subjects: readonly ImputedSubject[]): RentalInput[] {
  return [...new Set(subjects)].flatMap((subject) =>
    subject.inputs
      .filter(({ attribute, source }) => attribute === 'livingAreaSqft' && source !== 'request')
      .map(({ attribute, value, source, support }) => {
        const unitIndex = subjects.flatMap((other, index) => (other === subject ? [index] : []));
        return inputLine(rentalFieldNameOf(attribute), value, source, support, unitIndex);
      }),
  );
}
