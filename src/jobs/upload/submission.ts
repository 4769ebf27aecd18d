import { formatDay, parseDay } from '../../domain/day.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { PlumblineError } from '../../errors.ts';
import { parseJsonText } from '../../store/json-text.ts';
import type { Store } from '../../store/store.ts';
import type { Upload } from '../../store/tables/jobs.ts';
import { submitUpload } from '../../store/uploads.ts';
import type { Batches } from '../batches.ts';
import { runOneAtATime, ownUploads } from './account-files.ts';
import { planParts } from './check-rows.ts';
import { AS_OF, asOf, type Mapping } from './guess-columns.ts';
import type { ReadingPlan } from './read-row.ts';
import { sheetOf, type StoredSheet } from './uploaded-file.ts';

/** How the rows of a file are valued. */
interface UploadSubmission {
  readonly kind: ValuationKind;
  readonly mapping: Mapping;
  /** Absent where none was accepted. */
  readonly corrections?: ReadingPlan['corrections'];
  readonly notifyUrl: string | null;
  /** Whether only the first row of each home is sent. Absent before there was the choice. */
  readonly leavesOutRepeats?: boolean;
  /** The day that dates are checked against, as `YYYY-MM-DD`. */
  readonly today: string;
  readonly submittedAt: number;
  /** How often this person has submitted this file, from 1. */
  readonly attempt: number;
  /** The upload whose rows are valued again. Absent where a file was uploaded, and before it was stored. */
  readonly rerunOf?: string;
}

/** A file with everything that is stored about it. */
export interface SubmittedUpload {
  readonly upload: Upload;
  readonly sheet: StoredSheet;
  readonly submission: UploadSubmission;
}

export function submissionOf({ submission }: Upload): UploadSubmission | null {
  return submission === null ? null : parseJsonText<UploadSubmission>(submission);
}

/** How the rows of a file were read when it was submitted. */
export function submittedPlan({ sheet, submission }: Omit<SubmittedUpload, 'upload'>): ReadingPlan {
  return { ...submission, columns: sheet.columns };
}

/** The as-of date of all rows, as `YYYY-MM-DD`; null if a column has the dates. */
export function asOfDateOf({ mapping, today }: UploadSubmission): string | null {
  const source = mapping[AS_OF];
  if (source === undefined) return today;
  const day = 'text' in source ? parseDay(source.text) : null;
  return day === null ? null : formatDay(day);
}

/** How the items of a file are read: their dates are checked against the day of the submission. */
export function submittedReading({ today }: UploadSubmission) {
  return { today: parseDay(today) ?? 0, isStrict: true };
}

/** How the rows of a file are read again: as of one date instead of its dates, and with more corrections. */
export function rerunPlan(
  { sheet, submission }: SubmittedUpload,
  { date = null, corrections: accepted }: Rerun,
  today: string,
): ReadingPlan {
  const { kind, mapping, corrections } = submission;
  return {
    kind,
    corrections: correctionsOf(accepted, corrections),
    mapping: asOf(mapping, date),
    columns: sheet.columns,
    today,
  };
}

/** What differs when a file is valued again. */
interface Rerun {
  /** The as-of date of all rows, as `YYYY-MM-DD`; null for today. */
  readonly date?: string | null;
  readonly corrections?: readonly Correction[];
}

/** A suggested address that the user accepted. */
interface Correction {
  readonly address: string;
  readonly corrected: string;
}

/**
 * Addresses as they are sent, by the whole address of the row; undefined without any.
 *
 * @param before of an earlier run: what was sent then can be corrected again
 */
export function correctionsOf(
  accepted: readonly Correction[] = [],
  before: ReadingPlan['corrections'] = {},
): ReadingPlan['corrections'] {
  const added = new Map(accepted.map(({ address, corrected }) => [address, corrected]));
  const kept = Object.entries(before).map(([address, sent]) => [address, added.get(sent) ?? sent]);
  return added.size + kept.length === 0 ? undefined : Object.fromEntries([...added, ...kept]);
}

/** Whether another upload of the same bytes was submitted. */
export function isSameFile(other: Upload, upload: Upload, kind: ValuationKind | null = null): boolean {
  if (other.uploadId === upload.uploadId || sheetOf(other)?.sha256 !== sheetOf(upload)?.sha256) return false;
  const submission = submissionOf(other);
  return submission !== null && (kind === null || submission.kind === kind);
}

/** Earlier submissions of the same file by the same user. */
export async function earlierSubmissions(store: Store, upload: Upload, kind: ValuationKind, now: number) {
  return (await ownUploads(store, upload, now)).flatMap((other) => {
    const submission = submissionOf(other);
    return submission !== null && isSameFile(other, upload, kind) ? [{ upload: other, submission }] : [];
  });
}

/** The run that was valued again; otherwise the last time that the same user had the same file valued before. */
export async function previousSubmission(
  store: Store,
  { upload, submission }: SubmittedUpload,
  now: number,
): Promise<{ readonly upload: Upload; readonly submission: UploadSubmission } | null> {
  const earlier = await earlierSubmissions(store, upload, submission.kind, now);
  const source = earlier.find((other) => other.upload.uploadId === submission.rerunOf);
  if (source) return source;
  return earlier
    .filter((other) => other.submission.submittedAt < submission.submittedAt)
    .reduce<(typeof earlier)[number] | null>(
      (last, each) => (last && last.submission.submittedAt >= each.submission.submittedAt ? last : each),
      null,
    );
}

/**
 * Stores how the rows are valued. Their batches are created by `submitParts`.
 *
 * @throws PlumblineError `conflict` if no row can be valued, or some cannot and may not be left out
 */
export async function submitRows(
  { store, batches }: { readonly store: Store; readonly batches: Pick<Batches, 'resultsKeptMs'> },
  upload: Upload,
  { columns, ...reading }: ReadingPlan,
  {
    submittedAt,
    notifyUrl,
    rerunOf,
    leavesOut,
    leavesOutRepeats,
  }: Pick<UploadSubmission, 'submittedAt' | 'notifyUrl' | 'rerunOf'> & {
    readonly leavesOut: boolean;
    readonly leavesOutRepeats: boolean;
  },
): Promise<void> {
  const attempt = (await earlierSubmissions(store, upload, reading.kind, submittedAt)).length + 1;
  const submission: UploadSubmission = {
    ...reading,
    notifyUrl,
    leavesOutRepeats,
    submittedAt,
    attempt,
    ...(rerunOf !== undefined && { rerunOf }),
  };
  const { parts, badRows } = await runOneAtATime(upload.accountId, () =>
    planParts(store, upload.uploadId, { ...reading, columns }, { leavesOutRepeats }),
  );
  if (parts.length === 0 || (badRows > 0 && !leavesOut)) {
    const message = `${badRows} rows have problems. Correct the columns, or leave the rows out.`;
    throw new PlumblineError('conflict', message);
  }
  // As long as the results of its jobs.
  const keptUntil = submittedAt + batches.resultsKeptMs;
  await submitUpload(store, upload.uploadId, submission, { keptUntil, parts });
}
