import { createHash } from 'node:crypto';
import type { Incident } from '../../domain/crime/incident.ts';
import { mostSevere } from '../../domain/crime/nibrs-offenses.ts';
import { boundsAround } from '../../geo/bounds.ts';
import type { LatLon } from '../../geo/distance.ts';
import {
  buildIncidentColumns,
  encodeIncidentColumns,
  newestFirst,
} from '../../geo/incidents/incident-columns.ts';
import { insertIncidents, readIncidents } from '../../store/incidents.ts';
import { openPlaceIndex, pointOf } from '../address-index.ts';
import type { CrimeOptions, ImportDeps, ImportOptions, ImportReport } from '../import-options.ts';
import { othersOf } from '../compare-rows.ts';
import { currentVersion, runImport, writeInPortions, type ImportRun } from '../import-run.ts';
import { checkRejects } from '../nothing-loaded.ts';
import { openColumns, startPass, type RowAt, type Pass } from '../read-files.ts';
import { RowRejection } from '../rejections.ts';
import { canonicalIncident, hashRows } from '../rows/canonical-rows.ts';
import { incidentReader, type IncidentRow } from './read-incident.ts';

const NO_CRIME_OPTIONS: CrimeOptions = { timeZone: null, agency: null, keepPersonFields: false };

/**
 * Imports incidents. Rows of one incident become one record of its most severe offense. An incident that the market
 * has is replaced, others are kept. The columns that searches read are rebuilt from all of them.
 */
export async function importCrime(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  const { store } = deps;
  const crime = options.crime ?? NO_CRIME_OPTIONS;
  return runImport(deps, options, 'crime', async (run) => {
    const open = openColumns(run, incidentReader(crime, run.settings.today));
    const pass = await startPass(run, 'Reading crime', open);
    const { rows, joined } = await joinAll(pass);
    const added = await placeAll(run, pass, rows);
    await checkRejects(run, pass, added.length);
    const current = await currentVersion(run);
    const ids = new Set(added.map(({ id }) => id));
    const pages = current && !options.replace ? readIncidents(store, current.datasetId) : null;
    const kept: Incident[] = [];
    if (pages) for await (const row of othersOf(pages, ({ id }) => ids.has(id))) kept.push(row);
    const allowed = crime.keepPersonFields ? kept : kept.map((incident) => ({ ...incident, persons: null }));
    const incidents = newestFirst([...added, ...allowed]);
    const found = {
      counts: pass,
      contentHash: hashRows(incidents, canonicalIncident),
      rowsLoaded: added.length,
      rowsRepeated: joined,
      rowsKept: kept.length,
      snapshot: () => encodeIncidentColumns(buildIncidentColumns(incidents)),
      bounds: boundsAround(
        incidents.map(({ lat, lon }) => ({ south: lat, north: lat, west: lon, east: lon })),
      ),
    };
    const write = async (datasetId: number) => {
      await writeInPortions(run, incidents, (some, start) => insertIncidents(store, datasetId, start, some));
      return found;
    };
    return { current, found, write };
  });
}

type RowsByKey = Map<string, RowAt<IncidentRow>>;

/** The incidents of the files by key; `joined` counts further rows of an incident. */
async function joinAll(pass: Pass<IncidentRow>): Promise<{ rows: RowsByKey; joined: number }> {
  const rows: RowsByKey = new Map();
  let joined = 0;
  for await (const batch of pass.batches) {
    for (const located of batch) {
      const key = keyOfRow(located.value);
      const earlier = rows.get(key);
      if (earlier) joined++;
      rows.set(key, earlier ? { ...earlier, value: joinRows(earlier.value, located.value) } : located);
    }
  }
  return { rows, joined };
}

/** Incidents between two reports of progress. */
const PROGRESS_INCIDENTS = 10_000;

/**
 * The incidents, removed from `rows` one by one to save memory. Incidents without coordinates take those of their
 * address; if the market's index lacks it, they are skipped.
 */
async function placeAll(run: ImportRun, { log }: Pass<IncidentRow>, rows: RowsByKey): Promise<Incident[]> {
  const places = await openPlaceIndex(run.deps.store, run.options.marketId);
  const incidents: Incident[] = [];
  const total = rows.size;
  let done = 0;
  for (const [key, row] of rows) {
    rows.delete(key);
    const { value } = row;
    const point = await pointOf(value, places);
    if (point) incidents.push(incidentOf(key, value, point));
    // The log names the incident and not its address, which may be a house.
    else log.add(row, new RowRejection('skipped', 'not_located', 'incident_id', value.referenceId ?? ''));
    if (++done % PROGRESS_INCIDENTS === 0) run.deps.progress?.('Placing crime', done, total);
  }
  return incidents;
}

/** What makes rows one incident: the agency's number, else all of their content. */
function keyOfRow(row: IncidentRow): string {
  if (row.referenceId !== null) return `${row.agency}\n${row.referenceId}`;
  return `${row.agency}\n\n${JSON.stringify({ ...row, offenses: row.offenses.map(({ code }) => code) })}`;
}

/** An incident's number, the same in every import: 53 bits of a hash. Among a million, two collide once in 18,000 imports. */
function idOfKey(key: string): number {
  const digest = createHash('sha256').update(key).digest();
  return digest.readUIntBE(0, 6) * 32 + (digest[6] >> 3);
}

/**
 * Joins two rows of one incident: all their offenses, the earlier time, and the place of the row that has coordinates.
 * The order of the rows does not matter.
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

/** Sorts rows with coordinates first; the rest of the order has no meaning. */
function placeText({ lat, lon, block, address, persons }: IncidentRow): string {
  return `${lat === null ? 1 : 0}${JSON.stringify([block, address, lat, lon, persons])}`;
}

/**
 * If the agency named the house, its coordinates are the house's. They are rounded to 0.001° (at most 55 m, half a
 * block), so that only the block is stored. Published blocks and crossings stay unchanged.
 */
const HOUSE_ROUNDING = 1000;

/** The stored incident: its most severe offense, in its block. */
function incidentOf(key: string, row: IncidentRow, point: LatLon): Incident {
  const { referenceId, agency, occurred, block, persons } = row;
  const offense = mostSevere(row.offenses);
  const round = (degrees: number): number =>
    block.namedHouse ? Math.round(degrees * HOUSE_ROUNDING) / HOUSE_ROUNDING : degrees;
  return {
    id: idOfKey(key),
    referenceId,
    agency,
    occurred,
    lat: round(point.lat),
    lon: round(point.lon),
    offenseCode: offense?.code ?? null,
    offenseText: offense ? null : row.otherOffenses.join('; '),
    address: block.text,
    persons,
  };
}
