import type { ImportInspection } from '../../api/imports.ts';
import type { FileChoices } from './file-choices.ts';
import { decideText, openChecks } from './findings.tsx';

/** More invalid rows than this share are loaded only if the user says so. */
const USUAL_INVALID = 0.05;

/** The invalid rows of a file, and whether they are more than usual. */
export function invalidRows({ rejections, usable_rows: usable }: ImportInspection) {
  const count = rejections.reduce((sum, { is_skipped, count: rows }) => sum + (is_skipped ? 0 : rows), 0);
  const share = count / Math.max(1, count + usable);
  return { count, share, isTooMany: share > USUAL_INVALID };
}

export function unplacedRows({ rejections }: ImportInspection): number {
  return rejections.find(({ reason }) => reason === 'not_located')?.count ?? 0;
}

/** Whether the user enters when the figures of a price index were published. */
export function needsDays({ kind, mapping }: ImportInspection): boolean {
  return kind === 'index' && !/"(hpi_flavor|published_date)"/.test(mapping);
}

/** What the user must decide before a file can be loaded, as sentences. */
export function openDecisions(inspection: ImportInspection, choices: FileChoices): string[] {
  const { findings, places, usable_rows: usable } = inspection;
  const { decisions, leavesOut, place, days } = choices;
  const decide = decideText(openChecks(findings, decisions));
  return [
    ...(decide === null ? [] : [decide]),
    ...(invalidRows(inspection).isTooMany && !leavesOut ? ['Decide about the invalid rows.'] : []),
    ...(places.length > 1 && place === '' ? ['Choose the place.'] : []),
    ...(needsDays(inspection) && !/^\d{1,3}$/.test(days) ? ['Enter the days to publication.'] : []),
    ...(usable === 0 ? [unplacedRows(inspection) > 0 ? 'No row has a place.' : 'No row can be read.'] : []),
  ];
}
