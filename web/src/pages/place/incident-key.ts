import type { Incident } from '../../api/places.ts';

/** Names an incident in a list; agencies that give no number are told by their place in it. */
export function incidentKey({ id }: Incident, i: number): string {
  return id === null ? `at ${i}` : String(id);
}
