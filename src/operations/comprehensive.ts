import type { Warning } from '../domain/warning.ts';
import { PlumblineError, type ErrorCode } from '../errors.ts';
import type { Located, LocationRequest } from '../locate/located.ts';
import type { AddressInfo } from './address-info.ts';
import { censusAtLocated, type CensusAtPlaceRequest, type CensusData } from './places/census-data.ts';
import { censusCreditsMax } from './places/census-variables.ts';
import {
  crimeDataAt,
  crimeDataCreditsMax,
  type CrimeData,
  type CrimeDataRequest,
} from './places/crime-data.ts';
import type { Caller, OperationDeps } from './deps.ts';
import { fireRiskAt, type FireRiskAnswer } from './places/fire-risk.ts';
import { floodZoneAt, type FloodZoneAnswer } from './places/flood-zone.ts';
import { hazardCreditsMax } from './places/hazard-request.ts';
import { locateHome, locatePlace, type LocatedPlace } from './locate-place.ts';
import type { PropertyValuation, PropertyValuationRequest } from './property/property-valuation.ts';
import type {
  MultifamilyValuation,
  MultifamilyValuationRequest,
} from './multifamily/multifamily-valuation.ts';
import type { RentalValuation, RentalValuationRequest } from './rental/rental-valuation.ts';
import { propertyCreditsMax, valueLocated } from './property/value-property.ts';
import { multifamilyCreditsMax, valueMultifamilyAt } from './multifamily/value-multifamily.ts';
import { rentalCreditsMax, valueRentalAt } from './rental/value-rental.ts';
import { SECTIONS, type SectionName } from '../schemas/comprehensive.ts';

export interface ComprehensiveRequest {
  readonly location: LocationRequest;
  readonly sections: readonly SectionName[];
  /** Of the home to value; null where `property-avm` is not asked for. */
  readonly property: PropertyValuationRequest | null;
  /** Of the units to let; null where `rental-avm` is not asked for. */
  readonly rental: RentalValuationRequest | null;
  /** Of the building; null where `multifamily-avm` is not asked for. */
  readonly multifamily: MultifamilyValuationRequest | null;
  readonly census: Omit<CensusAtPlaceRequest, 'location'>;
  readonly crime: Omit<CrimeDataRequest, 'location'>;
  readonly warnings: readonly Warning[];
}

/** Why a section has no answer. */
export interface SectionError {
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
}

/** The sections that answered; one that was not asked for is absent, one that failed stands in `errors`. */
export interface Comprehensive {
  readonly addressInfo: AddressInfo;
  readonly property: PropertyValuation | null;
  readonly rental: RentalValuation | null;
  readonly multifamily: MultifamilyValuation | null;
  readonly census: CensusData | null;
  readonly crime: CrimeData | null;
  readonly fireRisk: FireRiskAnswer | null;
  readonly floodZone: FloodZoneAnswer | null;
  readonly errors: Readonly<Partial<Record<SectionName, SectionError>>>;
  /** Credits of each section that answered. */
  readonly breakdown: Readonly<Partial<Record<SectionName, number>>>;
  readonly credits: number;
  readonly warnings: readonly Warning[];
}

/** Most credits a request can come to: what a dry run answers. */
export async function comprehensiveCreditsMax(
  deps: OperationDeps,
  { sections, property, rental, multifamily, census, crime }: ComprehensiveRequest,
): Promise<number> {
  const most: Record<SectionName, () => number | Promise<number>> = {
    'property-avm': () => (property ? propertyCreditsMax(property.search) : 0),
    'rental-avm': () => (rental ? rentalCreditsMax(rental) : 0),
    'multifamily-avm': () => (multifamily ? multifamilyCreditsMax(multifamily.search) : 0),
    'census-data': () => censusCreditsMax(deps.places, new Set(census.levels).size, census),
    'crime-data': () => crimeDataCreditsMax(crime),
    'fire-risk': hazardCreditsMax,
    'flood-zone': hazardCreditsMax,
  };
  const credits = await Promise.all(sections.map((name) => most[name]()));
  return credits.reduce((sum, each) => sum + each, 0);
}

