import { newestFirst, buildIncidentColumns } from '../../geo/incidents/incident-columns.ts';
import { encodeIncidentColumns } from '../../geo/incidents/columns-codec.ts';
import type { Incident } from '../../domain/crime/incident.ts';
import { putBlob } from '../../store/blobs.ts';
import { currentDataset, heartbeat, publishDataset, type Dataset } from '../../store/datasets.ts';
import { insertIncidents, readIncidents } from '../../store/incidents.ts';
import type { CrimeOptions, ImportDeps, ImportOptions, ImportReport } from '../import-options.ts';
import {
  beginRun,
  checkRejects,
  finishRun,
  isUnchanged,
  startPass,
  type ImportRun,
  type Located,
  type Pass,
} from '../import-run.ts';
import { openPlaceIndex, type PlaceIndex } from '../place-rows.ts';
import { canonicalIncident } from '../rows/canonical-rows.ts';
import { createContentHash } from '../rows/content-hash.ts';
import { RowRejection } from '../rows/row-rejection.ts';
import { writeVersion } from '../write-version.ts';
import { incidentOf, joinRows, keyOfRow } from './incident-rows.ts';
import { incidentReader, type IncidentRow } from './read-incident.ts';

/** Rows handed to the store at a time, between two reports of progress. */
const WRITE_ROWS = 10_000;

const NO_CRIME_OPTIONS: CrimeOptions = { timeZone: null, agency: null, keepPersonFields: false };

/**
 * Loads incidents into a market: all of the files or nothing. Rows of one incident become one record of its most
 * severe offense. An incident that the market has is replaced, others are kept; the columns that searches read
 * are built again from all of them.
 */
export async function importCrime(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  const run = await beginRun(deps, options, 'crime');
  const crime = options.crime ?? NO_CRIME_OPTIONS;
  const pass = await startPass(run, 'Reading crime', incidentReader(crime, run.settings.today));
  const read = await joinAll(pass);
  const added = await placeAll(run, pass, read.rows);
  await checkRejects(run, pass, added.length);
  const current = await currentDataset(deps.store, options.marketId, 'crime');
  const kept = current && !options.replace ? await readKept(run, current, added, crime) : [];
  const incidents = newestFirst([...added, ...kept]);
  const hash = createContentHash();
  for (const incident of incidents) hash.add(canonicalIncident(incident));
  const contentHash = hash.digest();
  const unchanged = current !== null && isUnchanged(run, current, contentHash);
  const datasetId = unchanged ? current.datasetId : await writeIncidents(run, incidents, contentHash);
  return finishRun(run, pass, {
    datasetId,
    unchanged,
    rowsLoaded: added.length,
    rowsRepeated: read.joined,
    rowsKept: kept.length,
    rowsTotal: incidents.length,
    flags: null,
    datePrecision: null,
  });
}

type RowsByKey = Map<string, Located<IncidentRow>>;

/** The incidents of the files by key; `joined` counts rows that told more of one that was there, or the same again. */
async function joinAll(pass: Pass<IncidentRow>): Promise<{ rows: RowsByKey; joined: number }> {
  const rows = new Map<string, Located<IncidentRow>>();
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

/**
 * The incidents, taken out of `rows` one by one to spare the memory. Those without coordinates take those of their
 * address, where the market's index has it; else they are left out and counted.
 */
async function placeAll(run: ImportRun, pass: Pass<IncidentRow>, rows: RowsByKey): Promise<Incident[]> {
  const places = await openPlaceIndex(run.deps.store, run.options.marketId);
  const incidents: Incident[] = [];
  let done = 0;
  const total = rows.size;
  for (const [key, { file, line, value }] of rows) {
    rows.delete(key);
    const point = await pointOf(value, places);
    if (point) incidents.push(incidentOf(key, value, point));
    // The report names the incident, not its address: that may be a house.
    else
      pass.log.add(
        file,
        line,
        new RowRejection('skipped', 'not_located', 'incident_id', value.referenceId ?? ''),
      );
    if (++done % WRITE_ROWS === 0) run.deps.progress?.('Placing crime', done, total);
  }
  return incidents;
}

async function pointOf({ lat, lon, address }: IncidentRow, places: PlaceIndex) {
  if (lat !== null && lon !== null) return { lat, lon };
  return address && places.address(address);
}

async function readKept(
  run: ImportRun,
  current: Dataset,
  added: readonly Incident[],
  crime: CrimeOptions,
): Promise<Incident[]> {
  const ids = new Set(added.map(({ id }) => id));
  const kept: Incident[] = [];
  for await (const page of readIncidents(run.deps.store, current.datasetId)) {
    for (const incident of page) {
      if (ids.has(incident.id)) continue;
      kept.push(crime.keepPersonFields ? incident : { ...incident, persons: null });
    }
  }
  return kept;
}

async function writeIncidents(
  run: ImportRun,
  incidents: readonly Incident[],
  contentHash: string,
): Promise<number> {
  const { store, progress } = run.deps;
  return writeVersion(run, async (datasetId) => {
    for (let start = 0; start < incidents.length; start += WRITE_ROWS) {
      progress?.('Writing crime', start, incidents.length);
      await insertIncidents(store, datasetId, start, incidents.slice(start, start + WRITE_ROWS));
    }
    await heartbeat(store, datasetId);
    const snapshot = encodeIncidentColumns(buildIncidentColumns(incidents));
    const snapshotSha256 = await putBlob(store, snapshot);
    const bounds = boundsOf(incidents);
    await publishDataset(store, datasetId, { rows: incidents.length, contentHash, snapshotSha256, bounds });
    progress?.('Writing crime', incidents.length, incidents.length);
    return datasetId;
  });
}

function boundsOf(incidents: readonly Incident[]) {
  const bounds = { south: 90, north: -90, west: 180, east: -180 };
  for (const { lat, lon } of incidents) {
    bounds.south = Math.min(bounds.south, lat);
    bounds.north = Math.max(bounds.north, lat);
    bounds.west = Math.min(bounds.west, lon);
    bounds.east = Math.max(bounds.east, lon);
  }
  return bounds;
}
