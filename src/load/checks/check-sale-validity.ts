import { bareName } from '../../domain/column-headings.ts';
import { isNoHome, propertyTypeOf } from '../../domain/property-type-words.ts';
import { isUnknown } from '../rows/cell-values.ts';
import { doNotRead, type Finding, type Fix } from './finding.ts';

/** Words of assessors and listing services for transfers that are not sales on the market. */
const NOT_ON_MARKET =
  /^q\.?c\.?d?\.?$|real estate owned|\breo\b|bank owned|probate|love (and|&) affection|not (an? )?(open|arm)|non.?arm|non.?market|foreclos|^[\d\s-]*family\b|related|relative|quit ?claim|sheriff|tax deed|\bgift|invalid|unqualified|disqualified|multi.?parcel|multiple parcels|partial interest|bankrupt|nominal|short sale|\bestate|executor|deed in lieu|correct(ion|ive) deed|\babnorm|\brepo|government agency|charit|divorce/i;
/** Types of recorded documents that are no deeds: loans at their amount, and their release. */
const NO_DEED =
  /\bmortgages?\b|\bmtge?s?\b|deed of trust|trust deed|\bliens?\b|\brelease|satisfaction|lis pendens/i;
const ON_MARKET = /^(valid|qualified|market|normal|arm'?s'? ?length|open market|fair market)\b/i;

/** Names of columns of codes that say whether a sale is valid: `QUAL_CD1`, `SALECODE`. */
const CODED =
  /^(qualcd\d?|qualcode\d?|qual|qualificationcode|salesqualification|salecode|salecd|salevalidity|salesvalidity|validitycode|validcode|saleval|salevalcode|nalcode|reacd|salecondition)$/;
/** Names of columns about the sale. In others such words name places: "Oak Estates". */
const ABOUT_SALE =
  /sale|deed|transfer|transaction|convey|qual|valid|reason|instr|arms|exclu|reject|nal|listingcondition|^doc(ument)?(type|desc|class)/;
const OF_DOCUMENT = /doc|instr/;
/** Names of columns of yes and no in which yes means that the sale is not on the market. */
const FLAG =
  /^(is)?(foreclosures?|reo|foreclosurereo|bankowned|lenderowned|shortsale|distressed|distressedsale|interfamily|interfamilyrelated|related|relatedpart(y|ies)|familysale|partialinterest|quitclaim|auction)(sale|transfer)?(indicator|ind|flag|yn)?$/;
/** Of three flags, 26 combinations of values are mapped. */
const MAX_FLAGS = 3;
const YES = /^(y|yes|t|true|1)$/i;
/** Names of columns of the share that was sold, in percent. */
const SHARE_SOLD =
  /^(percent|pct|share)?(of)?(ownership|interest)(percent|pct|percentage)?(sold|conveyed|transferred|acquired)?(percent|pct|percentage)?$|^(percent|pct|percentage)(sold|conveyed|transferred|acquired)$/;
/** Names of reasons why sales are not used. Any value means that the sale is not. */
const REASONS =
  /^(nonusecode|nonuse|nonuse(reason|desc)|unqualifiedreason|exclusioncode|exclusionreason|rejectreason|invalidreason)$/;
/** `01`, `Q`, `30` */
const CODE = /^[a-z]?\d{0,2}[a-z]?$/i;

const MAX_VALUES = 60;
/** Rows that are looked at. */
const MAX_ROWS = 200_000;
/** A few such words may be the names of streets or people. */
const LEAST_SHARE = 0.005;
const LEAST_ROWS = 3;

interface Candidate {
  readonly name: string;
  readonly position: number;
  /** Whether its name says that it is about validity, and about the sale at all. */
  readonly isNamed: boolean;
  readonly isAboutSale: boolean;
  readonly counts: Map<string, number>;
  filled: number;
}

/**
 * Finds a column that says which sales are valid, if none is read: sales in the family and foreclosures would be used
 * at their price.
 */
