import { Type } from 'typebox';
import { VALUATION_KINDS } from '../../../domain/valuation-kind.ts';
import { JOB_STATUSES } from '../../../store/tables/jobs.ts';
import { nullableInteger, nullableString, oneOf } from '../../../schemas/members.ts';
import { answer } from '../../../schemas/response-object.ts';

export const NewUploadBody = Type.Object(
  {
    name: Type.String({ description: 'Name of the file.', minLength: 1, maxLength: 200 }),
    byte_count: Type.Integer({ description: 'Size of the file.', minimum: 1 }),
  },
  { title: 'NewUpload' },
);

const sourceMembers = {
  path: Type.String({ description: 'The member of the request that is filled.', maxLength: 100 }),
  column: Type.Optional(nullableInteger({ description: 'Position of the column, from 0.', minimum: 0 })),
  text: Type.Optional(nullableString({ description: 'The same value for every row.', maxLength: 500 })),
};

export const SourceBody = Type.Object(sourceMembers, { title: 'ColumnSource' });

const readingMembers = {
  avm_type: oneOf(VALUATION_KINDS, { description: 'What the rows are valued as.' }),
  mapping: Type.Array(SourceBody, { description: 'Where each member comes from.', maxItems: 100 }),
};

export const CheckBody = Type.Object(readingMembers, { title: 'CheckUpload' });

export const SubmitBody = Type.Object(
  {
    ...readingMembers,
    leaves_out: Type.Boolean({ description: 'Whether rows with problems are left out.' }),
    sends_again: Type.Boolean({ description: 'Whether a file that was submitted before is valued again.' }),
    notify_url: Type.Optional(
      nullableString({ description: 'Where each finished job is posted.', maxLength: 2048 }),
    ),
  },
  { title: 'SubmitUpload' },
);

export const UploadBody = answer('Upload', {
  id: Type.String(),
  name: Type.String(),
  piece_bytes: Type.Integer({ description: 'The file is sent in pieces of this size.' }),
  kept_until: Type.String(),
  row_count: nullableInteger({ description: 'Null until the file was read.' }),
  submitted_at: nullableString(),
});

export const UploadsBody = answer('Uploads', {
  uploads: Type.Array(
    answer('SubmittedUpload', {
      id: Type.String(),
      name: Type.String(),
      submitted_at: Type.String(),
      row_count: Type.Integer(),
      job_ids: Type.Array(nullableString(), { description: 'Of each part; null before it is submitted.' }),
    }),
    { description: 'Newest first.' },
  ),
});

export const PieceBody = answer('UploadPiece', { byte_count: Type.Integer() });

export const MemberBody = answer('FileMember', {
  path: Type.String(),
  label: Type.String(),
  kind: Type.String(),
  choices: Type.Array(Type.String()),
  is_required: Type.Boolean(),
});

const SuggestedSource = answer('SuggestedSource', { path: Type.String(), column: Type.Integer() });

export const SheetBody = answer('UploadedSheet', {
  id: Type.String(),
  name: Type.String(),
  row_count: Type.Integer(),
  delimiter: Type.String(),
  encoding: Type.String(),
  columns: Type.Array(answer('FileColumn', { name: Type.String(), samples: Type.Array(Type.String()) })),
  kinds: Type.Array(
    answer('FileKind', {
      avm_type: oneOf(VALUATION_KINDS),
      members: Type.Array(MemberBody),
      suggested: Type.Array(SuggestedSource),
    }),
  ),
  earlier: Type.Array(UploadBody, { description: 'Submissions of the same file by the same person.' }),
});

const PreviewCell = answer('PreviewCell', { text: nullableString(), problem: nullableString() });

export const CheckedBody = answer('CheckedUpload', {
  good_rows: Type.Integer(),
  bad_rows: Type.Integer(),
  jobs: Type.Integer(),
  credits_max: Type.Integer({ description: 'The most that the good rows can cost.' }),
  problems: Type.Array(
    answer('RowProblem', {
      column: nullableString(),
      label: Type.String(),
      example: Type.String(),
      count: Type.Integer(),
      rows: Type.Array(Type.Integer(), { description: 'The first few row numbers.' }),
    }),
    { description: 'Most frequent first.' },
  ),
  preview: answer('RowPreview', {
    labels: Type.Array(Type.String()),
    rows: Type.Array(answer('PreviewRow', { row: Type.Integer(), cells: Type.Array(PreviewCell) })),
  }),
});

const counts = {
  total: Type.Integer({ description: 'Rows that are valued, or will be.' }),
  completed: Type.Integer(),
  failed: Type.Integer({ description: 'Including cancelled ones.' }),
  cancelled: Type.Integer(),
};

export const UploadProgressBody = answer('UploadProgress', {
  id: Type.String(),
  name: Type.String(),
  avm_type: oneOf(VALUATION_KINDS),
  submitted_at: Type.String(),
  kept_until: Type.String(),
  is_cancelled: Type.Boolean(),
  row_count: Type.Integer({ description: 'All rows of the file.' }),
  ...counts,
  parts: Type.Array(
    answer('UploadPart', {
      part: Type.Integer({ description: 'From 1.' }),
      row_count: Type.Integer(),
      job_id: nullableString({ description: 'The last job; null before the part is submitted.' }),
      status: Type.Unsafe<(typeof JOB_STATUSES)[number] | null>({ enum: [...JOB_STATUSES, null] }),
      completed: Type.Integer(),
      failed: Type.Integer(),
      cancelled: Type.Integer(),
      retries: Type.Integer(),
    }),
  ),
});

export const SubmitProgressBody = answer('SubmitProgress', {
  done: Type.Integer({ description: 'Batches that were created.' }),
  total: Type.Integer(),
  replays: Type.Integer({
    description: 'Of the batches of this request: those that had been created before.',
  }),
  message: nullableString({ description: 'Why the next batch was rejected.' }),
  retry_after: nullableInteger({
    description: 'Seconds; null where the same request will be rejected again.',
  }),
});

export const CreditsBody = answer('RetryCredits', { credits_max: Type.Integer() });
