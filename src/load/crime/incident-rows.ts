import { createHash } from 'node:crypto';
import type { Incident } from '../../domain/crime/incident.ts';
import { mostSevere } from '../../domain/crime/nibrs-offenses.ts';
import type { IncidentRow } from './read-incident.ts';

/** What makes rows one incident: the agency's number, else everything they say. */
export function keyOfRow(row: IncidentRow): string {
  if (row.referenceId !== null) return `${row.agency}\n${row.referenceId}`;
  return `${row.agency}\n\n${JSON.stringify({ ...row, offenses: row.offenses.map(({ code }) => code) })}`;
}

/** The number of an incident, the same in every import: 53 bits of a hash. In a million, two agree once in 18,000 imports. */
function idOfKey(key: string): number {
  const digest = createHash('sha256').update(key).digest();
  return digest.readUIntBE(0, 6) * 32 + (digest[6] >> 3);
}

/**
 * Two rows of one incident as one: all their offenses, the earlier time, and the place of the row that has
 * coordinates. The order in which rows come does not matter.
 */
export function joinRows(a: IncidentRow, b: IncidentRow): IncidentRow {
  const placed = placeText(a) <= placeText(b) ? a : b;
  const times = [a.occurred, b.occurred].flatMap((time) => time ?? []).sort((x, y) => x.utcMs - y.utcMs);
  return {
    ...placed,
    occurred: times[0] ?? null,
    offenses: [...new Set([...a.offenses, ...b.offenses])].sort((x, y) => x.no - y.no),
    otherOffenses: [...new Set([...a.otherOffenses, ...b.otherOffenses])].sort(),
  };
}

/** Rows with coordinates first; then in an order that has no other meaning than being one. */
function placeText({ lat, lon, block, address, persons }: IncidentRow): string {
  return `${lat === null ? 1 : 0}${JSON.stringify([block, address, lat, lon, persons])}`;
}

/**
 * Where the agency named the house, its coordinates are the house's: they are rounded to 0.001° (at most 55 m away,
 * half a block), so that what is stored tells the block and no more. Published blocks and crossings stay as they are.
 */
const HOUSE_ROUNDING = 1000;

/** The row as it is stored: under its most severe offense, in its block. */
export function incidentOf(key: string, row: IncidentRow, point: { lat: number; lon: number }): Incident {
  const offense = mostSevere(row.offenses);
  const round = (degrees: number): number =>
    row.block.namedHouse ? Math.round(degrees * HOUSE_ROUNDING) / HOUSE_ROUNDING : degrees;
  return {
    id: idOfKey(key),
    referenceId: row.referenceId,
    agency: row.agency,
    occurred: row.occurred,
    lat: round(point.lat),
    lon: round(point.lon),
    offenseCode: offense?.code ?? null,
    offenseText: offense ? null : row.otherOffenses.join('; '),
    address: row.block.text,
    persons: row.persons,
  };
}
