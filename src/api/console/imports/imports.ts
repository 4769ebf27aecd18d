import { basename, dirname, join } from 'node:path';
import { readFile } from 'node:fs/promises';
import type { Static } from 'typebox';
import { actingIn } from '../../../accounts/sessions.ts';
import { dayOfInstant } from '../../../domain/day.ts';
import { isMarketId, MARKET_ID_RULE } from '../../../domain/market-id.ts';
import { isRecord } from '../../../domain/json.ts';
import { PlumblineError } from '../../../errors.ts';
import { queueUploadImport, readImportState } from '../../../jobs/import-uploads.ts';
import { locateInspected } from '../../../load/locate-inspected.ts';
import { inspectInThread } from '../../../load/inspect-in-thread.ts';
import type { ImportSubmission } from '../../../load/import-upload.ts';
import type { InspectOptions } from '../../../load/inspect-file.ts';
import { parseJsonText } from '../../../store/json-text.ts';
import { withoutFolder, withStagedUpload } from '../../../store/staged-uploads.ts';
import type { Upload } from '../../../store/tables/jobs.ts';
import { findUpload, setSheet } from '../../../store/uploads.ts';
import { type ConsoleRequest, type ConsoleRoute, get, getFile, post } from '../console-route.ts';
import { runOneAtATime } from '../../../jobs/upload/account-files.ts';
import { reportingUsage } from '../../../jobs/upload/report-usage.ts';
import { anyUploadOf, conflict } from '../upload/upload-requests.ts';
import { inspectionMembers, stateMembers } from './members.ts';
import { ImportStateBody, InspectBody, InspectionBody, LoadBody } from './schemas.ts';

/** Reading a large file takes minutes. */
const INSPECT_MS = 300_000;
const IMPORT = '/console/api/imports/{id}';

/** What is stored with a file after its last inspection. */
interface StoredInspection {
  /** The rows that would be left out, as CSV; null if there are none. */
  readonly rejectedRows: string | null;
}

async function importOf(http: ConsoleRequest<unknown>): Promise<Upload> {
  const upload = await anyUploadOf(http);
  if (upload.purpose === 'import') return upload;
  throw conflict('This file was uploaded to be valued. Upload it again under Import.');
}

function mappingOf(text: string | null | undefined): { readonly [column: string]: unknown } | null {
  if (text == null) return null;
  try {
    const mapping: unknown = JSON.parse(text);
    if (isRecord(mapping)) return mapping;
  } catch {
    // Reported below, together with JSON that is no object.
  }
  throw new PlumblineError('bad_request', 'The mapping must be a JSON object {"column": "source column"}.');
}

/** Inspects the file in a thread, and stores the rows that would be left out. */
async function inspect(
  { deps, store }: ConsoleRequest<unknown>,
  upload: Upload,
  options: InspectOptions,
  marketId: string | null,
) {
  return withStagedUpload(store, deps.config.dataDir, upload, async (path) => {
    const rejectedRowsPath = join(dirname(path), 'rejected rows', 'rejected.csv');
    const inspection = await reportingUsage(path, async () => {
      const read = await inspectInThread(path, { ...options, rejectedRowsPath });
      return locateInspected(store, marketId, read, rejectedRowsPath);
    });
    const hasRejected = inspection.rejections.length > 0;
    const rejectedRows = hasRejected ? await readFile(rejectedRowsPath, 'utf8') : null;
    await setSheet(store, upload.uploadId, { rejectedRows } satisfies StoredInspection);
    const problem = inspection.problem && withoutFolder(inspection.problem, path);
    return { ...inspection, problem };
  });
}

/** The imports of submitted files of the user that an import waits for. */
async function importsBefore(
  { deps, session, store }: ConsoleRequest<unknown>,
  { after, placed_by: given }: Static<typeof LoadBody>,
): Promise<NonNullable<ImportSubmission['after']>> {
  const now = deps.clock().getTime();
  const placers = new Set(given);
  const before = [];
  for (const id of new Set([...(after ?? []), ...placers])) {
    const upload = await findUpload(store, session, id, now);
    if (!upload?.submission) throw conflict('A file that must be loaded before this one was not submitted.');
    const { jobId } = parseJsonText<ImportSubmission>(upload.submission);
    before.push({ jobId, name: upload.name, isPlacing: placers.has(id) });
  }
  return before;
}

async function readState(http: ConsoleRequest<unknown>) {
  const upload = await importOf(http);
  return stateMembers(http.store, upload, await readImportState(http.store, upload));
}

/** Importing a file: it is uploaded in pieces like any other, inspected, and loaded by a job. */
export const IMPORT_ROUTES: readonly ConsoleRoute[] = [
  post(`${IMPORT}/inspect`, 'inspectImport', 'operator', {
    input: InspectBody,
    response: InspectionBody,
    responseTimeoutMs: INSPECT_MS,
    handle: async (http) => {
      const upload = await importOf(http);
      const { kind, mapping, features, leave_out: leaveOut, market_id: marketId } = http.read();
      const options: InspectOptions = {
        kind,
        mapping: mappingOf(mapping),
        suggestsByValues: true,
        features: features ?? 'all',
        leaveOut: leaveOut ?? [],
        today: dayOfInstant(http.deps.clock()),
      };
      const inspection = await runOneAtATime(upload.accountId, () =>
        inspect(http, upload, options, marketId ?? null),
      );
      return inspectionMembers(upload, inspection);
    },
  }),
  // Queues the import. The same file can be loaded again after it failed.
  post(`${IMPORT}/load`, 'loadImport', 'operator', {
    input: LoadBody,
    response: ImportStateBody,
    handle: async (http) => {
      const { deps, session, store } = http;
      const upload = await importOf(http);
      const given = http.read();
      const { kind, mapping, features, market_id: marketId } = given;
      if (!isMarketId(marketId)) {
        throw new PlumblineError('bad_request', `“${marketId}” is not a market id. ${MARKET_ID_RULE}`);
      }
      const submission: Omit<ImportSubmission, 'jobId'> = {
        kind,
        marketId,
        mapping: mappingOf(mapping) ?? {},
        features: features ?? 'all',
        accept: given.accept ?? [],
        leaveOut: given.leave_out ?? [],
        maxRejects: given.leaves_out ? 1 : null,
        replace: given.replaces ?? false,
        trains: given.trains,
        after: await importsBefore(http, given),
        cbsa: given.cbsa ?? null,
        publishedAfterDays: given.published_after_days ?? null,
        actingFor: actingIn(session),
      };
      await queueUploadImport({ store, clock: deps.clock, newId: deps.operations.newId }, upload, submission);
      return readState(http);
    },
  }),
  get(IMPORT, 'readImport', 'operator', { response: ImportStateBody, handle: readState }),
  // The rows that the last inspection or import left out.
  getFile(`${IMPORT}/rejected.csv`, 'downloadRejectedRows', 'operator', {
    responseType: 'text/csv',
    handle: async (http) => {
      const upload = await importOf(http);
      const state = await readImportState(http.store, upload);
      const inspected =
        upload.sheet === null ? null : parseJsonText<StoredInspection>(upload.sheet).rejectedRows;
      const rows = state?.result?.rejectedRows ?? inspected;
      if (rows === null) throw new PlumblineError('not_found', 'No row of this file was left out.');
      const name = `${basename(upload.name).replace(/\.[a-z0-9]{1,5}$/i, '')}-rejected.csv`;
      http.reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);
      return http.reply.type('text/csv; charset=utf-8').send(rows);
    },
  }),
];
