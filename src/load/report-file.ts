import { writeFile } from 'node:fs/promises';
import type { ImportReport, RefusalCount } from './import-options.ts';
import type { ImportRun, PassCounts } from './import-run.ts';
import { writeReport } from './refusal-log.ts';

/** Writes the report of an import as JSON; of one that gave up (`report` null) what it had read. */
export async function writeReportFile(
  run: ImportRun,
  pass: PassCounts,
  report: ImportReport | null,
): Promise<void> {
  const { rejected, skipped } = { rejected: pass.log.count('rejected'), skipped: pass.log.count('skipped') };
  const body = {
    market_id: run.options.marketId,
    kind: run.kind,
    outcome: report === null ? 'nothing_loaded' : report.unchanged ? 'unchanged' : 'published',
    dataset_id: report?.datasetId ?? null,
    rows_read: pass.rowsRead,
    rows_loaded: report?.rowsLoaded ?? 0,
    rows_repeated: report?.rowsRepeated ?? 0,
    rows_kept: report?.rowsKept ?? 0,
    rows_total: report?.rowsTotal ?? null,
    rejected: countJson(rejected),
    skipped: countJson(skipped),
    refused_rows: rejected.total + skipped.total > 0 ? pass.log.path : null,
    unread_columns: [...pass.unread],
    flags: report?.flags ?? null,
    date_precision: report?.datePrecision ?? null,
    files: run.files,
    source: {
      name: run.source.name,
      license: run.source.license,
      retrieved_at: run.source.retrievedAt,
      options: run.source.options,
    },
    seconds: report?.seconds ?? null,
  };
  const path = `${run.reportStem}.json`;
  await writeReport(path, () => writeFile(path, `${JSON.stringify(body, null, 2)}\n`));
}

function countJson({ total, byReason }: RefusalCount): object {
  return { total, by_reason: byReason };
}
