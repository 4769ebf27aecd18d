import { basename } from 'node:path';
import { usageError } from '../errors.ts';
import type { OnBytes, Table, TableRow } from '../tables/table.ts';
import { startCounts, type ImportRun, type ReadCounts } from './import-run.ts';
import { stopIfHopeless } from './nothing-loaded.ts';
import { reject, RowRejection, type RowPosition } from './rejections.ts';
import type { Finding } from './checks/finding.ts';
import { openCheckedTable, surveyForms } from './open-checked-table.ts';
import type { ColumnForm } from './rows/column-forms.ts';
import type { CellOf } from './rows/mapping.ts';
import type { TableKind } from './rows/columns.ts';

/** A row read, and where it is, so that later steps can reject it. */
export interface RowAt<T> extends RowPosition {
  readonly value: T;
}

/** One pass over all files of an import, row by row. */
export interface Pass<T> extends ReadCounts {
  readonly batches: AsyncIterable<readonly RowAt<T>[]>;
}

/** A file opened for one pass. */
interface OpenedFile<Row, T> {
  readonly batches: AsyncIterable<readonly Row[]>;
  readonly unread: readonly string[];
  /** Throws a RowRejection for a row that cannot be used. */
  readonly read: (row: Row) => T;
  /** What the checks of the whole file have found in the rows read so far. */
  readonly findings?: () => readonly Finding[];
  /** Whether the file only describes columns of other files and so has no rows. */
  readonly isDescription?: boolean;
}

export type OpenFile<Row, T> = (path: string, onBytes: OnBytes) => Promise<OpenedFile<Row, T>>;

/** Rows between two reports of progress. */
const REPORT_ROWS = 500;

/** Reads all files row by row. Rows that the file's `read` rejects are logged and left out. */
export async function startPass<Row extends Pick<RowPosition, 'line'>, T>(
  run: ImportRun,
  step: string,
  open: OpenFile<Row, T>,
): Promise<Pass<T>> {
  const pass: Pass<T> = { ...(await startCounts(run)), batches: readFiles() };
  return pass;

  async function* readFiles(): AsyncGenerator<RowAt<T>[]> {
    const total = run.files.reduce((sum, file) => sum + file.bytes, 0);
    let bytesDone = 0;
    let reportedAt = 0;
    for (const { path } of run.files) {
      const file = await open(path, (bytes) => {
        bytesDone += bytes;
      });
      for (const name of file.unread) pass.unread.add(name);
      if (file.findings) pass.findings.push(file.findings);
      const before = pass.rowsRead;
      for await (const rows of file.batches) {
        pass.rowsRead += rows.length;
        yield readBatch(basename(path), rows, file.read);
        if (pass.rowsRead - reportedAt < REPORT_ROWS) continue;
        reportedAt = pass.rowsRead;
        run.deps.progress?.(step, Math.min(bytesDone, total), total);
        await pass.log.flush();
        await stopIfHopeless(run, pass);
      }
      if (pass.rowsRead === before && !file.isDescription) {
        throw usageError(`${path} has a header and no rows.`);
      }
    }
    run.deps.progress?.(step, total, total);
  }

  function readBatch(file: string, rows: readonly Row[], read: (row: Row) => T): RowAt<T>[] {
    const batch: RowAt<T>[] = [];
    for (const row of rows) {
      const { line } = row;
      try {
        batch.push({ file, line, value: read(row) });
      } catch (error) {
        if (!(error instanceof RowRejection)) throw error;
        pass.log.add({ file, line }, error);
      }
    }
    return batch;
  }
}

/** A table whose rows are as wide as its header; others are rejected. */
export function readTable<T>(
  { columns, batches }: Table,
  unread: readonly string[],
  read: (row: TableRow) => T,
): OpenedFile<TableRow, T> {
  return {
    batches,
    unread,
    read: (row) => {
      const width = row.cells.length;
      if (width === columns.length) return read(row);
      return reject('wrong_number_of_cells', null, `${width} instead of ${columns.length}`);
    },
  };
}

/**
 * Opens files with named columns, which are checked as a whole. The columns have the import's names or common other
 * names, or are given by a mapping or a publisher's format.
 */
export function openColumns<T>(run: ImportRun<TableKind>, read: (cell: CellOf) => T): OpenFile<TableRow, T> {
  const formsOf = new Map<string, ReadonlyMap<number, ColumnForm>>();
  return async (path, onBytes) => {
    const forms = formsOf.get(path) ?? (await surveyForms(path, run));
    formsOf.set(path, forms);
    const { table, unread, bind, check } = await openCheckedTable(path, run, forms, onBytes);
    const file = readTable(table, unread, (row) => {
      return read(check.add(bind(row), row));
    });
    return { ...file, findings: check.findings };
  };
}
