import { openResults } from '../../../api/batches.ts';
import type { ValuationKind } from '../../../../../src/domain/valuation-kind.ts';
import { readTable } from '../csv/read-table.ts';
import { createItemReader } from '../request/make-items.ts';
import type { StoredFile } from '../sending/stored-files.ts';
import { readLines } from './read-lines.ts';
import type { Result } from './result-columns.ts';
import { bareFileName, saveFile } from './save-file.ts';
import {
  writeFileCsv,
  writeFileLines,
  writeJobCsv,
  type JobOfFile,
  type ReadResults,
} from './write-results.ts';

const CSV = 'text/csv;charset=utf-8';
const NDJSON = 'application/x-ndjson';

/** All results of a job as they come. */
export async function* resultsOf(jobId: string, signal?: AbortSignal): AsyncGenerator<Result> {
  yield* readLines<Result>(await openResults(jobId, signal));
}

/** Of a job whose file is not in this browser. */
export async function saveJobCsv(kind: ValuationKind, jobId: string): Promise<void> {
  await saveFile(`plumbline-${jobId}.csv`, CSV, writeJobCsv(kind, resultsOf(jobId)));
}

/** The very lines of the server. */
export async function saveJobLines(jobId: string): Promise<void> {
  await saveFile(`plumbline-${jobId}.ndjson`, NDJSON, decoded(await openResults(jobId)));
}

async function* decoded(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    yield decoder.decode(part.value, { stream: true });
  }
}

/** Told before each job that is read, from 1. */
export type OnJob = (job: number) => void;

/** A file's rows with what came of them; of some of its jobs only theirs, of all of them every row that it has. */
export async function saveFileCsv(file: StoredFile, jobs: readonly JobOfFile[], onJob: OnJob): Promise<void> {
  const table = await readTable(file.file);
  const reader = createItemReader(file.kind, table.columns, file.mapping, file.today);
  const whyUnsent = (at: number): string => {
    const { problems } = reader.read(table.rows[at]);
    return problems.map(({ label, message }) => `${label}: ${message}`).join('; ') || 'It was not sent.';
  };
  const isWhole = jobs.length === file.parts.length;
  const pieces = writeFileCsv(file.kind, table, jobs, counting(onJob), isWhole ? whyUnsent : null);
  await saveFile(`${bareFileName(file.fileName)}-valued.csv`, CSV, pieces);
}

export async function saveFileLines(
  file: StoredFile,
  jobs: readonly JobOfFile[],
  onJob: OnJob,
): Promise<void> {
  const { rows } = await readTable(file.file);
  await saveFile(
    `${bareFileName(file.fileName)}-valued.ndjson`,
    NDJSON,
    writeFileLines(rows, jobs, counting(onJob)),
  );
}

function counting(onJob: OnJob): ReadResults {
  let jobs = 0;
  return (jobId) => {
    onJob(++jobs);
    return resultsOf(jobId);
  };
}

/** The jobs of a file that were sent. */
export function sentJobs({ parts }: StoredFile): JobOfFile[] {
  return parts.flatMap(({ jobId, ...part }) => (jobId === null ? [] : [{ ...part, jobId }]));
}