export function createValidityCheck(file: string, header: readonly string[], unread: readonly string[]) {
  const candidates = unread.map((name): Candidate => {
    return {
      name,
      position: header.indexOf(name),
      isNamed: CODED.test(bareName(name)),
      isAboutSale: ABOUT_SALE.test(bareName(name)),
      counts: new Map(),
      filled: 0,
    };
  });
  let rows = 0;
  return {
    add(cells: readonly string[]): void {
      if (rows++ >= MAX_ROWS) return;
      for (const candidate of candidates) {
        const { counts } = candidate;
        if (counts.size > MAX_VALUES) continue;
        const text = (cells[candidate.position] ?? '').trim();
        if (isUnknown(text)) continue;
        candidate.filled++;
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
    },
    findings(): Finding[] {
      const few = candidates.filter(
        ({ counts }) => counts.size > 0 && counts.size <= MAX_VALUES && !areTypes(counts),
      );
      const reasons = few.find(({ name }) => REASONS.test(bareName(name)));
      if (reasons !== undefined) {
        const label = `Leave out sales with a value of "${reasons.name}"`;
        return [findingOf(reasons, [{ label, mapping: readAs(reasons.name, reasons.counts, () => false) }])];
      }
      const inWords = few
        .filter(({ isAboutSale }) => isAboutSale)
        .map((candidate) => ({ candidate, off: offMarket(candidate) }))
        .filter(({ off }) => off >= Math.max(LEAST_ROWS, LEAST_SHARE * rows))
        .sort((a, b) => Number(b.candidate.isNamed) - Number(a.candidate.isNamed) || b.off - a.off);
      if (inWords.length > 0) return [findingOf(inWords[0].candidate, [readWords(inWords[0].candidate)])];
      const flags = few.filter(isFlag).slice(0, MAX_FLAGS);
      if (flags.length > 0) return [findingOf(flags[0], [readFlags(flags)])];
      const shares = few.find(({ name, counts }) => SHARE_SOLD.test(bareName(name)) && areShares(counts));
      if (shares !== undefined) {
        const mapping = readAs(shares.name, shares.counts, (text) => percentOf(text) === 100);
        return [findingOf(shares, [{ label: 'Leave out sales of less than 100%', mapping }])];
      }
      const coded = few.find(
        ({ isNamed, counts }) =>
          isNamed && counts.size > 1 && [...counts.keys()].every((text) => CODE.test(text)),
      );
      return coded === undefined ? [] : [findingOf(coded, readCodes(coded))];
    },
  };

  function findingOf({ name, counts, filled }: Candidate, fixes: readonly Fix[]): Finding {
    const examples = frequentOf(counts).map(([text, count]) => `${text} in ${count} rows`);
    return {
      check: 'sale_validity',
      column: 'arms_length',
      count: filled,
      message: `"${name}" of ${file} may say which sales are valid, and is not read: sales in the family and other transfers below the market would be used at their price.`,
      examples: examples.slice(0, 3),
      remedy: `Read it as arms_length, with yes for valid sales and no for others. The publisher explains its values.`,
      fixes: [...fixes, doNotRead('It does not', 'arms_length')],
      isBlocking: true,
    };
  }
}

/** Whether all texts are shares of 100, of which some are less. */
function areShares(counts: ReadonlyMap<string, number>): boolean {
  const shares = [...counts.keys()].map(percentOf);
  return shares.every((share) => share > 0 && share <= 100) && shares.includes(100) && shares.length > 1;
}

const percentOf = (text: string): number => Number(text.replace('%', '') || NaN);

/** Types of homes such as "Single Family" are no reasons. */
function areTypes(counts: ReadonlyMap<string, number>): boolean {
  const types = [...counts.keys()].filter((text) => isNoHome(text) || propertyTypeOf(text, null) !== null);
  return types.length > counts.size / 2;
}

function frequentOf(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** Whether a text of a column names a transfer that is not a sale on the market. */
function isOffMarket(name: string, text: string): boolean {
  return NOT_ON_MARKET.test(text) || (OF_DOCUMENT.test(bareName(name)) && NO_DEED.test(text));
}

function offMarket({ name, counts }: Candidate): number {
  return [...counts].reduce((sum, [text, count]) => sum + (isOffMarket(name, text) ? count : 0), 0);
}

/** Whether a column of yes and no says of some sales that they are not on the market. */
function isFlag({ name, counts }: Candidate): boolean {
  return FLAG.test(bareName(name)) && counts.size <= 2 && [...counts.keys()].some((text) => YES.test(text));
}

/** All flags together: a sale is valid if none of them says yes. */
function readFlags(flags: readonly Candidate[]): Fix {
  const rows = flags.reduce<string[][]>(
    (before, { counts }) =>
      before.flatMap((texts) => [texts, ...[...counts.keys()].map((text) => [...texts, text])]),
    [[]],
  );
  const map = Object.fromEntries(
    rows
      .filter((texts) => texts.length > 0)
      .map((texts) => [texts.join(' '), texts.some((text) => YES.test(text)) ? 'no' : 'yes']),
  );
  const join = flags.map(({ name }) => name);
  return {
    label: `Leave out sales of which ${join.join(' or ')} says yes`,
    mapping: { arms_length: { join, map } },
  };
}

function readAs(
  name: string,
  counts: ReadonlyMap<string, number>,
  isValid: (text: string) => boolean,
): Fix['mapping'] {
  const map = Object.fromEntries([...counts.keys()].map((text) => [text, isValid(text) ? 'yes' : 'no']));
  return { arms_length: { source: name, map } };
}

/** If the words name valid sales, all others are invalid; otherwise those are that the words say. */
function readWords({ name, counts }: Candidate): Fix {
  const hasValid = [...counts.keys()].some((text) => ON_MARKET.test(text));
  const isValid = (text: string): boolean => (hasValid ? ON_MARKET.test(text) : !isOffMarket(name, text));
  const valid = [...counts.keys()].filter(isValid);
  const label = hasValid ? `Use only ${valid.join(', ')}` : `Leave out the transfers that "${name}" names`;
  return { label, mapping: readAs(name, counts, isValid) };
}

/** The most frequent codes are those of valid sales in most files; the publisher knows. */
function readCodes({ name, counts }: Candidate): Fix[] {
  const codes = frequentOf(counts).map(([text]) => text);
  const one: Fix = {
    label: `Use only ${codes[0]}`,
    mapping: readAs(name, counts, (text) => text === codes[0]),
  };
  if (codes.length < 3) return [one];
  const two: Fix = {
    label: `Use only ${codes[0]} and ${codes[1]}`,
    mapping: readAs(name, counts, (text) => text === codes[0] || text === codes[1]),
  };
  return [one, two];
}
