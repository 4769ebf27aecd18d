import { knownCell, unknownCell, type CensusCell, type NullReason } from '../../domain/census/cell.ts';
import { reject } from '../rows/row-rejection.ts';

/** What the Bureau prints for one line of a table: a figure and its margin of error, each with its annotation. */
export interface PrintedFigure {
  readonly column: string;
  readonly estimate: string;
  /** "" where the file has no such column. */
  readonly estimateNote: string;
  readonly margin: string;
  readonly marginNote: string;
}

/**
 * Annotations of estimates and the numbers that stand for them (census.gov, ACS data notes: "-" no or too few sample
 * cases, "N" too few cases to show, "(X)" not applicable).
 */
const NO_ESTIMATE: Readonly<Record<string, NullReason>> = {
  '': 'not_published',
  null: 'not_published',
  '-': 'too_few_sample_cases',
  '-666666666': 'too_few_sample_cases',
  '**': 'too_few_sample_cases',
  '-222222222': 'too_few_sample_cases',
  N: 'suppressed',
  '-999999999': 'suppressed',
  '(X)': 'not_applicable',
  '-888888888': 'not_applicable',
};

/** "*****": the estimate is held to a known total, so that sampling adds no error to it. */
const CONTROLLED = new Set(['*****', '-555555555']);
/** "***": the median lies in an open-ended interval. */
const OPEN_INTERVAL = new Set(['***', '-333333333']);

const NUMBER = /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/;
/** -333333333 and the like stand for annotations; one that none of the above names is no figure. */
const CODE = /^-(\d)\1{8}$/;
const OPEN_ENDED = /^(\d+|\d{1,3}(?:,\d{3})+)([+-])$/;

/** Reads a figure; throws a RowRejection for text that is no figure and no annotation. */
export function readFigure(printed: PrintedFigure): CensusCell {
  // The Bureau: where there is an annotation, it stands in place of the number.
  const text = annotationOf(printed.estimateNote) ?? plainText(printed.estimate);
  const missing = NO_ESTIMATE[text];
  if (missing) return unknownCell(missing);
  const [, digits, sign] = OPEN_ENDED.exec(text) ?? [];
  if (digits !== undefined) return openEnded(numberOf(digits), sign === '+' ? 'at_least' : 'at_most');
  if (!NUMBER.test(text) || CODE.test(text)) return reject('not_a_census_figure', printed.column, text);
  const value = numberOf(text);
  const margin = annotationOf(printed.marginNote) ?? plainText(printed.margin);
  if (OPEN_INTERVAL.has(margin)) return openInterval(value);
  return knownCell(value, readMargin(margin, printed.column));
}

/**
 * Without its annotation, a median in an open-ended interval comes as the number next to the interval's end: 250001
 * for "250,000+", 2499 for "2,500-".
 */
function openInterval(value: number): CensusCell {
  if (value % 10 === 1) return openEnded(value - 1, 'at_least');
  if (value % 10 === 9) return openEnded(value + 1, 'at_most');
  return knownCell(value);
}

function openEnded(value: number, bound: 'at_least' | 'at_most'): CensusCell {
  return { value, marginOfError: null, nullReason: null, bound };
}

/** Null where there is none: too few cases to tell ("**"), not applicable, not given. */
function readMargin(text: string, column: string): number | null {
  if (CONTROLLED.has(text)) return 0;
  if (text === '**' || NO_ESTIMATE[text]) return null;
  const bare = text.replace(/^(\+\/-|±)/, '');
  if (!NUMBER.test(bare) || bare.startsWith('-')) return reject('not_a_margin_of_error', column, text);
  return numberOf(bare);
}

function annotationOf(text: string): string | null {
  const note = plainText(text);
  return note === '' || note === 'null' ? null : note;
}

/** API answers write whole numbers of some years as 250001.0. */
function plainText(text: string): string {
  return text.trim().replace(/^(-?\d+)\.0$/, '$1');
}

function numberOf(text: string): number {
  return Number(text.replaceAll(',', ''));
}
