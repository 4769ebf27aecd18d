import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { dayOfInstant } from '../domain/day.ts';
import { formatCount } from '../domain/display-format.ts';
import { usageError } from '../errors.ts';
import { describeFinding } from '../load/checks/finding.ts';
import { FORMATS, MAX_REJECTS, type Format } from '../load/import-options.ts';
import { describeFormat } from '../load/describe-format.ts';
import { helpWithMapping } from '../load/rejection-help.ts';
import { INSPECTED_KINDS } from '../load/rows/columns.ts';
import { inspectFile, type Inspection, type InspectOptions } from '../load/inspect-file.ts';
import { ROWS_OF } from './import.ts';
import { choiceOption, listArgument, type JsonOption } from './options.ts';
import { printResult, tableText } from './print.ts';

interface CommandOptions extends JsonOption {
  readonly kind: InspectOptions['kind'];
  readonly mapping?: string;
  readonly format?: Format;
  readonly feature?: readonly string[];
}

export function registerInspect(program: Command): void {
  program
    .command('inspect')
    .argument('<file>', 'the file to inspect; nothing is written')
    .addOption(choiceOption('--kind <kind>', 'what its rows are', INSPECTED_KINDS).default('sales'))
    .option('--mapping <file>', 'JSON that maps your columns to known columns')
    .addOption(choiceOption('--format <name>', 'a publisher’s own layout', FORMATS))
    .option(
      '--feature <columns...>',
      'columns to keep as features of your own; repeat or separate by commas',
      listArgument,
    )
    .action(async (file: string, { kind, mapping, format, feature, json }: CommandOptions) => {
      const today = dayOfInstant(systemClock());
      const inspection = await inspectFile(file, {
        kind,
        mapping,
        format,
        features: feature ?? 'all',
        today,
      });
      const { unplaced, ...shown } = inspection;
      printResult(
        { json },
        { ...shown, unplacedRows: unplaced.length },
        describeInspection(inspection, mapping),
      );
      const hindrance = hindranceOf(inspection);
      if (hindrance !== null) throw usageError(`An import would load nothing: ${hindrance}`);
    });
}

/** The inspection as text: what the file is, its columns, the mapping to save, and what is wrong. */
function describeInspection(inspection: Inspection, mappingFile: string | undefined): string {
  const { file, kind, rows, usableRows, repeatedRows, unplaced, columns, mapping } = inspection;
  const { findings, rejections, places, problem } = inspection;
  const sections = [
    `${file}: ${describeFormat(inspection)}`,
    tableText([
      ['Column', 'Read as', 'Feature', 'Samples'],
      ...columns.map(({ name, readAs, form, isCandidate, noFeatureReason, samples }) => [
        name,
        `${readAs.join(', ') || '-'}${form ? ` (${form})` : ''}`,
        isCandidate ? 'candidate' : noFeatureReason === null ? '-' : `no: ${noFeatureReason}`,
        samples.join(' | '),
      ]),
    ]),
    `Mapping, to save and correct as a file for --mapping:\n${JSON.stringify(mapping, null, 2)}`,
  ];
  if (findings.length > 0) sections.push(`Checks:\n${findings.map(describeFinding).join('\n')}`);
  if (rejections.length > 0) {
    const lines = rejections.map(({ reason, column, count, examples }) => {
      const where = column === null ? '' : ` in ${column}`;
      return `${reason}${where}: ${count}, such as ${examples.join('; ')}. ${helpWithMapping(reason)}`.trim();
    });
    sections.push(`Rows that would be left out:\n${lines.join('\n')}`);
  }
  if (places.length > 1) {
    const lines = places.map(({ id, name }) => `  ${id} ${name}`.trimEnd());
    sections.push(`Places, of which --cbsa chooses one:\n${lines.join('\n')}`);
  }
  if (problem === null && kind !== 'index' && !('latitude' in mapping)) {
    sections.push(
      `The file has no coordinates. Import parcels or addresses of the market first: they locate its ${kind}.`,
    );
  }
  sections.push(
    `${formatCount(usableRows)} of ${formatCount(rows)} ${ROWS_OF[kind] ?? kind} can be read.` +
      (repeatedRows > 0 ? ` ${formatCount(repeatedRows)} repeat an earlier row.` : '') +
      (unplaced.length > 0
        ? ` ${formatCount(unplaced.length)} have no coordinates: parcels or addresses of the market must place them.`
        : ''),
  );
  if (hindranceOf(inspection) === null) {
    const place = places.length > 1 ? ' --cbsa <code>' : '';
    const mapped = mappingFile ? ` --mapping ${mappingFile}` : '';
    sections.push(`Import them: plumbline import ${kind} ${file} --market <id>${place}${mapped}`);
  }
  return sections.join('\n\n');
}

/** Why an import of the file would load nothing; null if it would. */
function hindranceOf({ usableRows, findings, rejections, problem }: Inspection): string | null {
  if (problem !== null) return problem;
  const rejected = rejections.reduce((sum, { kind, count }) => sum + (kind === 'rejected' ? count : 0), 0);
  const share = rejected / Math.max(1, rejected + usableRows);
  if (usableRows === 0) return 'no row can be read.';
  if (share > MAX_REJECTS) return `${(100 * share).toFixed(1)}% of the rows are invalid (--max-rejects).`;
  return findings.some(({ isBlocking }) => isBlocking) ? 'resolve or accept the checks above first.' : null;
}
