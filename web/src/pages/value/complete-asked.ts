import type { DescribedHome, ValuationInput } from '../../api/valuations.ts';
import { missingOf, type Asked, type FieldValue, type Unit } from './asked.ts';

/** What nobody said and a request must say: taken from the record, or from what is usual nearby. */
export interface CompleteAsked {
  readonly asked: Asked;
  /** Where the page took a field from that the person did not say. */
  readonly taken: ReadonlyMap<string, ValuationInput>;
  /** Fields that nobody knows: to be asked for. */
  readonly missing: readonly string[];
}

/** What a building's record calls its rooms, which requests of buildings call otherwise. */
const RECORDED_AS: Readonly<Record<string, string>> = {
  bedrooms: 'total_bedrooms',
  bathrooms: 'total_bathrooms',
};

const BUILDINGS: ReadonlySet<unknown> = new Set(['small_multifamily', 'multifamily']);

export function completeAsked(asked: Asked, described: Pick<DescribedHome, 'inputs'> | null): CompleteAsked {
  const inputs = new Map((described?.inputs ?? []).map((input) => [input.field, input]));
  if (asked.kind === 'rent') {
    const units = asked.units.length > 0 ? asked.units : [usualUnit(inputs)];
    return { asked: { ...asked, units }, taken: new Map(), missing: [] };
  }
  const fields: Record<string, FieldValue> = { ...asked.fields };
  const taken = new Map<string, ValuationInput>();
  for (const name of missingOf(asked)) {
    const input = inputs.get(RECORDED_AS[name] ?? name);
    if (!input || typeof input.value !== 'number') continue;
    // What is usual of homes nearby says nothing of a building's rooms in total.
    if (asked.kind === 'building' && !isRecordedBuilding(inputs, input)) continue;
    fields[name] = input.value;
    taken.set(name, input);
  }
  const complete = { ...asked, fields };
  return { asked: complete, taken, missing: missingOf(complete) };
}

type Inputs = ReadonlyMap<string, ValuationInput>;

function isRecordedBuilding(inputs: Inputs, input: ValuationInput): boolean {
  return input.source === 'record' && BUILDINGS.has(inputs.get('property_type')?.value);
}

/** A request takes rooms up to these. */
const ROOMS_MAX = 10;

/** The home itself, or of a building one of its units on average; two bedrooms and a bath where nothing is known. */
export function usualUnit(inputs: Inputs): Unit {
  const told = (field: string): number | null => {
    const value = inputs.get(field)?.value;
    return typeof value === 'number' ? value : null;
  };
  const isBuilding = BUILDINGS.has(inputs.get('property_type')?.value);
  const units = isBuilding ? Math.max(1, told('total_units') ?? 1) : 1;
  const share = (total: number | null, otherwise: number, step: number): number =>
    total === null ? otherwise : Math.min(ROOMS_MAX, Math.round(total / units / step) * step);
  return {
    bedrooms: share(told('total_bedrooms'), 2, 1),
    bathrooms: share(told('total_bathrooms'), 1, 0.5),
    size: null,
    is_furnished: false,
  };
}
