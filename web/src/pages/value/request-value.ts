import type { Problem } from '../../api/problem.ts';
import type { DescribedHome, ValuationInput, Valued } from '../../api/valuations.ts';
import {
  bodyOf,
  FIELDS_OF,
  missingOf,
  valueOf,
  type Fields,
  type Kind,
  type Unit,
  type ValueRequest,
} from './value-request.ts';

/** The server's operations; tests replace them. */
export interface RequestDeps {
  readonly describe: (body: unknown, signal: AbortSignal) => Promise<DescribedHome>;
  readonly value: Readonly<Record<Kind, (body: unknown, signal: AbortSignal) => Promise<Valued>>>;
  readonly problemOf: (error: unknown) => Pick<Problem, 'code'>;
  /** Descriptions by location and date, so that each is requested once. */
  readonly known: Map<string, DescribedHome>;
}

interface RequestedValue {
  readonly described: DescribedHome | null;
  /** The request as a program must send it. */
  readonly complete: FullRequest;
  /** Null if a required detail of a building is unknown. */
  readonly valued: Valued | null;
}

/**
 * Describes the location as of the date, and values the request. The console's requests of homes need no rooms: sent
 * from the record, those would count as entered by the user. Required details of buildings come from the record.
 */
export async function requestValue(
  deps: RequestDeps,
  request: ValueRequest,
  signal: AbortSignal,
  numComps?: number,
): Promise<RequestedValue> {
  const describing = describeOnce(deps, request, signal);
  if (request.kind === 'home') {
    const valuing = deps.value.home(bodyOf(request, numComps), signal);
    const [described, valued] = await Promise.all([describing, valuing]);
    return { described, complete: completeRequest(request, described), valued };
  }
  const described = await describing;
  const complete = completeRequest(request, described);
  if (complete.missing.length > 0) return { described, complete, valued: null };
  const valued = await deps.value[request.kind](bodyOf(complete.request, numComps), signal);
  return { described, complete, valued };
}

/**
 * The value of a home without the details that the user entered, of which these are changes. Null for rents and
 * buildings, and if the details decide that there is a model for the home.
 */
export async function originalValue(
  deps: RequestDeps,
  request: ValueRequest,
  signal: AbortSignal,
): Promise<Valued | null> {
  if (request.kind !== 'home') return null;
  try {
    return await deps.value.home(bodyOf({ ...request, fields: {} }), signal);
  } catch (error) {
    if (deps.problemOf(error).code === 'insufficient_data') return null;
    throw error;
  }
}

/**
 * The records as of the date: later records must not complete a request of an earlier date. Rents and buildings
 * can be valued without a description if there are no sales.
 */
async function describeOnce(
  { describe, known, problemOf }: RequestDeps,
  { where, date, kind }: ValueRequest,
  signal: AbortSignal,
): Promise<DescribedHome | null> {
  const key = JSON.stringify([where, date]);
  const found = known.get(key);
  if (found) return found;
  try {
    const body = { location: where, search_params: date === null ? {} : { date } };
    const described = await describe(body, signal);
    known.set(key, described);
    return described;
  } catch (error) {
    const { code } = problemOf(error);
    if (kind !== 'home' && (code === 'insufficient_data' || code === 'outside_coverage')) return null;
    throw error;
  }
}

/** A request with its required details, from the user, the public record or nearby homes. */
export interface FullRequest {
  readonly request: ValueRequest;
  /** The details that the user did not enter, with their source. */
  readonly taken: ReadonlyMap<string, ValuationInput>;
  /** Required details that are unknown. */
  readonly missing: readonly string[];
}

/** Records have other names for the rooms of a building than requests. */
const RECORDED_AS: Readonly<Record<string, string>> = {
  bedrooms: 'total_bedrooms',
  bathrooms: 'total_bathrooms',
};

const BUILDINGS: ReadonlySet<unknown> = new Set(['small_multifamily', 'multifamily']);

export function completeRequest(
  request: ValueRequest,
  described: Pick<DescribedHome, 'inputs'> | null,
): FullRequest {
  const inputs = new Map((described?.inputs ?? []).map((input) => [input.field, input]));
  if (request.kind === 'rent') {
    const units = request.units.length > 0 ? request.units : [usualUnit(inputs)];
    return { request: { ...request, units }, taken: new Map(), missing: [] };
  }
  const fields: Record<string, Fields[string]> = { ...request.fields };
  const taken = new Map<string, ValuationInput>();
  for (const name of missingOf(request)) {
    const input = inputs.get(RECORDED_AS[name] ?? name);
    if (!input || typeof input.value !== 'number' || !isAccepted(request.kind, name, input.value)) continue;
    // Nearby homes do not predict the total rooms of a building.
    if (request.kind === 'building' && !isRecordedBuilding(inputs, input)) continue;
    fields[name] = input.value;
    taken.set(name, input);
  }
  const complete = { ...request, fields };
  return { request: complete, taken, missing: missingOf(complete) };
}

/** A record can have more rooms than a request may. */
function isAccepted(kind: Kind, name: string, value: number): boolean {
  const field = FIELDS_OF[kind].find((one) => one.name === name);
  return field !== undefined && valueOf(field, String(value)) !== null;
}

type Inputs = ReadonlyMap<string, ValuationInput>;

function isRecordedBuilding(inputs: Inputs, input: ValuationInput): boolean {
  return input.source === 'record' && BUILDINGS.has(inputs.get('property_type')?.value);
}

/** The most rooms that a request accepts. */
const MAX_ROOMS = 10;

/** The home itself, or an average unit of the building. If nothing is known: two bedrooms and one bathroom. */
function usualUnit(inputs: Inputs): Unit {
  const known = (field: string): number | null => {
    const value = inputs.get(field)?.value;
    return typeof value === 'number' ? value : null;
  };
  const isBuilding = BUILDINGS.has(inputs.get('property_type')?.value);
  const units = isBuilding ? Math.max(1, known('total_units') ?? 1) : 1;
  const share = (total: number | null, otherwise: number, step: number): number =>
    total === null ? otherwise : Math.min(MAX_ROOMS, Math.round(total / units / step) * step);
  return {
    bedrooms: share(known('total_bedrooms'), 2, 1),
    bathrooms: share(known('total_bathrooms'), 1, 0.5),
    size: null,
    is_furnished: false,
  };
}
