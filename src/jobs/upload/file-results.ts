import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { PlumblineError } from '../../errors.ts';
import { parseJsonText } from '../../store/json-text.ts';
import type { Store } from '../../store/store.ts';
import type { UploadPart } from '../../store/upload-jobs.ts';
import type { SheetRow } from '../../tables/read-sheet.ts';
import { nextTurn } from '../../threads/event-loop-turns.ts';
import type { ItemResult } from '../batch-types.ts';
import type { Batches } from '../batches.ts';
import { COMPARABLES_LISTED } from './guess-columns.ts';
import { lastJobs, type PartState } from './part-jobs.ts';
import {
  addressReader,
  assessedReader,
  balanceReader,
  createRowReader,
  mappedMembers,
  type AddressReader,
  type AssessedReader,
  type BalanceReader,
} from './read-row.ts';
import { createRepeatFinder } from './repeated-rows.ts';
import type { Result } from './result-columns.ts';
import { submittedPlan, type SubmittedUpload } from './submission.ts';
import { rowChunks } from './uploaded-file.ts';

/** Results read at a time: usually at most a megabyte. */
const RESULTS_A_PAGE = 25;

/** Rows written before other requests have a turn: rows without a result are read again, to find their problems. */
const ROWS_A_TURN = 50;

/** A part of a file that was submitted as one job, and the retries of its failed items. */
type PartResults = Pick<UploadPart, 'rows'> & Pick<PartState, 'jobIds'>;

/** All results of a job, in order. */
export async function* readResults(
  batches: Pick<Batches, 'resultsPage'>,
  accountId: string,
  jobId: string,
): AsyncGenerator<ItemResult> {
  for (let from = 0; ; from += RESULTS_A_PAGE) {
    const page = await batches.resultsPage(accountId, jobId, { from, limit: RESULTS_A_PAGE });
    yield* page;
    // Other requests have a turn.
    await nextTurn();
    if (page.length < RESULTS_A_PAGE) return;
  }
}

export interface FileResults {
  readonly kind: ValuationKind;
  readonly columns: readonly string[];
  /** Columns of texts that can look like numbers: references, addresses, ZIP codes. */
  readonly textColumns: ReadonlySet<number>;
  readonly rowChunks: () => AsyncIterable<{ readonly from: number; readonly rows: readonly SheetRow[] }>;
  readonly parts: readonly PartResults[];
  /** All results of a job, in order. */
  readonly readResults: (jobId: string) => AsyncIterable<ItemResult>;
  /** Whether it says how many comparables to list. */
  readonly listsComparables: boolean;
  /** Null if the file has no column of loan balances. */
  readonly readBalance: BalanceReader | null;
  /** Null if the file has no column of assessed values. */
  readonly readAssessed: AssessedReader | null;
  readonly readAddress: AddressReader;
  /** Finds the row whose home a row repeats, if such rows were left out. It is given all rows in order. */
  readonly repeatFinder: () => (row: SheetRow) => number | null;
  /** Why any other row was not submitted. */
  readonly reasonNotSubmitted: (row: SheetRow) => string;
}

/** @throws PlumblineError `conflict` if rows are not valued yet */
export async function readFileResults(
  { store, batches }: { readonly store: Store; readonly batches: Pick<Batches, 'resultsPage'> },
  submitted: SubmittedUpload,
): Promise<FileResults> {
  const { upload, sheet, submission } = submitted;
  const states = await lastJobs(store, upload);
  const isOpen = ({ job }: (typeof states)[number]): boolean =>
    job === null ? upload.cancelledAt === null : !job.hasEnded;
  if (states.some(isOpen)) {
    const message = 'Not all rows of the file are valued yet. Download it when they are.';
    throw new PlumblineError('conflict', message);
  }
  const plan = submittedPlan(submitted);
  const read = createRowReader(plan);
  return {
    kind: submission.kind,
    columns: sheet.columns,
    textColumns: new Set(
      mappedMembers(plan).flatMap(({ member, column }) =>
        member.type.kind === 'text' && column !== null ? [column] : [],
      ),
    ),
    rowChunks: () => rowChunks(store, upload.uploadId),
    parts: states.map(({ part, jobIds }) => ({ rows: part.rows, jobIds })),
    readResults: (jobId) => readResults(batches, upload.accountId, jobId),
    listsComparables: COMPARABLES_LISTED in submission.mapping,
    readBalance: balanceReader(plan),
    readAssessed: assessedReader(plan),
    readAddress: addressReader(plan),
    repeatFinder: () => {
      if (!submission.leavesOutRepeats) return () => null;
      const findFirst = createRepeatFinder();
      return (row) => {
        const { item, balanceUsd } = read(row);
        return item && (findFirst(item, { row: row.row, balanceUsd })?.row ?? null);
      };
    },
    reasonNotSubmitted: (row) => {
      const { problems, isTotal } = read(row);
      if (isTotal) return 'The row is a total, not a property.';
      return (
        problems.map(({ label, message }) => `${label}: ${message}`).join('; ') ||
        'The row was not submitted.'
      );
    },
  };
}

/** Every row of a file in order, with its result; null if it was not submitted. */
export async function* resultsOfRows<Kept>(
  { rowChunks, parts, readResults }: FileResults,
  keep: (result: ItemResult) => Kept,
): AsyncGenerator<{ readonly row: SheetRow; readonly result: Kept | null }> {
  const pending = [...parts].filter(({ jobIds }) => jobIds.length > 0);
  let current = new Map<number, Kept>();
  let nextPosition = pending[0]?.rows[0] ?? Infinity;
  for await (const { from, rows } of rowChunks()) {
    for (const [at, row] of rows.entries()) {
      if (at % ROWS_A_TURN === 0) await nextTurn();
      const position = from + at;
      if (position === nextPosition) {
        const part = pending.shift();
        current = part ? await latestResults(part, readResults, keep) : new Map();
        nextPosition = pending[0]?.rows[0] ?? Infinity;
      }
      yield { row, result: current.get(position) ?? null };
    }
  }
}

/** The results of a part by position of the row. A retried item has the result of its retry. */
export async function latestResults<Kept>(
  { rows, jobIds }: PartResults,
  readResults: FileResults['readResults'],
  keep: (result: ItemResult) => Kept,
): Promise<Map<number, Kept>> {
  const latest = new Map<number, Kept>();
  // A retry has the items that failed before it, in their order.
  let positions = rows;
  for (const jobId of jobIds) {
    const failed: number[] = [];
    for await (const result of readResults(jobId)) {
      const position = positions[result.index];
      if (position === undefined) continue;
      latest.set(position, keep({ ...result, index: rows.indexOf(position) }));
      if (result.status === 'error') failed.push(position);
    }
    positions = failed;
  }
  return latest;
}

export function parseResult(item: ItemResult): Result {
  return {
    index: item.index,
    property_id: item.propertyId,
    status: item.status,
    data: item.dataText === null ? null : parseJsonText<Result['data']>(item.dataText),
    error: item.error,
    error_code: item.errorCode,
  };
}
