import { basename } from 'node:path';
import type { Command } from 'commander';
import { readValues } from '../load/read-values.ts';
import { accuracyCsv, formatAccuracyTable, measureValues } from '../operations/studies/accuracy-study.ts';
import { fileBytes } from '../tables/open-table.ts';
import { createReportFolder, writeReport } from './backtest.ts';
import type { JsonOption } from './options.ts';
import { printResult } from './print.ts';
import { withProgress } from './progress.ts';

interface AccuracyOptions extends JsonOption {
  readonly values: string;
  readonly out?: string;
}

export function registerAccuracy(program: Command): void {
  program
    .command('accuracy')
    .requiredOption(
      '--values <file>',
      'columns value, sale_price, sale_date; optional: property_type, latitude, longitude, low, high (90%), fsd',
    )
    .option('--out <folder>', 'also write report.json and cells.csv there')
    .action(accuracy);
}

async function accuracy({ values, out, ...options }: AccuracyOptions): Promise<void> {
  if (out !== undefined) createReportFolder(out);
  const report = await withProgress(async (show) => {
    const total = await fileBytes(values);
    let done = 0;
    const sales = await readValues(values, (bytes) => {
      done += bytes;
      show('Reading values', done, total);
    });
    show('Measuring', 0, null);
    return measureValues(basename(values), sales);
  });
  if (out !== undefined) await writeReport(out, report, 'cells.csv', accuracyCsv(report));
  printResult(options, report, formatAccuracyTable(report));
}
