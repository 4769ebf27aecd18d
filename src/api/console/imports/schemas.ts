import { Type } from 'typebox';
import { VALUATION_KINDS } from '../../../domain/valuation-kind.ts';
import { CHECKS } from '../../../load/checks/finding.ts';
import { INSPECTED_KINDS } from '../../../load/rows/columns.ts';
import {
  arrayOf,
  boolean,
  counts,
  integer,
  nullable,
  number,
  oneOf,
  optional,
  responseObject,
  string,
} from '../../../schemas/members.ts';

const CHECK_NAME = { type: 'string', maxLength: 50 };
const FILE_ID = { type: 'string', maxLength: 50 };

const readingMembers = {
  kind: oneOf(INSPECTED_KINDS, 'What the rows are.'),
  mapping: optional.string('The mapping as JSON, in the form of a mapping file. By default it is guessed.', {
    maxLength: 50_000,
  }),
  features: optional.list<string>(
    { type: 'string', maxLength: 200 },
    'Columns to keep as features of the market. By default all of sales and parcels that may be.',
    { maxItems: 500 },
  ),
  leave_out: optional.list<string>(CHECK_NAME, 'Checks of rows whose rows are left out.', { maxItems: 50 }),
};

export const InspectBody = Type.Object({
  ...readingMembers,
  market_id: optional.string(
    'The market whose parcels and addresses place rows without coordinates. By default a new one, which has none.',
    { maxLength: 63 },
  ),
});

export const LoadBody = Type.Object({
  ...readingMembers,
  market_id: string('The market; its first import creates it.', { maxLength: 63 }),
  accept: optional.list<string>(CHECK_NAME, 'Checks that may fail.', { maxItems: 50 }),
  leaves_out: boolean('Whether any number of invalid rows is left out. Otherwise at most 5% may be invalid.'),
  replaces: optional.boolean(
    'Whether the rows replace all rows of this kind that the market has. Otherwise they update and add.',
    { default: false },
  ),
  trains: boolean('Whether the market is trained afterwards.'),
  after: optional.list<string>(FILE_ID, 'Submitted files that are loaded before this one.', {
    maxItems: 500,
  }),
  placed_by: optional.list<string>(
    FILE_ID,
    'Submitted files whose parcels or addresses place rows of this one. It is loaded after them, and not if one fails.',
    { maxItems: 500 },
  ),
  cbsa: optional.string('Of a price index: its place, by its code in the file.', { maxLength: 50 }),
  published_after_days: optional.integer(
    'Of a price index: days from the end of a period to the publication of its figure, if the file does not say.',
    { minimum: 0, maximum: 1000 },
  ),
});

const Finding = responseObject('ImportFinding', {
  check: oneOf(CHECKS),
  message: string(),
  column: nullable.string(),
  count: integer('Rows concerned.'),
  examples: Type.Array(string(), { description: 'Up to three.' }),
  remedy: string(),
  is_blocking: boolean('Whether nothing is loaded unless the check is accepted.'),
  leaving_out: nullable.string('What leaving its rows out does; null if they cannot be left out.'),
  fixes: arrayOf(
    responseObject('ImportFix', { label: string(), mapping: string('Changes of the mapping, as JSON.') }),
    'Other mappings, of which one is right.',
  ),
});

const Rejection = responseObject('ImportRejection', {
  is_skipped: boolean('Valid, but out of scope. Does not count as invalid.'),
  reason: string(),
  column: nullable.string(),
  count: integer(),
  examples: Type.Array(string()),
  remedy: nullable.string(),
  values: arrayOf(
    responseObject('RejectedValue', { value: string(), count: integer() }),
    'Values that the mapping can replace, most frequent first.',
  ),
});

export const InspectionBody = responseObject('ImportInspection', {
  id: string(),
  name: string(),
  kind: oneOf(INSPECTED_KINDS),
  format: string('What the file is, in a few words.'),
  row_count: integer(),
  usable_rows: integer('Rows that would be loaded, each once.'),
  repeated_rows: integer('Rows that repeat an earlier row exactly.'),
  unplaced_rows: integer('Rows without coordinates, which parcels or addresses of the market must place.'),
  columns: Type.Array(
    responseObject('ImportColumn', {
      name: string(),
      read_as: Type.Array(string(), { description: 'The columns of the import that it fills.' }),
      form: nullable.string('How its values are written, if not as usual.'),
      is_candidate: boolean('Whether it may be a feature of the market.'),
      no_feature_reason: nullable.string('Why it may not; null if it may, or is read otherwise.'),
      samples: Type.Array(string()),
    }),
  ),
  known_columns: Type.Array(string(), {
    description: 'The columns of the import that files of this kind may have.',
  }),
  mapping: string('How the file is read, as JSON.'),
  findings: Type.Array(Finding),
  rejections: Type.Array(Rejection, { description: 'Most frequent first.' }),
  places: arrayOf(
    responseObject('IndexPlace', { id: string(), name: string() }),
    'Of a price index: the places of the file, of which one is loaded.',
  ),
  problem: nullable.string('Why the file cannot be imported as it is.'),
});

const LoadedBody = responseObject('LoadedFile', {
  is_unchanged: boolean('Whether the market had these rows before.'),
  rows_read: integer(),
  rows_loaded: integer(),
  rows_repeated: integer('Rows that repeat another row of the file.'),
  rows_total: nullable.integer('Rows of the market.'),
  rejected: counts('Invalid rows by reason.'),
  skipped: counts('Rows out of scope, by reason.'),
  flagged: counts('Rows of the market that values do not use, by flag.'),
  unread_columns: Type.Array(string()),
  features: Type.Array(string(), { description: 'Columns that were kept as features.' }),
  no_features: arrayOf(
    responseObject('NoFeature', { name: string(), reason: string() }),
    'Columns that may not be features.',
  ),
  findings: Type.Array(Finding),
});

const TrainingBody = responseObject('TrainingAfterImport', {
  failure: nullable.string('Why no model was trained.'),
  models: Type.Array(
    responseObject('TrainedModel', {
      kind: oneOf(VALUATION_KINDS),
      trained_on: string(),
      is_active: boolean('Whether values use it: otherwise it is held back.'),
      accuracy: string(
        'Sentences: the accuracy, whether it is active, and how it compares with the model before.',
      ),
    }),
  ),
  untrained: Type.Array(responseObject('UntrainedKind', { kind: oneOf(VALUATION_KINDS), reason: string() })),
  notes: Type.Array(string(), {
    description: 'Sentences about the data: its age, and columns that are not used.',
  }),
});

export const ImportStateBody = responseObject('ImportState', {
  id: string(),
  name: string(),
  status: oneOf(['uploaded', 'queued', 'running', 'complete', 'failed']),
  kind: nullable.oneOf(INSPECTED_KINDS),
  market_id: nullable.string(),
  step: nullable.string('The current step of a running import or training.'),
  share: nullable.number('The share of the step that is done.'),
  failure: nullable.string('Why nothing was loaded.'),
  report: nullable.object(LoadedBody, 'Null before the import ended.'),
  training: nullable.object(TrainingBody, 'Null if the market was not trained.'),
  home: nullable.object(
    responseObject('SampleHome', { latitude: number(), longitude: number() }),
    'A home of the market, to value as an example; null if it was not trained.',
  ),
  has_rejected_rows: boolean('Whether there is a list of the rows that were left out.'),
});
