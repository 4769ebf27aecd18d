import { RENAMED_MEMBERS, RENAMED_VALUES } from './renamed.ts';

/** Anything that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Text for people. It may change; what it is about stays in codes and numbers beside it. */
const PROSE_MEMBERS = new Set([
  'message',
  'msg',
  'detail',
  'title',
  'description',
  'summary',
  'error',
  'reason_text',
  'hint',
  'note',
  'text',
  'x-credits',
]);
/** Differ from run to run. */
const ID_MEMBERS = new Set([
  'datasetId',
  'dataset_id',
  'next_cursor',
  'cursor',
  'last_characters',
  'lastCharacters',
  'csrf_token',
]);
const PATH_MEMBERS = new Set(['reportPath', 'refusedRowsPath', 'rejectedRowsPath', 'report_path']);
/** Whether a cancelled job had begun depends on the machine. */
const START_MEMBERS = new Set(['startedAt', 'started_at']);
const ELAPSED_MEMBERS = /(_ms|Ms|^seconds|_seconds)$/;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const HASH = /\b[0-9a-f]{16,64}\b/g;
const SECRET = /\b(plb_(live|test)_[0-9A-Za-z_]+|whsec_[0-9A-Za-z+/=]+)/g;
const REQUEST_ID = /\breq_[0-9a-f]+/g;
/** Ids of models end in a hash of what they were trained on. */
const MODEL_HASH = /(-\d{4}-\d\d-\d\d-)[0-9a-f]{8}\b/g;
/** Eight characters name a key. */
const KEY_ID_MEMBERS = new Set(['id', 'subject', 'replaces', 'keyId', 'key_id']);
const KEY_ID = /^[0-9A-Za-z]{8}$/;
const KEY_PATH = /(\/keys\/)[0-9A-Za-z]{8}(?=\/)/;
/** Later than this, a number of milliseconds is a time of the recording. */
const RECENT_MS = Date.parse('2026-11-21T00:00:00Z');
/** The recording's own day and later ones. Earlier times are data: incidents, for example. */
const RECENT_TIME =
  /\b(2026-11-2[1-9]|2026-11-30|2026-12-\d\d|202[7-9]-\d\d-\d\d)T[0-9:.]+(Z|[+-]\d\d:\d\d)/g;

/** An answer without what may differ between two recordings of the same program: ids, times, hashes and prose. */
export function normalized(value: Json, member = ''): Json {
  if (START_MEMBERS.has(member)) return '<time>';
  if (Array.isArray(value)) return value.map((item: Json) => normalized(item, member));
  if (typeof value === 'string') return normalizedText(value, member);
  if (typeof value === 'number') {
    if (ID_MEMBERS.has(member)) return '<id>';
    if (value > RECENT_MS && value < 2 * RECENT_MS) return '<time>';
    return ELAPSED_MEMBERS.test(member) ? '<elapsed>' : value;
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const newName = RENAMED_MEMBERS.get(name) ?? name;
      return [newName, normalized(item as Json, newName)];
    }),
  );
}

function normalizedText(text: string, member: string): string {
  // A reason is a code, or a sentence.
  if (member === 'reason' && text.includes(' ')) return '<prose>';
  if (PROSE_MEMBERS.has(member)) return '<prose>';
  if (ID_MEMBERS.has(member)) return '<id>';
  if (PATH_MEMBERS.has(member)) return '<path>';
  if (KEY_ID_MEMBERS.has(member) && KEY_ID.test(text)) return '<id>';
  const bare = text
    .replace(KEY_PATH, '$1<id>')
    .replace(REQUEST_ID, '<id>')
    .replace(MODEL_HASH, '$1<hash>')
    .replace(SECRET, '<secret>')
    .replace(UUID, '<id>')
    .replace(HASH, '<hash>')
    .replace(RECENT_TIME, '<time>');
  return RENAMED_VALUES.get(bare) ?? bare;
}