/**
 * Everything about one place at once: located once, its sections worked on side by side. A section that fails says
 * why and costs nothing; the others answer.
 *
 * @throws PlumblineError `address_not_found`; the first section's error where every section failed
 */
export async function comprehensive(
  deps: OperationDeps,
  request: ComprehensiveRequest,
  caller: Caller,
): Promise<Comprehensive> {
  const place = await locatePlace(deps, request.location);
  // What the location warns of is said once, above; sections add what is theirs.
  const at: LocatedPlace = { ...place, warnings: [] };
  const run = sectionRunner(request.sections);
  const [property, rental, multifamily, census, crime, fireRisk, floodZone] = await Promise.all([
    run('property-avm', () => valueAt(deps, place, request.property, valueLocated, caller)),
    run('rental-avm', () => valueAt(deps, place, request.rental, valueRentalAt, caller)),
    run('multifamily-avm', () => valueAt(deps, place, request.multifamily, valueMultifamilyAt, caller)),
    run('census-data', () => censusAtLocated(deps, at, request.census)),
    run('crime-data', () => crimeDataAt(deps, at, request.crime)),
    run('fire-risk', () => fireRiskAt(deps, at, { warnings: [] })),
    run('flood-zone', () => floodZoneAt(deps, at, { warnings: [] })),
  ]);
  const { breakdown, errors, failures } = run.outcome();
  if (Object.keys(breakdown).length === 0 && failures.length > 0) throw failures[0];
  const own = [census, crime, fireRisk, floodZone].flatMap((section) => section?.warnings ?? []);
  return {
    addressInfo: place.addressInfo,
    property,
    rental,
    multifamily,
    census,
    crime,
    fireRisk,
    floodZone,
    errors,
    breakdown,
    credits: Object.values(breakdown).reduce((sum, each) => sum + each, 0),
    warnings: [...request.warnings, ...place.warnings, ...own],
  };
}

interface SectionRunner {
  <Answer extends { readonly credits: number }>(
    name: SectionName,
    work: () => Promise<Answer>,
  ): Promise<Answer | null>;
  readonly outcome: () => Pick<Comprehensive, 'breakdown' | 'errors'> & {
    /** In the order of the sections. */
    readonly failures: readonly PlumblineError[];
  };
}

/** Runs those sections that were asked for, and keeps book. An error that is none of ours is a bug: it goes on. */
function sectionRunner(asked: readonly SectionName[]): SectionRunner {
  const credits = new Map<SectionName, number>();
  const failed = new Map<SectionName, PlumblineError>();
  const run = async <Answer extends { readonly credits: number }>(
    name: SectionName,
    work: () => Promise<Answer>,
  ): Promise<Answer | null> => {
    if (!asked.includes(name)) return null;
    try {
      const answer = await work();
      credits.set(name, answer.credits);
      return answer;
    } catch (error) {
      if (!(error instanceof PlumblineError)) throw error;
      failed.set(name, error);
      return null;
    }
  };
  const outcome = (): ReturnType<SectionRunner['outcome']> => {
    const inOrder = SECTIONS.flatMap((name): [SectionName, PlumblineError][] => {
      const error = failed.get(name);
      return error ? [[name, error]] : [];
    });
    return {
      breakdown: Object.fromEntries(
        SECTIONS.flatMap((name) => (credits.has(name) ? [[name, credits.get(name)]] : [])),
      ),
      errors: Object.fromEntries(
        inOrder.map(([name, { status, code, message }]) => [name, { status, code, detail: message }]),
      ),
      failures: inOrder.map(([, error]) => error),
    };
  };
  return Object.assign(run, { outcome });
}

/** An area may be known by its ZIP; a home must be found itself, or the section says what is missing. */
async function valueAt<Asked extends { readonly location: LocationRequest }, Answer>(
  deps: OperationDeps,
  { located }: LocatedPlace,
  asked: Asked | null,
  value: (deps: OperationDeps, located: Located, asked: Asked, caller: Caller) => Promise<Answer>,
  caller: Caller,
): Promise<Answer> {
  if (asked === null) throw new Error('a valuation was asked for without what to value');
  const isHome = located.matchLevel === 'point' || located.matchLevel === 'address';
  return value(deps, isHome ? located : await locateHome(deps, asked.location), asked, caller);
}
