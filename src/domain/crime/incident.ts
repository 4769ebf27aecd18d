import type { LocalTime } from '../local-time.ts';

/** Whom an incident concerned, in the agency's words. Kept only where the operator says so. */
export interface Persons {
  readonly victimSex: string | null;
  readonly victimRace: string | null;
  readonly victimAgeGroup: string | null;
  readonly offenderSex: string | null;
  readonly offenderRace: string | null;
  readonly offenderAgeGroup: string | null;
}

/** One incident under its most severe offence. */
export interface Incident {
  /** Made of agency and reference: the same in every import. */
  readonly id: number;
  /** The agency's own number. */
  readonly referenceId: string | null;
  readonly agency: string;
  /** null where the agency does not say when. */
  readonly occurred: LocalTime | null;
  readonly lat: number;
  readonly lon: number;
  /** NIBRS; null where the agency's words mean no code that is known. */
  readonly offenceCode: string | null;
  /** The agency's words, where there is no code. */
  readonly offenceText: string | null;
  /** A hundred block or a crossing, never a house. */
  readonly address: string | null;
  readonly persons: Persons | null;
}

/** Where an incident stands among others: newest first, then by id, those without a time at the end. */
export interface IncidentPlace {
  /** −Infinity where the time is not known. */
  readonly utcMs: number;
  readonly id: number;
}

export function placeOfIncident({ occurred, id }: Pick<Incident, 'occurred' | 'id'>): IncidentPlace {
  return { utcMs: occurred?.utcMs ?? -Infinity, id };
}

/** Negative where `a` comes before `b`. */
export function compareIncidentPlaces(a: IncidentPlace, b: IncidentPlace): number {
  return a.utcMs === b.utcMs ? a.id - b.id : a.utcMs > b.utcMs ? -1 : 1;
}
