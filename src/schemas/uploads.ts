import { Type } from 'typebox';
import { VALUATION_KINDS } from '../domain/valuation-kind.ts';
import { ChangeParts } from './portfolios.ts';
import { JOB_STATUSES, UPLOAD_PURPOSES } from '../store/tables/jobs.ts';
import { boolean, integer, nullable, oneOf, optional, responseObject, string } from './members.ts';

export const NewUploadBody = Type.Object({
  name: string('Name of the file.', { minLength: 1, maxLength: 200 }),
  byte_count: integer('Size of the file.', { minimum: 1 }),
  purpose: optional.oneOf(UPLOAD_PURPOSES, 'Whether its rows are valued (the default) or imported.'),
});

const SourceBody = Type.Object({
  path: string('The member of the request to fill.', { maxLength: 150 }),
  column: optional.integer('Position of the column, from 0.', { minimum: 0 }),
  text: optional.string('The same value for every row.', { maxLength: 500 }),
});

/** Rows tried in a check: all of a usual file, and as many of a longer one, spread evenly. One takes about a millisecond. */
export const ROWS_TRIED = 500;

const CorrectionBody = Type.Object({
  address: string('The whole address of a row, as it would be sent.', { maxLength: 500 }),
  corrected: string('What is sent in its place, for every row with the address.', { maxLength: 500 }),
});

const corrections = Type.Optional(
  Type.Array(CorrectionBody, {
    description: 'Suggested addresses that were accepted.',
    maxItems: ROWS_TRIED,
  }),
);

const readingMembers = {
  avm_type: oneOf(VALUATION_KINDS, 'What the rows are valued as.'),
  mapping: Type.Array(SourceBody, { description: 'Where each member comes from.', maxItems: 100 }),
  corrections,
};

/** A file is run again with the suggestions that were accepted before, and these. */
export const RerunBody = Type.Object({
  date: optional.string('The as-of date of all rows: today if left out.', { format: 'date' }),
  corrections,
});

export const CheckBody = Type.Object(readingMembers);

export const SubmitBody = Type.Object({
  ...readingMembers,
  leaves_out: boolean('Whether rows with problems are left out.'),
  leaves_out_repeats: optional.boolean('Whether rows that repeat the home of an earlier row are left out.', {
    default: false,
  }),
  sends_again: boolean('Whether a file that was submitted before is valued again.'),
  notify_url: optional.string('Where each finished job is posted.', { maxLength: 2048 }),
});

export const UploadBody = responseObject('Upload', {
  id: string(),
  name: string(),
  piece_bytes: integer('The file is sent in pieces of this size.'),
  kept_until: string(),
  row_count: nullable.integer('Null until the file was read.'),
  submitted_at: nullable.string(),
});

const asOfDate = nullable.string('The as-of date of all rows. Null if a column has the dates.');

export const UploadsBody = responseObject('Uploads', {
  uploads: Type.Array(
    responseObject('SubmittedUpload', {
      id: string(),
      name: string(),
      submitted_at: string(),
      as_of_date: asOfDate,
      row_count: integer(),
      job_ids: Type.Array(nullable.string(), { description: 'Of each part; null before it is submitted.' }),
    }),
    { description: 'Newest first.' },
  ),
});

export const PieceBody = responseObject('UploadPiece', { byte_count: integer() });

const MemberBody = responseObject('FileMember', {
  path: string(),
  label: string(),
  kind: string(),
  choices: Type.Array(string()),
  is_required: boolean(),
});

export const SheetBody = responseObject('UploadedSheet', {
  id: string(),
  name: string(),
  row_count: integer(),
  empty_rows: integer('Empty rows between the others. They are left out.'),
  first_empty_row: nullable.integer(),
  format: string('What the file is, in a few words.'),
  columns: Type.Array(responseObject('FileColumn', { name: string(), samples: Type.Array(string()) })),
  kinds: Type.Array(
    responseObject('FileKind', {
      avm_type: oneOf(VALUATION_KINDS),
      members: Type.Array(MemberBody),
      suggested: Type.Array(responseObject('SuggestedSource', { path: string(), column: integer() })),
    }),
  ),
  earlier: Type.Array(UploadBody, { description: 'Submissions of the same file by the same person.' }),
});

const PreviewCell = responseObject('PreviewCell', { text: nullable.string(), problem: nullable.string() });

const ProblemGroups = Type.Array(
  responseObject('RowProblem', {
    column: nullable.string(),
    label: string(),
    example: string(),
    count: integer(),
    rows: Type.Array(integer(), { description: 'The first few row numbers.' }),
  }),
  { description: 'Most frequent first.' },
);

export const FailedTry = responseObject('FailedTry', {
  code: string('The error of the valuation.'),
  example: string(),
  count: integer(),
  rows: Type.Array(integer(), { description: 'The first few row numbers.' }),
  suggestions: Type.Array(
    responseObject('SuggestedAddress', {
      row: integer('The first row with the address.'),
      count: integer('Rows with the address.'),
      address: string('As it would be sent.'),
      suggested: string('The most similar address that is known.'),
      is_only: boolean('Whether no other known address is similar enough.'),
    }),
    { description: 'For addresses that are not found.' },
  ),
});

const triedRows = integer(
  'How many good rows were looked up, without valuing them: all, or a part spread over the file.',
);

