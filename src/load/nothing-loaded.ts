import { PlumblineError } from '../errors.ts';
import { describeFinding, sayFinding, type Finding } from './checks/finding.ts';
import { MAX_REJECTS } from './import-options.ts';
import { findingsOf, writeReportFile, type ImportRun, type ReadCounts } from './import-run.ts';
import { helpInConsole, helpWithMapping } from './rejection-help.ts';

/** The end of an import that loads nothing because of what the rows contain. */
export class NothingLoaded extends PlumblineError {
  /** The same without paths, mappings and options of the command line. The console offers what replaces them. */
  readonly inConsole: string;

  constructor(atCommandLine: string, inConsole: string) {
    super('usage', atCommandLine);
    this.inConsole = inConsole;
  }
}

/** An import stops after this many rejected rows if less than this share of the rows so far is usable. */
const HOPELESS_ROWS = 10_000;
const HOPELESS_SHARE = 0.01;

/** Stops an import early if nearly every row is rejected: a wrong file of millions of rows would be read for minutes. */
export async function stopIfHopeless(run: ImportRun, counts: ReadCounts): Promise<void> {
  const { log, rowsRead } = counts;
  const rejected = log.count('rejected').total;
  if (rejected < HOPELESS_ROWS) return;
  const share = rejected / (rowsRead - log.count('skipped').total);
  if (share <= 1 - HOPELESS_SHARE || share <= (run.options.maxRejects ?? MAX_REJECTS)) return;
  await giveUp(
    run,
    counts,
    `The import stopped early: ${rejected} of the first ${rowsRead} rows could not be read`,
    '. Nothing was loaded.',
    ` See ${log.path}, which lists the first rejected rows.`,
  );
}

/**
 * Ends the import, with nothing loaded, if too many rows were rejected, no row was valid, or a check of a file failed.
 * `advice` is for rows without a location.
 */
export async function checkRejects(
  run: ImportRun,
  counts: ReadCounts,
  valid: number,
  advice = '',
): Promise<void> {
  const { log, rowsRead } = counts;
  await log.flush();
  const { total: rejected, byReason } = log.count('rejected');
  const most = run.options.maxRejects ?? MAX_REJECTS;
  const share = rejected / Math.max(1, rejected + valid);
  if (share <= most && valid > 0) return checkFindings(run, counts);
  const skipped = log.count('skipped').total;
  const isAllSkipped = rejected === 0 && skipped > 0;
  const what = isAllSkipped
    ? `None of the ${rowsRead} rows is to be imported`
    : `${rejected} of ${rowsRead} rows (${(share * 100).toFixed(1)} %) could not be read`;
  await giveUp(
    run,
    counts,
    what,
    `${skipped > 0 && !isAllSkipped ? `; ${skipped} were skipped` : ''}. Nothing was loaded. ${byReason.not_located ? advice : ''}`.trimEnd(),
    ` See ${log.path}${share > most && valid > 0 ? '; --max-rejects sets the share that is allowed' : ''}.`,
  );
}

/** Ends the import, with nothing loaded, if a check has failed that the operator did not accept. */
export async function checkFindings(
  run: ImportRun,
  counts: ReadCounts,
  further: readonly Finding[] = [],
): Promise<void> {
  const found = [...findingsOf(counts), ...further];
  // Frees what the checks remember of the rows.
  counts.findings.splice(0, counts.findings.length, () => found);
  const failed = found.filter(({ check, isBlocking }) => isBlocking && !run.options.accept?.includes(check));
  if (failed.length === 0) return;
  await writeReportFile(run, counts, null);
  const described = failed.map(describeFinding).join('\n');
  throw new NothingLoaded(
    `Nothing was loaded. ${described}`,
    ['Nothing was loaded.', ...failed.map(sayFinding)].join(' '),
  );
}

/** @param atCommandLine what only a user of the command line can open or give */
async function giveUp(
  run: ImportRun,
  counts: ReadCounts,
  what: string,
  advice: string,
  atCommandLine: string,
): Promise<never> {
  await writeReportFile(run, counts, null);
  const causes = findingsOf(counts).filter(({ isBlocking }) => isBlocking);
  const textWith = (help: (reason: string) => string): string => {
    const why = counts.log.commonest(help);
    return `${what}${why ? `, most often ${why}` : ''}${advice}`;
  };
  const lines = [`${textWith(helpWithMapping)}${atCommandLine}`, ...causes.map(describeFinding)];
  throw new NothingLoaded(lines.join('\n'), [textWith(helpInConsole), ...causes.map(sayFinding)].join(' '));
}
