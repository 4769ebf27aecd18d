import { createTally, isCommon, type Finding, type Fix, type RowCheck } from './finding.ts';

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
/** Parcels remembered, with the first house number of each. */
const MAX_PARCELS = 500_000;
/** More rows than this share that share a parcel id with other houses mean that ids lost digits. */
const SHARED_SHARE = 0.2;
const LEAST_ROWS = 20;

/** Finds text in a wrong encoding, and ids that a spreadsheet has rounded. */
export function createTextCheck(file: string, sourceOf: (column: string) => string) {
  const garbled = new Map(TEXT_COLUMNS.map((column) => [column, createTally()]));
  const rounded = new Map(['parcel_id', 'record_id'].map((column) => [column, createTally()]));
  const shared = createTally();
  const houses = new Map<string, string>();
  let rows = 0;
  let parcelRows = 0;

  /** Returns the check that the row fails. */
  function add(cell: (column: string) => string, line: number): RowCheck | null {
    rows++;
    let failed: RowCheck | null = null;
    for (const [column, tally] of garbled) {
      const text = cell(column);
      if (!GARBLED.test(text)) continue;
      tally.add(text, line);
      failed = 'garbled_text';
    }
    for (const [column, tally] of rounded) {
      const text = cell(column);
      if (!NUMBER_ID.test(text.trim())) continue;
      tally.add(text, line);
      failed = 'rounded_ids';
    }
    addParcel(cell('parcel_id'), cell('address'), line);
    return failed;
  }

  function addParcel(parcelId: string, address: string, line: number): void {
    const [house] = /^\s*\d+/.exec(address) ?? [];
    if (parcelId === '' || house === undefined) return;
    parcelRows++;
    const earlier = houses.get(parcelId);
    if (earlier !== undefined && earlier !== house) shared.add(`${parcelId}: ${earlier} and ${house}`, line);
    if (earlier === undefined && houses.size < MAX_PARCELS) houses.set(parcelId, house);
  }

  function findings(): Finding[] {
    const found: Finding[] = [];
    for (const [column, tally] of garbled) {
      if (tally.count() === 0) continue;
      found.push({
        check: 'garbled_text',
        column,
        count: tally.count(),
        message: `${tally.count()} of ${rows} rows of ${file} have garbled characters in ${column}: the text was saved in a wrong encoding.`,
        examples: tally.examples(),
        remedy: 'Export the file again from its source as UTF-8.',
        isBlocking: isCommon(tally.count(), rows),
      });
    }
    for (const [column, tally] of rounded) {
      if (tally.count() === 0) continue;
      found.push({
        check: 'rounded_ids',
        column,
        count: tally.count(),
        message: `${tally.count()} of ${rows} ids in ${column} of ${file} are written as numbers: they may have lost digits, so that different homes have the same id, or differ from the ids of parcels.`,
        examples: tally.examples(),
        remedy: `Export the file again with ${sourceOf(column)} as text, or do not read the column: {"${column}": {"const": null}}.`,
        fixes: [doNotRead(column, sourceOf(column))],
        isBlocking: true,
      });
    }
    // Rounded ids are the cause, and are reported above.
    const isExplained = (rounded.get('parcel_id')?.count() ?? 0) > 0;
    if (!isExplained && parcelRows >= LEAST_ROWS && shared.count() > SHARED_SHARE * parcelRows) {
      found.push({
        check: 'shared_parcel_ids',
        column: 'parcel_id',
        count: shared.count(),
        message: `${shared.count()} of ${parcelRows} rows of ${file} have the parcel_id of another house: the ids may have lost digits.`,
        examples: shared.examples(),
        remedy: `Export the file again with ${sourceOf('parcel_id')} as text, or do not read the column: {"parcel_id": {"const": null}}.`,
        fixes: [doNotRead('parcel_id', sourceOf('parcel_id'))],
        isBlocking: true,
      });
    }
    return found;
  }
  return { add, findings };
}

function doNotRead(column: string, source: string): Fix {
  return { label: `Do not read "${source}"`, mapping: { [column]: { const: '' } } };
}
