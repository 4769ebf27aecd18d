import { NEIGHBORHOOD } from '../../domain/own-features.ts';
import { textAt } from '../../valuation/typed-columns.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';

/** What a sale's place is called, by row; '' where unknown. Local people know neighborhoods best. */
export interface LocalNames {
  readonly neighborhoodOf: (row: number) => string;
  readonly postalCodeOf: (row: number) => string;
  /** With the house number. */
  readonly streetOf: (row: number) => string;
}

/** The columns of a model have only the features that it uses, so that a neighborhood can be missing. */
export function localNamesOf(columns: SaleColumns): LocalNames {
  const neighborhoods = columns.features.find(({ name }) => NEIGHBORHOOD.test(name));
  return {
    neighborhoodOf: (row) => neighborhoods?.levels[neighborhoods.codes[row]] ?? '',
    postalCodeOf: (row) => textAt(columns.postalCode, row),
    streetOf: (row) => textAt(columns.street, row),
  };
}

/** House number (`12`, `12-14`, `12 1/2`) and unit. */
const NOT_THE_STREET = /^\d\S*\s+(\d+\/\d+\s+)?|\s*[,#].*$|\s+(apt|unit|ste|suite)\b.*$/gi;

/**
 * Names for areas that have none, by their rows: `Maple Grove`, `ZIP 53202 and 53211` or
 * `around N 35th St and W Center St`. Areas whose sales mostly have no such texts are left out.
 */
export function nameAreas<Id>(
  rowsOf: ReadonlyMap<Id, readonly number[]>,
  { neighborhoodOf, postalCodeOf, streetOf }: LocalNames,
): Map<Id, string> {
  const kinds = [
    { prefix: '', of: (row: number) => withoutCode(neighborhoodOf(row).replaceAll('_', ' ').trim()) },
    { prefix: 'ZIP ', of: (row: number) => postalCodeOf(row).slice(0, 5) },
    { prefix: 'around ', of: (row: number) => streetOf(row).replace(NOT_THE_STREET, '').trim() },
  ];
  const names = new Map<Id, string>();
  for (const { prefix, of } of kinds) {
    const counts = new Map([...rowsOf].map(([id, rows]) => [id, countTexts(rows.map(of))] as const));
    const totals = new Map<string, number>();
    for (const count of counts.values())
      for (const [text, n] of count) totals.set(text, (totals.get(text) ?? 0) + n);
    for (const [id, count] of counts) {
      if (!names.has(id) && 2 * (count.get('') ?? 0) < (rowsOf.get(id)?.length ?? 0))
        names.set(id, prefix + mainTexts(count, totals).join(' and '));
    }
  }
  return names;
}

/** A code such as 6982 is not a name. */
function withoutCode(text: string): string {
  return /\p{L}{3}/u.test(text) ? text : '';
}

function countTexts(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** The texts of most sales that few other areas have: a long street is in many areas and identifies none. */
function mainTexts(count: ReadonlyMap<string, number>, totals: ReadonlyMap<string, number>): string[] {
  const scored = [...count]
    .filter(([text]) => text !== '')
    .map(([text, n]) => ({ text, score: n ** 2 / (totals.get(text) ?? n) }))
    .sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1));
  return scored.filter(({ score }, at) => at < 2 && score >= scored[0].score / 2).map(({ text }) => text);
}
