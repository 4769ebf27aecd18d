import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { fileBytes } from '../tables/open-table.ts';
import { readValues } from '../load/read-values.ts';
import { accuracyCsv, formatAccuracyTable, measureValues } from '../operations/studies/accuracy-study.ts';
import { printJson, printLine } from './print.ts';
import { openProgress } from './progress.ts';

interface AccuracyOptions {
  readonly values: string;
  readonly out?: string;
  readonly json?: boolean;
}

export function registerAccuracy(program: Command): void {
  program
    .command('accuracy')
    .description('measure anybody’s values against sale prices: a ratio study of a CSV or Parquet file')
    .requiredOption(
      '--values <file>',
      'columns value, sale_price, sale_date; also read: property_type, latitude, longitude, low, high (90 %), fsd',
    )
    .option('--out <folder>', 'also write report.json and cells.csv there')
    .option('--json', 'print the report as JSON')
    .action((options: AccuracyOptions) => accuracy(options));
}

async function accuracy(options: AccuracyOptions): Promise<void> {
  const progress = openProgress();
  try {
    const total = await fileBytes(options.values);
    let done = 0;
    const sales = await readValues(options.values, (bytes) => {
      done += bytes;
      progress.report('Reading values', done, total);
    });
    progress.report('Measuring', 0, null);
    const report = measureValues(basename(options.values), sales);
    progress.close();
    if (options.out !== undefined) {
      await mkdir(options.out, { recursive: true });
      await writeFile(join(options.out, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
      await pipeline(Readable.from(accuracyCsv(report)), createWriteStream(join(options.out, 'cells.csv')));
    }
    if (options.json) printJson(report);
    else printLine(formatAccuracyTable(report));
  } finally {
    progress.close();
  }
}
