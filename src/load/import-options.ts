import type { Clock } from '../clock.ts';
import type { Day } from '../domain/day.ts';
import type { DatePrecision } from '../domain/sale.ts';
import type { DatasetKind } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';

/** Called with what is being done and how far it is; `total` null where the end is unknown. */
export type OnProgress = (step: string, done: number, total: number | null) => void;

export interface ImportDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Reports go to its folder `reports`. */
  readonly dataDir: string;
  readonly progress?: OnProgress;
}

/** Publishers' own layouts that need no mapping. */
export const FORMATS = ['milwaukee', 'seattle'] as const;
export type Format = (typeof FORMATS)[number];

export interface ImportOptions {
  readonly marketId: string;
  /** Local files of the kind's formats, loaded together or not at all. */
  readonly files: readonly string[];
  /** Path of a mapping file. */
  readonly mapping?: string | null;
  readonly format?: Format | null;
  /** Source columns to keep as the market's own features. */
  readonly features?: readonly string[];
  /** Overrides what the dates themselves tell (sales, rents). */
  readonly datePrecision?: DatePrecision | null;
  /** The day that parcels describe where the file does not say; the day of import if null. */
  readonly asOfDate?: Day | null;
  /** Of census areas: the census that drew them, or a year that uses its areas, where neither field nor file name says. */
  readonly vintage?: number | null;
  readonly crime?: CrimeOptions;
  /** Of census values: the last of the five years they span, where the file names do not say. */
  readonly year?: number | null;
  /** Of flood areas: a file of the places that were studied, whether a flood area covers them or not. */
  readonly availability?: string | null;
  readonly sourceName?: string | null;
  readonly license?: string | null;
  /** `YYYY-MM-DD`. */
  readonly retrievedAt?: string | null;
  /** Starts over instead of merging with the market's current rows. */
  readonly replace?: boolean;
  /** Share of faulty rows above which nothing is loaded. */
  readonly maxRejects?: number;
}

/** What only imports of crime ask. */
export interface CrimeOptions {
  /** IANA zone of times that are written without one; null where every row or the format says it. */
  readonly timeZone: string | null;
  /** Who recorded the incidents; null where every row or the format says it. */
  readonly agency: string | null;
  /** Sex, race and age group of victims and offenders are personal: left out unless the operator says so. */
  readonly keepPersonFields: boolean;
}

export const MOST_REJECTS = 0.05;

/** What an import did. */
export interface ImportReport {
  readonly marketId: string;
  readonly kind: DatasetKind;
  /** The current version after the import. */
  readonly datasetId: number;
  /** True if nothing changed: the current version stays. */
  readonly unchanged: boolean;
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
  readonly rowsRead: number;
  /** Of the files, each once. */
  readonly rowsLoaded: number;
  /** Rows that the files repeat word for word. */
  readonly rowsRepeated: number;
  /** Kept from the version before. */
  readonly rowsKept: number;
  /** Rows in the current version. */
  readonly rowsTotal: number;
  readonly rejected: RejectionCount;
  readonly skipped: RejectionCount;
  /** Columns of the files that nothing reads. */
  readonly unreadColumns: readonly string[];
  /** For sales and rents: flagged rows of the current version, by flag. */
  readonly flags: Readonly<Record<string, number>> | null;
  /** For sales and rents: rows of the current version, by precision of their dates. */
  readonly datePrecision: Readonly<Record<string, number>> | null;
  readonly reportPath: string;
  /** CSV of rejected and skipped rows; null if there are none. */
  readonly refusedRowsPath: string | null;
  readonly seconds: number;
}

export interface RejectionCount {
  readonly total: number;
  readonly byReason: Readonly<Record<string, number>>;
}
