import { packArchive, takeArray, unpackArchive } from '../../array-archive.ts';
import type { AgencyCoverage, IncidentColumns } from './incident-columns.ts';

const KIND = 'incident-columns';

interface Meta {
  readonly kind: string;
  readonly firstBand: number;
  readonly agencies: readonly AgencyCoverage[];
}

/** Encodes the columns and their index. Equal columns give equal bytes. */
export function encodeIncidentColumns(columns: IncidentColumns): Uint8Array {
  const { utcMs, id, rowAt, day, offense, agency, agencies, index } = columns;
  const meta = {
    kind: KIND,
    firstBand: index.firstBand,
    agencies: agencies.map(({ name, incidents, from, to }) => ({ name, incidents, from, to })),
  };
  return packArchive(meta, {
    utcMs,
    id,
    rowAt,
    day,
    offense,
    agency,
    'index.lat': index.lat,
    'index.lon': index.lon,
    'index.cosine': index.cosine,
    'index.bandStart': index.bandStart,
  });
}

/** Columns as views of the bytes. */
export function decodeIncidentColumns(bytes: Uint8Array): IncidentColumns {
  const archive = unpackArchive(bytes);
  const meta = archive.meta as unknown as Meta;
  if (meta?.kind !== KIND) throw new Error('The archive is no snapshot of incidents.');
  const rowAt = takeArray(archive, 'rowAt', Int32Array);
  const n = rowAt.length;
  return {
    n,
    utcMs: takeArray(archive, 'utcMs', Float64Array),
    id: takeArray(archive, 'id', Float64Array),
    rowAt,
    day: takeArray(archive, 'day', Int32Array),
    offense: takeArray(archive, 'offense', Uint8Array),
    agency: takeArray(archive, 'agency', Uint16Array),
    agencies: meta.agencies,
    index: {
      n,
      rows: rowAt.map((_, place) => place),
      lat: takeArray(archive, 'index.lat', Float64Array),
      lon: takeArray(archive, 'index.lon', Float64Array),
      cosine: takeArray(archive, 'index.cosine', Float64Array),
      firstBand: meta.firstBand,
      bandStart: takeArray(archive, 'index.bandStart', Int32Array),
    },
  };
}
