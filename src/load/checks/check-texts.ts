import type { CellOf } from '../rows/mapping.ts';
import { createFirstHouses, houseOf } from './first-houses.ts';
import {
  addZeros,
  createTally,
  doNotRead,
  isCommon,
  type Finding,
  type RowCheck,
  type Tally,
} from './finding.ts';

/**
 * UTF-8 read as Windows-1252 (`Ã©`, `â€™`), a lost character (`Jos?`), a character of HTML (`Jos&eacute;`), or one of
 * another code page: a control character, or a mark of Windows-1252 that follows a letter (`Jos‚` of DOS, `JosŽ` of Mac).
 */
// oxlint-disable-next-line no-control-regex
const GARBLED =
  /[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|\ufffd|[\u0080-\u009f]|\p{L}[?]\p{L}|&#?\w+;|\p{L}[¢¤¥¦§¨©¬¯±¶¸‚ƒ„†‡ˆ‰‹•˜›]|\p{Ll}[ŠŒŽŸ]/u;
/** Ids that a program has written as numbers: rounded, with decimals or with thousands separators. */
const NUMBER_ID = /^(\d(\.\d+)?e\+?\d+|\d{6,}\.0|\d{1,3}(,\d{3}){2,})$/i;
const TEXT_COLUMNS = ['address', 'city'];
const ID_COLUMNS = ['parcel_id', 'record_id'];
/** More rows than this share that share a parcel id with other houses mean that ids lost digits. */
const SHARED_SHARE = 0.2;
const LEAST_ROWS = 20;

/** Reads ids that a spreadsheet has rounded as unknown. */
export function withoutRoundedIds(cell: CellOf): CellOf {
  return (column) => {
    const text = cell(column);
    return ID_COLUMNS.includes(column) && NUMBER_ID.test(text.trim()) ? '' : text;
  };
}

/** Finds text in a wrong encoding, and ids that a spreadsheet has changed. */
export function createTextCheck(file: string, sourceOf: (column: string) => string) {
  const garbled = TEXT_COLUMNS.map((column) => ({ column, tally: createTally() }));
  const ids = ID_COLUMNS.map((column) => ({ column, rounded: createTally(), zeros: createZeroCheck() }));
  const shared = createTally();
  const firstHouses = createFirstHouses();
  let rows = 0;
  let parcelRows = 0;

  /** Returns the check that the row fails. */
  function add(cell: (column: string) => string, line: number): RowCheck | null {
    rows++;
    let failed: RowCheck | null = null;
    for (const { column, tally } of garbled) {
      const text = cell(column);
      if (!GARBLED.test(text)) continue;
      tally.add(text, line);
      failed = 'garbled_text';
    }
    for (const { column, rounded, zeros } of ids) {
      const text = cell(column).trim();
      zeros.add(text, line);
      if (!NUMBER_ID.test(text)) continue;
      rounded.add(text, line);
    }
    addParcel(cell('parcel_id'), cell('address'), line);
    return failed;
  }

  function addParcel(parcelId: string, address: string, line: number): void {
    const house = houseOf(address);
    if (parcelId === '' || house === undefined) return;
    parcelRows++;
    const other = firstHouses.otherAt(parcelId, house);
    if (other !== null) shared.add(`${parcelId}: ${other} and ${house}`, line);
  }

  function findings(): Finding[] {
    // Rounded ids are the cause of shared ones, and are reported first.
    const isExplained = ids.some(({ column, rounded }) => column === 'parcel_id' && rounded.count() > 0);
    const isShared = !isExplained && parcelRows >= LEAST_ROWS && shared.count() > SHARED_SHARE * parcelRows;
    const asText = (column: string): Pick<Finding, 'column' | 'remedy' | 'fixes' | 'isBlocking'> => ({
      column,
      remedy: `Export the file again with ${sourceOf(column)} as text, or do not read the column.`,
      fixes: [doNotRead(`Do not read "${sourceOf(column)}"`, column)],
      isBlocking: true,
    });
    return [
      ...garbled.flatMap(({ column, tally }) =>
        tally.finding({
          check: 'garbled_text',
          column,
          message: `${tally.count()} of ${rows} rows of ${file} have garbled characters in ${column}: the text was saved in a wrong encoding.`,
          remedy: 'Export the file again from its source as UTF-8.',
          isBlocking: isCommon(tally.count(), rows),
        }),
      ),
      ...ids.flatMap(({ column, rounded, zeros }) => [
        ...rounded.finding({
          ...asText(column),
          check: 'rounded_ids',
          message: `${rounded.count()} of ${rows} ids in ${column} of ${file} are written as numbers: they may have lost digits, so that different homes have the same id, or differ from the ids of parcels.`,
        }),
        ...zeros.findings(file, column, sourceOf(column)),
      ]),
      ...(isShared
        ? shared.finding({
            ...asText('parcel_id'),
            check: 'shared_parcel_ids',
            message: `${shared.count()} of ${parcelRows} rows of ${file} have the parcel_id of another house: the ids may have lost digits.`,
          })
        : []),
    ];
  }
  return { add, findings };
}

/** Ids of fewer digits are often numbered in order, and are shorter at first. */
const LEAST_DIGITS = 8;
/** At least this share of ids have all their digits: a tenth begins with a zero if first digits are even. */
const FULL_SHARE = 0.8;
/** Ids of this length are not numbered one after the other: 27% of Cook County's begin with 01 to 09. */
const LONG_ID = { digits: 12, fullShare: 0.6 };
/** Ids that lack more digits are other ids, such as 0 for none. */
const MOST_ZEROS = 4;

/** Finds ids of one length among which some are shorter: a spreadsheet has dropped their leading zeros. */
function createZeroCheck() {
  const byLength = new Map<number, Tally>();
  return {
    add(id: string, line: number): void {
      if (!/^[1-9]\d*$/.test(id)) return;
      const tally = byLength.get(id.length) ?? createTally();
      byLength.set(id.length, tally);
      tally.add(id, line);
    },
    findings(file: string, column: string, source: string): Finding[] {
      const [[digits, full] = [0, createTally()]] = [...byLength].sort((a, b) => b[1].count() - a[1].count());
      const shorter = [...byLength].filter(([length]) => length < digits && length >= digits - MOST_ZEROS);
      const count = shorter.reduce((sum, [, tally]) => sum + tally.count(), 0);
      const all = count + full.count();
      const share = digits >= LONG_ID.digits ? LONG_ID.fullShare : FULL_SHARE;
      if (count === 0 || digits < LEAST_DIGITS || all < LEAST_ROWS || full.count() < share * all) return [];
      return [
        {
          check: 'lost_zeros',
          column,
          count,
          message: `${count} of ${all} ids in ${column} of ${file} are shorter than the others, which have ${digits} digits: a spreadsheet may have dropped their leading zeros, so that they differ from those of other files.`,
          examples: shorter.flatMap(([, tally]) => tally.examples()).slice(0, 3),
          remedy: `Export the file again with ${source} as text, or add the zeros.`,
          fixes: [addZeros(column, source, digits)],
          isBlocking: isCommon(count, all),
        },
      ];
    },
  };
}
