import { createTextNumbers, type TextNumbers } from '../domain/text-numbers.ts';
import type { Dataset } from '../store/datasets.ts';
import type { TableRow } from '../tables/table.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import { currentVersion, runImport, WRITE_ROWS, type ImportOutcome, type ImportRun } from './import-run.ts';
import { checkRejects } from './nothing-loaded.ts';
import { startPass, type RowAt, type OpenFile, type Pass } from './read-files.ts';
import { reject, RowRejection } from './rejections.ts';
import { createContentHash, type ContentHash } from './rows/canonical-rows.ts';

type StreamedKind = 'parcels' | 'addresses' | 'census-values';

/** What tells rows apart. */
export interface RowIdentity<Row> {
  /** The key by which a later import replaces a row. */
  readonly keyOf: (row: Row) => string;
  /** Whether several different rows of one import may share a key (two places of one address text). */
  readonly sharesKeys?: boolean;
  readonly canonical: (row: Row) => string;
}

/** The parts of an import that differ between kinds of rows. */
interface RowKind<Cells, Row> extends RowIdentity<Row> {
  readonly open: OpenFile<TableRow, Cells>;
  /** Completes rows after reading. Rows that cannot be completed are logged and left out. */
  readonly complete: (pass: Pass<Cells>, batch: readonly RowAt<Cells>[]) => Promise<readonly RowAt<Row>[]>;
  readonly readCurrent: (rowsId: number) => AsyncIterable<readonly Row[]>;
  readonly insert: (datasetId: number) => (rows: readonly Row[]) => Promise<void>;
  /** What readers load as a whole, once all rows are inserted. */
  readonly snapshot?: () => Uint8Array;
}

/**
 * Imports rows that need not all be in memory. If the market has such rows already, a first pass finds out whether
 * anything would change; only then a second pass writes.
 */
export async function importRows<Kind extends StreamedKind, Cells, Row>(
  deps: ImportDeps,
  options: ImportOptions,
  kind: Kind,
  kindOf: (run: ImportRun<Kind>, current: Dataset | null) => Promise<RowKind<Cells, Row>>,
): Promise<ImportReport> {
  return runImport(deps, options, kind, async (run) => {
    const current = await currentVersion(run);
    const rowKind = await kindOf(run, current);
    const base = options.replace ? null : current;
    return {
      current,
      found: current && (await loadRows(run, rowKind, base, `Comparing ${kind}`, async () => {})),
      write: (datasetId) => loadRows(run, rowKind, base, `Loading ${kind}`, rowKind.insert(datasetId)),
    };
  });
}

/** One pass: the rows of the files, then those of `base` that no file replaces, all to `write`. */
async function loadRows<Cells, Row>(
  run: ImportRun<StreamedKind>,
  rowKind: RowKind<Cells, Row>,
  base: Dataset | null,
  step: string,
  write: (rows: readonly Row[]) => Promise<void>,
): Promise<ImportOutcome> {
  const { keyOf, canonical, readCurrent, snapshot } = rowKind;
  const pass = await startPass(run, step, rowKind.open);
  const contentHash = createContentHash();
  const { keys, rowsLoaded, rowsRepeated } = await loadNewRows(run.kind, pass, rowKind, contentHash, write);
  await checkRejects(run, pass, rowsLoaded);
  let rowsKept = 0;
  if (base) {
    for await (const page of readCurrent(base.rowsId)) {
      const kept = page.filter((row) => keys.find(keyOf(row)) < 0);
      for (const row of kept) contentHash.add(canonical(row));
      rowsKept += kept.length;
      await write(kept);
    }
  }
  return { counts: pass, contentHash: contentHash.digest(), rowsLoaded, rowsRepeated, rowsKept, snapshot };
}

/** Finds rows that repeat earlier ones exactly. Throws a RowRejection for a row with the key of a different row. */
export function createRowCheck<Row>(
  kind: StreamedKind,
  { keyOf, sharesKeys = false, canonical }: RowIdentity<Row>,
) {
  const keys = createTextNumbers();
  const seen = createTextNumbers();
  return {
    keys,
    /** The row as canonical text; null if it repeats an earlier one. */
    textOfNew(row: Row): string | null {
      const text = canonical(row);
      if (seen.find(text) >= 0) return null;
      const key = keyOf(row);
      if (!sharesKeys && keys.find(key) >= 0) reject(`${kind}_id_repeated`, null, key);
      seen.numberOf(text);
      keys.numberOf(key);
      return text;
    },
  };
}

async function loadNewRows<Cells, Row>(
  kind: StreamedKind,
  pass: Pass<Cells>,
  { complete, keyOf, sharesKeys = false, canonical }: RowKind<Cells, Row>,
  contentHash: ContentHash,
  write: (rows: readonly Row[]) => Promise<void>,
): Promise<{ keys: TextNumbers; rowsLoaded: number; rowsRepeated: number }> {
  const { keys, textOfNew } = createRowCheck(kind, { keyOf, sharesKeys, canonical });
  let rowsLoaded = 0;
  let rowsRepeated = 0;
  let rows: Row[] = [];
  for await (const batch of pass.batches) {
    for (const { value, ...at } of await complete(pass, batch)) {
      try {
        const text = textOfNew(value);
        if (text === null) {
          rowsRepeated++;
        } else {
          contentHash.add(text);
          rows.push(value);
        }
      } catch (error) {
        if (!(error instanceof RowRejection)) throw error;
        pass.log.add(at, error);
      }
    }
    if (rows.length < WRITE_ROWS) continue;
    rowsLoaded += rows.length;
    await write(rows);
    rows = [];
  }
  await write(rows);
  rowsLoaded += rows.length;
  return { keys, rowsLoaded, rowsRepeated };
}
