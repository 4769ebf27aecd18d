import type { Warning } from '../domain/warning.ts';
import { PlumblineError } from '../errors.ts';
import type { LocationRequest } from '../locate/located.ts';
import { SECTIONS, type ComprehensiveBody, type SectionName } from '../schemas/comprehensive.ts';
import type { ResponseOf } from '../schemas/member-names.ts';
import type { Caller, OperationDeps, Priced } from './deps.ts';
import { locate, locatePlace, type LocatedPlace } from './locate-place.ts';
import { censusAtLocated, type CensusAtPlaceRequest } from './places/census-data.ts';
import { censusCreditsMax } from './places/census-variables.ts';
import { crimeDataAt, crimeDataCreditsMax, type CrimeDataRequest } from './places/crime-data.ts';
import { fireRiskAt, floodZoneAt, hazardCreditsMax } from './places/hazards.ts';
import { valuationCreditsMax, valueLocated } from './value.ts';
import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { RequestOf, ValuationOf } from './valuation-types.ts';

export interface ComprehensiveRequest {
  readonly location: LocationRequest;
  readonly sections: readonly SectionName[];
  /** Request for the home value; null if `property-avm` is not requested. */
  readonly property: RequestOf<'property'> | null;
  /** Request for the rents of the units; null if `rental-avm` is not requested. */
  readonly rental: RequestOf<'rental'> | null;
  /** Request for the building value; null if `multifamily-avm` is not requested. */
  readonly multifamily: RequestOf<'multifamily'> | null;
  readonly census: Omit<CensusAtPlaceRequest, 'location'>;
  readonly crime: Omit<CrimeDataRequest, 'location'>;
  readonly warnings: readonly Warning[];
}

/**
 * The sections of the response. A section that was not requested is null. A section that failed is listed in
 * `errors`.
 */
interface Comprehensive extends Priced<Omit<ResponseOf<typeof ComprehensiveBody>, 'metadata'>> {
  /** Credits of each section that succeeded. */
  readonly breakdown: Readonly<Partial<Record<SectionName, number>>>;
}

/** The maximum number of credits that a request can cost. A dry run returns it. */
export async function comprehensiveCreditsMax(
  deps: OperationDeps,
  { sections, property, rental, multifamily, census, crime }: ComprehensiveRequest,
): Promise<number> {
  const most: Record<SectionName, () => number | Promise<number>> = {
    'property-avm': () => (property ? valuationCreditsMax('property', property) : 0),
    'rental-avm': () => (rental ? valuationCreditsMax('rental', rental) : 0),
    'multifamily-avm': () => (multifamily ? valuationCreditsMax('multifamily', multifamily) : 0),
    'census-data': () => censusCreditsMax(deps.places, new Set(census.levels).size, census),
    'crime-data': () => crimeDataCreditsMax(crime),
    'fire-risk': hazardCreditsMax,
    'flood-zone': hazardCreditsMax,
  };
  return sumOf(await Promise.all(sections.map((name) => most[name]())));
}

function sumOf(credits: readonly number[]): number {
  return credits.reduce((sum, each) => sum + each, 0);
}

/**
 * Everything about one place. The place is located once, and its sections run in parallel. A section that
 * fails reports why and costs nothing; the other sections still succeed.
 *
 * @throws PlumblineError `address_not_found`; the first section's error if every section failed
 */
export async function comprehensive(
  deps: OperationDeps,
  request: ComprehensiveRequest,
  caller: Caller,
): Promise<Comprehensive> {
  const valued = request.property ?? request.rental ?? request.multifamily;
  const place = await locatePlace(deps, request.location, valued?.asOf ?? null);
  // Warnings about the location are listed once, at the top. Only valuations repeat them, because each is
  // recorded and read back alone.
  const at: LocatedPlace = { ...place, located: { ...place.located, warnings: [] } };
  const credits = new Map<SectionName, number>();
  const failures = new Map<SectionName, PlumblineError>();
  /** Runs a requested section. An error that is not a PlumblineError is a bug, so it is thrown on. */
  const run = async <Response>(
    name: SectionName,
    work: () => Promise<Priced<Response>>,
  ): Promise<Response | null> => {
    if (!request.sections.includes(name)) return null;
    try {
      const priced = await work();
      credits.set(name, priced.credits);
      return priced.response;
    } catch (error) {
      if (!(error instanceof PlumblineError)) throw error;
      failures.set(name, error);
      return null;
    }
  };
  const [property, rental, multifamily, census, crime, fireRisk, floodZone] = await Promise.all([
    run('property-avm', () => valueAt(deps, 'property', place, request.property, caller)),
    run('rental-avm', () => valueAt(deps, 'rental', place, request.rental, caller)),
    run('multifamily-avm', () => valueAt(deps, 'multifamily', place, request.multifamily, caller)),
    run('census-data', () => censusAtLocated(deps, at, request.census)),
    run('crime-data', () => crimeDataAt(deps, at, request.crime)),
    run('fire-risk', () => fireRiskAt(deps, at, { warnings: [] })),
    run('flood-zone', () => floodZoneAt(deps, at, { warnings: [] })),
  ]);
  const failed = SECTIONS.flatMap((name) => {
    const error = failures.get(name);
    return error ? [{ name, error }] : [];
  });
  if (credits.size === 0 && failed.length > 0) throw failed[0].error;
  const own = [census, crime, fireRisk, floodZone].flatMap((section) => section?.warnings ?? []);
  return {
    response: {
      addressInfo: place.addressInfo,
      propertyAvm: property && { valuation: property.valuation, comparables: property.comparables },
      rentalAvm: rental && { valuation: rental.valuation, comparables: rental.comparables },
      multifamilyAvm: multifamily && {
        valuation: multifamily.valuation,
        comparables: multifamily.comparables,
      },
      censusData: census && { censusGeoids: census.censusGeoids, acsData: census.acsData },
      locationData:
        crime || fireRisk || floodZone
          ? {
              crime: crime && {
                query: crime.query,
                crimeInstances: crime.crimeInstances,
                summary: crime.summary,
                meta: crime.meta,
              },
              fireRisk: fireRisk && fireRisk.fireRisk,
              floodZone: floodZone && floodZone.femaFloodZone,
            }
          : null,
      errors: Object.fromEntries(
        failed.map(({ name, error: { status, code, message } }) => [name, { status, code, detail: message }]),
      ),
      warnings: [...request.warnings, ...place.located.warnings, ...own],
    },
    breakdown: Object.fromEntries(
      SECTIONS.flatMap((name) => (credits.has(name) ? [[name, credits.get(name)]] : [])),
    ),
    credits: sumOf([...credits.values()]),
  };
}

/**
 * Area data can be located by ZIP code alone. A valuation needs the home itself; otherwise its section
 * reports what is missing.
 */
async function valueAt<Kind extends ValuationKind>(
  deps: OperationDeps,
  kind: Kind,
  { located }: LocatedPlace,
  request: RequestOf<Kind> | null,
  caller: Caller,
): Promise<Priced<ValuationOf<Kind>>> {
  if (request === null) throw new Error('a valuation was requested without its fields');
  const isHome = located.matchLevel === 'point' || located.matchLevel === 'address';
  const home = isHome ? located : await locate(deps, request.location, 'home', request.asOf);
  return valueLocated(deps, kind, home, request, caller);
}
