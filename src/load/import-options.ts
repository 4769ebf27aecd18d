import type { Clock } from '../clock.ts';
import type { Day } from '../domain/day.ts';
import type { DatePrecision } from '../domain/sale.ts';
import type { Store } from '../store/store.ts';
import type { Candidates } from './candidate-columns.ts';
import type { Finding } from './checks/finding.ts';
import type { RejectionCount } from './rejections.ts';
import type { MappingInput } from './rows/mapping.ts';
import type { ActingFor } from '../store/audit-log.ts';
import type { DatasetKind } from '../store/tables/datasets.ts';

/** Called with the current step and its progress; `total` is null if unknown. */
export type OnProgress = (step: string, done: number, total: number | null) => void;

export interface ImportDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Reports go to its folder `reports`. */
  readonly dataDir: string;
  readonly progress?: OnProgress;
  /** Who imports; by default, the command line. */
  readonly actingFor?: ActingFor;
  /** Called with the path of the report, without its extension, before a file is read. */
  readonly onReport?: (stem: string) => void;
}

/** Publishers' own layouts that need no mapping. */
export const FORMATS = ['milwaukee', 'seattle'] as const;
export type Format = (typeof FORMATS)[number];

export interface ImportOptions {
  readonly marketId: string;
  /** Local files, loaded together or not at all. */
  readonly files: readonly string[];
  /** Path of a mapping file, or the mapping itself. */
  readonly mapping?: MappingInput | null;
  readonly format?: Format | null;
  /** Source columns to keep as the market's own features; `all` = every column of sales or parcels that may be one. */
  readonly features?: readonly string[] | 'all';
  /** Overrides the precision that the dates show (sales, rents). */
  readonly datePrecision?: DatePrecision | null;
  /** The day that parcels describe if the file does not give one; null for the day of import. */
  readonly asOfDate?: Day | null;
  /** The census that drew the areas, or a year that uses them, if neither a field nor the file name gives it. */
  readonly vintage?: number | null;
  readonly crime?: CrimeOptions;
  /** The place of a price index, as its file names it: a CBSA or metropolitan division code. */
  readonly cbsa?: string | null;
  /** Days from the end of a period to the publication of its figure, if the file of a price index does not say. */
  readonly publishedAfterDays?: number | null;
  /** The last of the five years that census values span, if the file names do not say. */
  readonly year?: number | null;
  /** A file of the places with a flood study, whether a flood area covers them or not. */
  readonly availability?: string | null;
  /** The class of map features whose columns name none. */
  readonly layerClass?: string | null;
  readonly sourceName?: string | null;
  readonly license?: string | null;
  /** `YYYY-MM-DD`. */
  readonly retrievedAt?: string | null;
  /** Replaces the market's current rows instead of merging with them. */
  readonly replace?: boolean;
  /** Share of rejected rows above which nothing is loaded. */
  readonly maxRejects?: number;
  /** Checks of whole files that may fail. */
  readonly accept?: readonly string[];
  /** Checks whose rows are left out. */
  readonly leaveOut?: readonly string[];
}

export interface CrimeOptions {
  /** IANA zone of times that are written without one; null if every row or the format has it. */
  readonly timeZone: string | null;
  /** Who recorded the incidents; null if every row or the format has it. */
  readonly agency: string | null;
  /** Sex, race and age group of victims and offenders are personal, so they are left out by default. */
  readonly keepPersonFields: boolean;
}

export const MAX_REJECTS = 0.05;

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
  /** Rows of the files, each once. */
  readonly rowsLoaded: number;
  /** Exact duplicates within the files. */
  readonly rowsRepeated: number;
  /** Kept from the previous version. */
  readonly rowsKept: number;
  /** Rows in the current version. */
  readonly rowsTotal: number;
  readonly rejected: RejectionCount;
  readonly skipped: RejectionCount;
  /** Columns of the files that nothing reads. */
  readonly unreadColumns: readonly string[];
  /** The columns that were kept as features, and the others with the reason; null unless all were wanted. */
  readonly candidates: Candidates | null;
  /** What the checks of whole files found and the operator accepted, or may want to know. */
  readonly findings: readonly Finding[];
  /** For sales and rents: flagged rows of the current version, by flag. */
  readonly flags: Readonly<Record<string, number>> | null;
  /** For sales and rents: rows of the current version, by precision of their dates. */
  readonly datePrecision: Readonly<Record<string, number>> | null;
  readonly reportPath: string;
  /** CSV of rejected and skipped rows; null if there are none. */
  readonly refusedRowsPath: string | null;
  readonly seconds: number;
}
