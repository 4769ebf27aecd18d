import type { Incident } from '../domain/crime/incident.ts';
import { bulkTable } from './bulk-table.ts';
import type { Database } from './database.ts';
import { insertDatasetRows, readPages } from './dataset-rows.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import type { Store } from './store.ts';

const CRIME_INCIDENTS = bulkTable<Database['crime_incidents']>('crime_incidents', {
  datasetId: 'int8',
  incidentNo: 'int4',
  record: 'text',
});

/** Adds incidents to a loading dataset, numbered from `firstNo` in the order given. */
export async function insertIncidents(
  store: Store,
  datasetId: number,
  firstNo: number,
  incidents: readonly Incident[],
): Promise<void> {
  const rows = incidents.map((incident, i) => {
    const incidentNo = firstNo + i;
    return { datasetId, incidentNo, record: recordOf(incident) };
  });
  await insertDatasetRows(store, datasetId, CRIME_INCIDENTS, rows);
}

/** The incidents of these numbers, by number. A response lists at most a thousand. */
export async function incidentsByNo(
  store: Store,
  datasetId: number,
  incidentNos: readonly number[],
): Promise<Map<number, Incident>> {
  if (incidentNos.length === 0) return new Map();
  const rows = await store.db
    .selectFrom('crime_incidents')
    .select(['incidentNo', 'record'])
    .where('datasetId', '=', datasetId)
    .where('incidentNo', 'in', incidentNos)
    .execute();
  return new Map(rows.map((row) => [row.incidentNo, incidentOf(row.record)]));
}

/** All incidents of a version, newest first, a page at a time. */
export function readIncidents({ db }: Store, datasetId: number): AsyncGenerator<Incident[]> {
  const incidentOfRow = ({ record }: Database['crime_incidents']): Incident => incidentOf(record);
  return readPages(db, { table: 'crime_incidents', key: ['incidentNo'] }, datasetId, incidentOfRow);
}

function recordOf(incident: Incident): string {
  const { occurred, persons, ...rest } = incident;
  return jsonText({
    ...rest,
    occurred: occurred && [occurred.utcMs, occurred.day, occurred.text],
    persons: persons && { ...persons },
  });
}

type IncidentRecord = Omit<Incident, 'occurred'> & { readonly occurred: [number, number, string] | null };

function incidentOf(text: string): Incident {
  const record = parseJsonText<IncidentRecord>(text);
  const { occurred } = record;
  return { ...record, occurred: occurred && { utcMs: occurred[0], day: occurred[1], text: occurred[2] } };
}
