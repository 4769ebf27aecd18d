import type { LocalTime } from '../local-time.ts';

/** Victim and offender fields, in the agency's words. Stored only if the operator asks for it. */
export interface Persons {
  readonly victimSex: string | null;
  readonly victimRace: string | null;
  readonly victimAgeGroup: string | null;
  readonly offenderSex: string | null;
  readonly offenderRace: string | null;
  readonly offenderAgeGroup: string | null;
}

/** One incident, listed under its most severe offense. */
export interface Incident {
  /** Derived from agency and reference number: the same in every import. */
  readonly id: number;
  readonly referenceId: string | null;
  readonly agency: string;
  /** null if the agency does not report a time. */
  readonly occurred: LocalTime | null;
  readonly lat: number;
  readonly lon: number;
  /** NIBRS code; null if the agency's words have no known code. */
  readonly offenseCode: string | null;
  /** The agency's words, if there is no code. */
  readonly offenseText: string | null;
  /** A hundred block or an intersection, never a house. */
  readonly address: string | null;
  readonly persons: Persons | null;
}

/** Sort order of incidents: newest first, then by id; incidents without a time come last. */
export interface IncidentPosition {
  /** −Infinity if the time is unknown. */
  readonly utcMs: number;
  readonly id: number;
}

export function placeOfIncident({ occurred, id }: Pick<Incident, 'occurred' | 'id'>): IncidentPosition {
  return { utcMs: occurred?.utcMs ?? -Infinity, id };
}

/** Negative if `a` comes before `b`. */
export function compareIncidentOrder(a: IncidentPosition, b: IncidentPosition): number {
  return a.utcMs === b.utcMs ? a.id - b.id : a.utcMs > b.utcMs ? -1 : 1;
}
