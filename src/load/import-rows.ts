import { hash } from 'node:crypto';
import { putBlob } from '../store/blobs.ts';
import { currentDataset, publishDataset, type Dataset } from '../store/datasets.ts';
import { createContentHash, type ContentHash } from './rows/content-hash.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import {
  beginRun,
  checkRejects,
  finishRun,
  isUnchanged,
  startFilePass,
  type ImportRun,
  type Located,
  type OpenFile,
  type Pass,
} from './import-run.ts';
import { RowRejection } from './rows/row-rejection.ts';
import { writeVersion } from './write-version.ts';

type StreamedKind = 'parcels' | 'addresses' | 'census-values';

/** The parts of an import that differ between kinds of rows. */
export interface RowKind<Given, Cells, Row> {
  readonly kind: StreamedKind;
  readonly open: OpenFile<Given>;
  readonly read: (given: Given) => Cells;
  /** Completes rows after reading. Rows that cannot be completed are logged and left out. */
  readonly complete: (pass: Pass<Cells>, batch: readonly Located<Cells>[]) => Promise<Located<Row>[]>;
  /** The key by which a later import replaces a row. */
  readonly keyOf: (row: Row) => string;
  /** Whether several different rows of one import may share a key (two places of one address text). */
  readonly sharesKeys: boolean;
  readonly canonical: (row: Row) => string;
  readonly readCurrent: (datasetId: number) => AsyncIterable<readonly Row[]>;
  readonly insert: (datasetId: number) => (rows: readonly Row[]) => Promise<void>;
  /** What is kept beside the rows and read whole, once all of them are inserted. */
  readonly snapshot?: () => Uint8Array;
}

interface Loaded {
  readonly pass: Pass<unknown>;
  readonly rowsLoaded: number;
  readonly rowsRepeated: number;
  readonly rowsKept: number;
  readonly contentHash: string;
}

/**
 * Loads rows that need not all be in memory: all of the files or nothing. Where the market has such rows already, a
 * first pass finds out whether anything would change; only then a second one writes.
 */
export async function importRows<Kind extends StreamedKind, Given, Cells, Row>(
  deps: ImportDeps,
  options: ImportOptions,
  kind: Kind,
  kindOf: (run: ImportRun<Kind>, current: Dataset | null) => Promise<RowKind<Given, Cells, Row>>,
): Promise<ImportReport> {
  const run = await beginRun(deps, options, kind);
  const current = await currentDataset(deps.store, options.marketId, kind);
  const rowKind = await kindOf(run, current);
  const base = options.replace ? null : current;
  const found = current && (await loadRows(run, rowKind, base, `Comparing ${kind}`, async () => {}));
  const unchanged = current !== null && found !== null && isUnchanged(run, current, found.contentHash);
  const { datasetId, loaded } =
    unchanged && current
      ? { datasetId: current.datasetId, loaded: found }
      : await writeRows(run, rowKind, base);
  return finishRun(run, loaded.pass, {
    datasetId,
    unchanged,
    rowsLoaded: loaded.rowsLoaded,
    rowsRepeated: loaded.rowsRepeated,
    rowsKept: loaded.rowsKept,
    rowsTotal: loaded.rowsLoaded + loaded.rowsKept,
    flags: null,
    datePrecision: null,
  });
}

async function writeRows<Given, Cells, Row>(
  run: ImportRun,
  rowKind: RowKind<Given, Cells, Row>,
  base: Dataset | null,
): Promise<{ datasetId: number; loaded: Loaded }> {
  const { store } = run.deps;
  return writeVersion(run, async (datasetId) => {
    const loaded = await loadRows(run, rowKind, base, `Loading ${rowKind.kind}`, rowKind.insert(datasetId));
    const rows = loaded.rowsLoaded + loaded.rowsKept;
    const snapshotSha256 = rowKind.snapshot ? await putBlob(store, rowKind.snapshot()) : null;
    await publishDataset(store, datasetId, { rows, contentHash: loaded.contentHash, snapshotSha256 });
    return { datasetId, loaded };
  });
}

/** One pass: the rows of the files, then those of `base` that no file replaces, all to `write`. */
async function loadRows<Given, Cells, Row>(
  run: ImportRun,
  rowKind: RowKind<Given, Cells, Row>,
  base: Dataset | null,
  step: string,
  write: (rows: readonly Row[]) => Promise<void>,
): Promise<Loaded> {
  const pass = await startFilePass(run, step, rowKind.open, rowKind.read);
  const contentHash = createContentHash();
  const { keys, rowsLoaded, rowsRepeated } = await loadNewRows(pass, rowKind, contentHash, write);
  await checkRejects(run, pass, rowsLoaded);
  let rowsKept = 0;
  if (base) {
    for await (const page of rowKind.readCurrent(base.datasetId)) {
      const kept = page.filter((row) => !keys.has(rowKind.keyOf(row)));
      for (const row of kept) contentHash.add(rowKind.canonical(row));
      rowsKept += kept.length;
      await write(kept);
    }
  }
  return { pass, rowsLoaded, rowsRepeated, rowsKept, contentHash: contentHash.digest() };
}

/** Longer rows are remembered by a hash: a state's census tables are 300,000 rows of some 600 characters. */
const MARK_LENGTH = 200;

async function loadNewRows<Given, Cells, Row>(
  pass: Pass<Cells>,
  rowKind: RowKind<Given, Cells, Row>,
  contentHash: ContentHash,
  write: (rows: readonly Row[]) => Promise<void>,
): Promise<{ keys: ReadonlySet<string>; rowsLoaded: number; rowsRepeated: number }> {
  const keys = new Set<string>();
  const seen = new Set<string>();
  let rowsLoaded = 0;
  let rowsRepeated = 0;
  for await (const batch of pass.batches) {
    const rows: Row[] = [];
    for (const { file, line, value } of await rowKind.complete(pass, batch)) {
      const text = rowKind.canonical(value);
      const mark = text.length > MARK_LENGTH ? hash('sha256', text, 'base64') : text;
      const key = rowKind.keyOf(value);
      if (seen.has(mark)) {
        rowsRepeated++;
      } else if (keys.has(key) && !rowKind.sharesKeys) {
        pass.log.add(file, line, new RowRejection('rejected', `${rowKind.kind}_id_repeated`, null, key));
      } else {
        seen.add(mark);
        keys.add(key);
        contentHash.add(text);
        rows.push(value);
      }
    }
    rowsLoaded += rows.length;
    await write(rows);
  }
  return { keys, rowsLoaded, rowsRepeated };
}