const failedTries = Type.Array(FailedTry, {
  description: 'Those that would have no value. Most frequent first.',
});

export const CheckedRerunBody = responseObject('CheckedRerun', {
  credits_max: integer(),
  tried_rows: triedRows,
  failed_tries: failedTries,
});

export const CheckedBody = responseObject('CheckedUpload', {
  good_rows: integer(),
  bad_rows: integer(),
  total_rows: Type.Array(integer(), { description: 'Rows that are totals, not properties: the first few.' }),
  repeated_rows: Type.Array(
    responseObject('RepeatedRows', {
      by: oneOf(['reference', 'home'], 'What an earlier row has, too.'),
      count: integer(),
      rows: Type.Array(
        responseObject('RepeatedRow', { row: integer(), repeats_row: integer('The first such row.') }),
        { description: 'The first few.' },
      ),
    }),
  ),
  without_repeats: nullable.object(
    responseObject('WithoutRepeats', {
      good_rows: integer(),
      jobs: integer(),
      credits_max: integer(),
      second_loans: integer(
        'Rows that are sent though they repeat a home: their loan balance is not that of its first row.',
      ),
    }),
    'What is sent if rows that repeat a home are left out. Null if there are none.',
  ),
  jobs: integer(),
  credits_max: integer('The most that the good rows can cost.'),
  problems: ProblemGroups,
  figure_problems: ProblemGroups,
  tried_rows: triedRows,
  failed_tries: failedTries,
  preview: responseObject('RowPreview', {
    labels: Type.Array(string()),
    rows: Type.Array(responseObject('PreviewRow', { row: integer(), cells: Type.Array(PreviewCell) })),
  }),
});

const counts = { completed: integer(), failed: integer('Including cancelled ones.'), cancelled: integer() };

export const UploadProgressBody = responseObject('UploadProgress', {
  id: string(),
  name: string(),
  avm_type: oneOf(VALUATION_KINDS),
  submitted_at: string(),
  as_of_date: asOfDate,
  kept_until: string(),
  is_cancelled: boolean(),
  row_count: integer('All rows of the file.'),
  total: integer('Rows that are valued, or will be.'),
  ...counts,
  parts: Type.Array(
    responseObject('UploadPart', {
      part: integer('From 1.'),
      row_count: integer(),
      job_id: nullable.string('The last job; null before the part is submitted.'),
      status: nullable.oneOf(JOB_STATUSES),
      ...counts,
      retries: integer(),
    }),
  ),
});

export const PortfolioBody = responseObject('Portfolio', {
  rows: Type.Array(
    responseObject('PortfolioRow', {
      row: integer(),
      repeats_row: nullable.integer('The first row with a value of the same home. Null for that row.'),
      reference: string(),
      address: nullable.string(),
      latitude: nullable.number(),
      longitude: nullable.number(),
      valuation_id: nullable.string(),
      value: nullable.number(),
      value_low: nullable.number(),
      value_high: nullable.number(),
      fsd: nullable.number(),
      balance: nullable.number('Of the loan, from the column of the file.'),
      balance_problem: nullable.string('Why the balance could not be read.'),
      assessed_value: nullable.number('From the column of the file.'),
      error_code: nullable.string(),
      error: nullable.string(),
    }),
  ),
  warnings: Type.Array(
    responseObject('PortfolioWarning', {
      code: string(),
      field: nullable.string('That it is about.'),
      count: integer(),
      example: string(),
      rows: Type.Array(integer(), { description: 'The first few row numbers.' }),
    }),
    { description: 'Warnings of the values, most frequent first.' },
  ),
  is_truncated: boolean('Whether the file has more rows, which only the download has.'),
  previous: nullable.object(
    responseObject('PreviousUpload', { id: string(), submitted_at: string(), as_of_date: asOfDate }),
    'The run that was valued again; otherwise the last time that this file was valued before.',
  ),
});

/** Pairs in one request: each takes two valuations. */
const MOST_PAIRS = 100;

export const ChangesRequestBody = Type.Object({
  pairs: Type.Array(Type.Object({ before_id: string(), after_id: string() }), {
    description: 'Valuations of the same homes, an earlier and a later one each.',
    maxItems: MOST_PAIRS,
  }),
});

export const ChangesBody = responseObject('ValueChanges', {
  changes: Type.Array(nullable.object(ChangeParts), {
    description: 'Of each pair, in dollars. Null if the model or the data of then were deleted.',
  }),
});

export const UploadPortfolioBody = Type.Object({ portfolio_id: string(undefined, { maxLength: 100 }) });

export const AddedHomesBody = responseObject('AddedHomes', { added: integer() });

export const HomesNotInFileBody = responseObject('HomesNotInFile', {
  homes: Type.Array(
    responseObject('HomeNotInFile', { entry: integer('In the portfolio.'), property_id: nullable.string() }),
  ),
});

export const WatchedBody = responseObject('WatchedFile', { portfolio_id: string() });

export const SubmitProgressBody = responseObject('SubmitProgress', {
  done: integer('Batches that were created.'),
  total: integer(),
  replays: integer('Of the batches of this request: those that had been created before.'),
  message: nullable.string('Why the next batch was rejected.'),
  retry_after: nullable.integer('Seconds; null where the same request will be rejected again.'),
});

export const CreditsBody = responseObject('RetryCredits', { credits_max: integer() });
