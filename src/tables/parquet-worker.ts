import { parentPort, workerData } from 'node:worker_threads';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { handled, type ParquetResponse, type ParquetSlice, type ParquetStart } from './read-parquet.ts';

// A separate thread can be ended without harm if a file is made to hang or to exhaust memory.
const { path, columns, geoparquet }: ParquetStart = workerData;
let bytes = 0;
const opened = open();
parentPort?.on('message', (slice: ParquetSlice) => {
  decode(slice).then(respond, (error: unknown) =>
    respond({ fault: error instanceof Error ? error.message : String(error) }),
  );
});

function respond(response: ParquetResponse): void {
  parentPort?.postMessage(response, []);
}

async function open() {
  const file = handled(await asyncBufferFromFile(path), (read) => {
    bytes += read;
  });
  return { file, metadata: await parquetMetadataAsync(file, { geoparquet }) };
}

async function decode(slice: ParquetSlice): Promise<ParquetResponse> {
  bytes = 0;
  const names = [...columns];
  const rows = await parquetReadObjects({
    ...(await opened),
    ...slice,
    columns: names,
    compressors,
    geoparquet,
  });
  const values = rows.map((row) => names.map((name) => row[name]));
  // Empty cells are null.
  if (values.length < slice.rowEnd - slice.rowStart || values.some((row) => row.includes(undefined))) {
    return { fault: 'values are missing' };
  }
  return { rows: values, bytes };
}
