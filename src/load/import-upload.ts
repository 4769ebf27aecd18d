import { readFile } from 'node:fs/promises';
import { nullIfMissing, PlumblineError } from '../errors.ts';
import type { ActingFor } from '../store/audit-log.ts';
import { withoutFolder, withStagedUpload } from '../store/staged-uploads.ts';
import type { Upload } from '../store/tables/jobs.ts';
import type { ImportDeps, ImportOptions } from './import-options.ts';
import type { WrittenReport } from './import-run.ts';
import { NothingLoaded } from './nothing-loaded.ts';
import { importIndex } from './index/import-index.ts';
import { importAddresses, importParcels } from './import-parcels.ts';
import { importRents, importSales } from './import-records.ts';
import type { InspectedKind } from './rows/columns.ts';

/** How an uploaded file is imported, as it is stored with the file. */
export interface ImportSubmission extends Pick<
  ImportOptions,
  'marketId' | 'features' | 'accept' | 'leaveOut' | 'cbsa' | 'publishedAfterDays' | 'replace'
> {
  readonly kind: InspectedKind;
  readonly mapping: { readonly [column: string]: unknown };
  /** Largest share of invalid rows; null for the usual one. */
  readonly maxRejects: number | null;
  /** Whether the market is trained afterwards. */
  readonly trains: boolean;
  /** The imports that it waits for. If one that places its rows failed, nothing is loaded. */
  readonly after?: readonly { readonly jobId: string; readonly name: string; readonly isPlacing: boolean }[];
  readonly actingFor: ActingFor;
  /** The job that imports it. */
  readonly jobId: string;
}

/** What the import of an uploaded file did. */
export interface UploadedImport {
  /** Why nothing was loaded; null if the file was loaded. */
  readonly failure: string | null;
  /** Null if the import ended before it read a file. */
  readonly report: WrittenReport | null;
  /** The rows that were left out, as CSV; null if there are none. */
  readonly rejectedRows: string | null;
}

const IMPORTERS = {
  sales: importSales,
  rents: importRents,
  parcels: importParcels,
  addresses: importAddresses,
  index: importIndex,
} as const;

/** Imports an uploaded file: all of it or nothing. */
export async function importUpload(
  deps: ImportDeps,
  upload: Upload,
  submission: ImportSubmission,
): Promise<UploadedImport> {
  const { kind, maxRejects, actingFor } = submission;
  let stem: string | null = null;
  const onReport = (path: string): void => void (stem = path);
  const failure = await withStagedUpload(deps.store, deps.dataDir, upload, async (path) => {
    const { marketId, mapping, features, accept, leaveOut, cbsa, publishedAfterDays, replace } = submission;
    const read = { mapping, features, cbsa, publishedAfterDays, replace };
    const options = { marketId, files: [path], ...read, accept, leaveOut };
    try {
      const given = maxRejects === null ? options : { ...options, maxRejects };
      await IMPORTERS[kind]({ ...deps, actingFor, onReport }, given);
      return null;
    } catch (error) {
      if (!(error instanceof PlumblineError)) throw error;
      return withoutFolder(error instanceof NothingLoaded ? error.inConsole : error.message, path);
    }
  });
  const report = stem === null ? null : await nullIfMissing(readFile(`${stem}.json`, 'utf8'));
  return {
    failure,
    report: report === null ? null : JSON.parse(report),
    rejectedRows: stem === null ? null : await nullIfMissing(readFile(`${stem}.refused.csv`, 'utf8')),
  };
}
