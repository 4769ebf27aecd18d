import { isProtectedColumn, wordsOfName } from '../domain/protected-columns.ts';
import { isNumber } from '../valuation/model/feature-summary.ts';
import { openTableOf } from './open-table-of.ts';
import { isUnknown } from './rows/cell-values.ts';
import { sourcesOf, type Mapping } from './rows/column-source.ts';
import type { TableKind } from './rows/columns.ts';
import { readDate } from './rows/date-forms.ts';
import { chooseSources } from './rows/mapping.ts';

/** A column of a file that is not loaded as a feature, and why. */
interface RejectedColumn {
  readonly name: string;
  readonly reason: string;
}

/** Kinds of files whose columns may be features: sales, and parcels, which have the features of homes that never sold. */
export const CANDIDATE_KINDS: readonly TableKind[] = ['sales', 'parcels'];

export interface Candidates {
  readonly accepted: readonly string[];
  readonly rejected: readonly RejectedColumn[];
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** What a word of a column's name says about it. */
const BY_NAME: readonly (readonly [reason: string, names: ReadonlySet<string>])[] = [
  [
    'a price or another amount that follows the price',
    words(
      'price prices amount amt assessed assessment appraised appraisal market value values val valuation av tax taxes taxable ' +
        'consideration stamp stamps excise loan mortgage lien zestimate avm estimate estimated ppsf psf commission ' +
        'just jv assd asd fmv emv rmv fcv lpv exemption',
    ),
  ],
  [
    'about the sale or its parties, and unknown for a home that is valued',
    words(
      'sale sales sold deed grantor grantee buyer seller owner owners listing list contract transaction recorded recording dom ' +
        'qual qualified disqualified valid validity status',
    ),
  ],
  [
    'an identifier',
    words(
      'id ids apn pin parcel taxkey account folio uuid guid objectid fid name names url phone email doc document',
    ),
  ],
  [
    'a location, which coordinates describe better',
    words(
      'address addr zip zipcode postal city county state geom geometry lat lon lng latitude longitude easting northing x y',
    ),
  ],
  ['a date', words('date day month timestamp datetime')],
];

/** The same of names that run words together, such as FAIRMARKETTOTAL and SALEDESC. */
const WITHIN_NAME: readonly (readonly [reason: string, within: RegExp])[] = [
  [
    BY_NAME[0][0],
    /price|market|assess|(?<!cl)assd|apprais|taxable|zestimate|(county|local|school)(total|land|building)$/,
  ],
  [BY_NAME[1][0], /^(prev|prior|last)?(sale|sold)|^deed|grantor|grantee|^owner/],
];

/** An assessed value among the amounts that follow the price, and what else it is good for. */
const ASSESSED = {
  name: /assess|(?<!cl)assd|apprais/i,
  use: 'to compare it with the values of homes, value a file with this column under Batches in the console',
};

/** Columns known in a smaller share of the rows say too little. */
const LEAST_KNOWN = 0.2;
const IDENTIFIER_SHARE = 0.9;
const FREE_TEXT_SHARE = 0.2;
const FREE_TEXT_LENGTH = 25;
const MOST_CORRELATION = 0.9;
/**
 * Transfers in the family hide that a column follows the price: without the quarter of rows that differ most, assessed
 * values have 0.99, and the living areas of Ames, King County and Milwaukee 0.92, 0.89 and 0.82.
 */
const MOST_TRIMMED_CORRELATION = 0.97;
const TRIMMED_SHARE = 0.25;
const SAME_SHARE = 0.98;
/** Rows of each file that are examined. */
const MOST_ROWS = 20_000;

/** How files are read. */
interface CandidateFiles {
  readonly kind: TableKind;
  readonly mapping: Mapping;
  /** Features of the market's earlier imports, which need no proof by values. */
  readonly known?: readonly string[];
}

/**
 * The columns of files that may be features: those without a meaning of their own that every file has. Names and values
 * show which are identifiers, leak the price, describe people or say nothing.
 */
export async function findCandidates(files: readonly string[], reading: CandidateFiles): Promise<Candidates> {
  const found: Candidates[] = [];
  for (const path of files) found.push(await examineFile(path, reading));
  const lists = found.map(({ accepted }) => new Set(accepted.map((name) => name.toLowerCase())));
  const isEverywhere = (name: string): boolean => lists.every((list) => list.has(name.toLowerCase()));
  const rejected = new Map(found.flatMap((file) => file.rejected).map((column) => [column.name, column]));
  for (const name of found.flatMap((file) => file.accepted)) {
    if (!isEverywhere(name) && !rejected.has(name)) {
      rejected.set(name, { name, reason: 'not a candidate in every file' });
    }
  }
  return { accepted: (found[0]?.accepted ?? []).filter(isEverywhere), rejected: [...rejected.values()] };
}

async function examineFile(path: string, { kind, mapping, known = [] }: CandidateFiles): Promise<Candidates> {
  const { columns: header, batches, close } = await openTableOf(kind, path, () => {});
  const cells = header.map((): string[] => []);
  for await (const rows of batches) {
    for (const row of rows) header.forEach((_, at) => cells[at].push((row.cells[at] ?? '').trim()));
    if (cells.length === 0 || cells[0].length >= MOST_ROWS) break;
  }
  await close?.();
  const sources = chooseSources(kind, header, mapping);
  // A yes/no attribute keeps little of an area, such as that of the basement, so its column is a candidate, too.
  const whole = Object.entries(sources).filter(([column]) => !column.startsWith('has_'));
  const read = new Set(whole.flatMap(([, source]) => sourcesOf(source)).map((name) => name.toLowerCase()));
  const isRead = (name: string): boolean => read.has(name.toLowerCase());
  const priceAt = header.findIndex(
    (name) => name.toLowerCase() === sources.sale_price?.source?.toLowerCase(),
  );
  const readColumns = header.flatMap((name, at) => (isRead(name) ? [{ name, texts: cells[at] }] : []));
  const isKnown = new Set(known.map((name) => name.toLowerCase()));
  const accepted: string[] = [];
  const rejected: RejectedColumn[] = [];
  header.forEach((name, at) => {
    if (name === '' || isRead(name)) return;
    const reason =
      reasonByName(name) ??
      (isKnown.has(name.toLowerCase()) ? null : reasonByValues(cells[at], cells[priceAt] ?? [], readColumns));
    if (reason === null) accepted.push(name);
    else rejected.push({ name, reason });
  });
  return { accepted, rejected };
}

function reasonByName(name: string): string | null {
  if (isProtectedColumn(name)) return 'a protected characteristic of people';
  if (name.includes('$')) return BY_NAME[0][0];
  const own = wordsOfName(name);
  const byWord = BY_NAME.find(([, names]) => own.some((word) => names.has(word)));
  const within = own.length === 1 ? WITHIN_NAME.find(([, words]) => words.test(own[0])) : undefined;
  const reason = byWord?.[0] ?? within?.[0] ?? null;
  return reason === BY_NAME[0][0] && ASSESSED.name.test(name) ? `${reason}; ${ASSESSED.use}` : reason;
}

interface KnownColumn {
  readonly name: string;
  readonly texts: readonly string[];
}

function reasonByValues(
  texts: readonly string[],
  prices: readonly string[],
  known: readonly KnownColumn[],
): string | null {
  const rows = [...texts.keys()].filter((row) => !isUnknown(texts[row]));
  if (rows.length < LEAST_KNOWN * texts.length) return 'mostly empty';
  const distinct = new Set(rows.map((row) => texts[row]));
  if (distinct.size < 2) return 'the same in all rows';
  const values = rows.map((row) => texts[row]);
  const isNumeric = values.every(isNumber);
  const share = distinct.size / rows.length;
  const meanLength = values.reduce((sum, text) => sum + text.length, 0) / rows.length;
  if (share > IDENTIFIER_SHARE && (!isNumeric || meanLength >= 6))
    return 'an identifier: nearly all values differ';
  if (!isNumeric && share > FREE_TEXT_SHARE && meanLength > FREE_TEXT_LENGTH) return 'free text';
  if (!isNumeric && values.every((text) => readDate(text) !== null)) return 'a date';
  const twin = known.find((column) => {
    const same = rows.filter((row) => column.texts[row] === texts[row]).length;
    return same >= SAME_SHARE * rows.length;
  });
  if (twin) return `the same as ${twin.name}`;
  const priced = rows.filter((row) => isNumber(texts[row]) && numberOfPrice(prices[row]) > 0);
  if (priced.length < rows.length / 2) return null;
  const own = priced.map((row) => Number(texts[row]));
  const paid = priced.map((row) => numberOfPrice(prices[row]));
  return Math.abs(rankCorrelation(own, paid)) > MOST_CORRELATION ||
    trimmedCorrelation(own, paid) > MOST_TRIMMED_CORRELATION
    ? 'it follows the price more closely than a home can'
    : null;
}

function numberOfPrice(text: string | undefined): number {
  return Number((text ?? '').replaceAll(/[$,\s]/g, ''));
}

/** Spearman's: the correlation of ranks, equal values with their mean rank. */
function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const [ranksA, ranksB] = [ranksOf(a), ranksOf(b)];
  const middle = (a.length - 1) / 2;
  let [both, ofA, ofB] = [0, 0, 0];
  ranksA.forEach((rank, i) => {
    both += (rank - middle) * (ranksB[i] - middle);
    ofA += (rank - middle) ** 2;
    ofB += (ranksB[i] - middle) ** 2;
  });
  return ofA === 0 || ofB === 0 ? 0 : both / Math.sqrt(ofA * ofB);
}

/** The correlation of ranks without the rows whose ranks differ most. */
function trimmedCorrelation(a: readonly number[], b: readonly number[]): number {
  const [ranksA, ranksB] = [ranksOf(a), ranksOf(b)];
  const kept = [...a.keys()]
    .sort((i, j) => Math.abs(ranksA[i] - ranksB[i]) - Math.abs(ranksA[j] - ranksB[j]))
    .slice(0, Math.ceil((1 - TRIMMED_SHARE) * a.length));
  return rankCorrelation(
    kept.map((row) => a[row]),
    kept.map((row) => b[row]),
  );
}

function ranksOf(values: readonly number[]): Float64Array {
  const order = [...values.keys()].sort((i, j) => values[i] - values[j]);
  const ranks = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let until = from + 1;
    while (until < order.length && values[order[until]] === values[order[from]]) until++;
    for (let i = from; i < until; i++) ranks[order[i]] = (from + until - 1) / 2;
    from = until;
  }
  return ranks;
}
