import type { Static } from 'typebox';
import type * as schemas from '../../../src/api/console/imports/schemas.ts';
import { uploadPieces } from './batches.ts';
import { asProblem } from './problem.ts';
import { get, post, urlOf } from './request.ts';

export type ImportInspection = Static<typeof schemas.InspectionBody>;
export type ImportFinding = ImportInspection['findings'][number];
export type ImportKind = ImportInspection['kind'];
export type ImportState = Static<typeof schemas.ImportStateBody>;

export const IMPORT_KINDS = [
  'sales',
  'rents',
  'parcels',
  'addresses',
  'index',
] as const satisfies readonly ImportKind[];

/** A file that was uploaded to be imported. */
interface ImportFile {
  readonly id: string;
  readonly name: string;
}

/** How a file is read. */
interface Reading {
  readonly kind: ImportKind;
  /** As JSON; null = guessed. */
  readonly mapping: string | null;
  /** Null = all columns that may be features. */
  readonly features: readonly string[] | null;
  /** Checks whose rows are left out. */
  readonly leave_out: readonly string[];
}

/** How a file is inspected: its rows without coordinates are placed by the market; null = a new one. */
interface Inspecting extends Reading {
  readonly market_id: string | null;
}

export const uploadImport = (
  file: Blob,
  name: string,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<ImportFile> => uploadPieces(file, name, 'import', signal, onProgress);

export const inspectImport = (id: string, reading: Inspecting, signal: AbortSignal) =>
  post<ImportInspection>(`/imports/${id}/inspect`, { body: reading, signal, isPatient: true });

export const loadImport = (
  id: string,
  body: Reading & {
    readonly market_id: string;
    readonly accept: readonly string[];
    readonly leaves_out: boolean;
    /** Whether the rows replace all of their kind. */
    readonly replaces: boolean;
    readonly trains: boolean;
    /** Submitted files that are loaded before it, and those that also place its rows. */
    readonly after: readonly string[];
    readonly placed_by: readonly string[];
    /** Of a price index. */
    readonly cbsa: string | null;
    readonly published_after_days: number | null;
  },
) => post<ImportState>(`/imports/${id}/load`, { body });

/** The states of files, without those that are no longer stored. */
export async function readImports(ids: readonly string[], signal: AbortSignal): Promise<ImportState[]> {
  const read = await Promise.allSettled(ids.map((id) => get<ImportState>(`/imports/${id}`, { signal })));
  const states = read.flatMap((state) => (state.status === 'fulfilled' ? state.value : []));
  const failures = read.flatMap((state) => (state.status === 'rejected' ? [asProblem(state.reason)] : []));
  const failure = failures.find(({ status }) => status !== 404) ?? failures.at(0);
  if (failure && (states.length === 0 || failure.status !== 404)) throw failure;
  return states;
}

export const rejectedRowsOf = (id: string) => urlOf(`/imports/${id}/rejected.csv`);
