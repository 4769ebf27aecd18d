import { bareName } from '../../domain/column-headings.ts';
import { isNoHome, propertyTypeOf } from '../../domain/property-type-words.ts';
import { createTally, unreadColumn, type Finding } from './finding.ts';

/** Columns with at least this share of known property types are types of homes. */
const TYPE_SHARE = 0.5;
/** Rows that are looked at. */
const MAX_ROWS = 10_000;
const MAX_EXAMPLES = 3;

/** Columns of a publisher's codes for types, such as 203 for a house of one story. */
const CODED =
  /^(class|propertyclass|propclass|classcode|usecode|landuse|landusecode|luc|luccode|doruc|dorcode|dorusecode|propertyusecode|propusecode|statecode|stateclass|propertytypecode|proptypecode|ptype|usecd)$/;
/** `203`, `0100`, `R1`, `2-05` */
const CODE = /^[a-z]{0,2}\d[\d-]{0,4}[a-z]?$/i;
/** Files of houses alone have few codes; more are parcels or ZIP codes. */
const CODES = { least: 2, most: 200 };

/**
 * Finds property types in a column that is not read, or codes that may be types. Without types, condominiums and mobile
 * homes would be loaded as houses, and shops too. `readFrom` is the column of types that is read: another is reported if
 * it distinguishes more types.
 */
export function createTypeCheck(
  file: string,
  header: readonly string[],
  unread: readonly string[],
  readFrom: string | null = null,
) {
  const candidateOf = (name: string) => ({
    name,
    position: header.findIndex((other) => other.toLowerCase() === name.toLowerCase()),
    known: 0,
    filled: 0,
    words: new Set<string>(),
    types: new Set<string>(),
    codes: new Map<string, number>(),
    coded: 0,
  });
  const candidates = unread.map(candidateOf);
  const current = readFrom === null ? null : candidateOf(readFrom);
  let rows = 0;
  return {
    add(cells: readonly string[]): void {
      if (rows++ >= MAX_ROWS) return;
      for (const candidate of current === null ? candidates : [...candidates, current]) {
        const text = (cells[candidate.position] ?? '').trim();
        if (text === '') continue;
        candidate.filled++;
        if (CODE.test(text)) {
          candidate.coded++;
          if (candidate.codes.size <= CODES.most)
            candidate.codes.set(text, (candidate.codes.get(text) ?? 0) + 1);
        }
        const type = isNoHome(text) ? 'none' : propertyTypeOf(text, null);
        if (type === null) continue;
        candidate.known++;
        const isNew = !candidate.types.has(type);
        candidate.types.add(type);
        if (isNew && candidate.words.size < MAX_EXAMPLES) candidate.words.add(text);
      }
    },
    findings(): Finding[] {
      const [best] = candidates
        .filter(({ known, filled, types }) => known > 0 && known >= TYPE_SHARE * filled && homes(types) > 0)
        .sort((a, b) => homes(b.types) - homes(a.types) || b.known - a.known);
      if (current !== null) {
        const isFiner = best !== undefined && homes(best.types) > 1 && homes(current.types) <= 1;
        if (!isFiner || current.known === 0) return [];
        const found = unreadColumn(file, 'property_type', [best.name]);
        const message = `"${current.name}" of ${file} has one type of homes, and "${best.name}" distinguishes ${homes(best.types)}: condominiums and other types would be loaded as one.`;
        return [{ ...found, message, count: best.known, examples: [...best.words], isBlocking: true }];
      }
      if (best) {
        return [
          {
            ...unreadColumn(file, 'property_type', [best.name]),
            count: best.known,
            examples: [...best.words],
            isBlocking: best.types.size > 1,
          },
        ];
      }
      return codedTypes();
    },
  };

  function codedTypes(): Finding[] {
    const coded = candidates.find(
      ({ name, codes, coded: count, filled }) =>
        CODED.test(bareName(name)) &&
        codes.size >= CODES.least &&
        codes.size <= CODES.most &&
        count >= TYPE_SHARE * filled,
    );
    if (coded === undefined) return [];
    const tally = createTally();
    const frequent = [...coded.codes].sort((a, b) => b[1] - a[1]);
    for (const [code, count] of frequent) tally.add(`${code} in ${count} rows`);
    return [
      {
        ...unreadColumn(file, 'property_type', [coded.name]),
        message: `No column of ${file} is read as property_type, but the codes of "${coded.name}" may be types: every row would be loaded as a house, also condominiums, land and shops.`,
        count: coded.coded,
        examples: tally.examples(),
        remedy: `Look up the codes at the publisher, and give each its type: in the console after reading the column, or in a mapping such as {"property_type": {"source": "${coded.name}", "map": {"CODE": "condos"}}}.`,
        isBlocking: true,
      },
    ];
  }
}

/** Types of homes among what was found. */
function homes(types: ReadonlySet<string>): number {
  return types.size - (types.has('none') ? 1 : 0);
}
