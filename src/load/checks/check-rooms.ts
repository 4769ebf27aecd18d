import type { ColumnSource } from '../rows/column-source.ts';
import { createTally, type Finding, type Fix, type Tally } from './finding.ts';

/** `2.1` is two full baths and one half, `2.2` two full and two half. */
const HALF_BATHS = Object.fromEntries(
  Array.from({ length: 10 }, (_, full) => full).flatMap((full) =>
    [1, 2, 3].map((half) => [`${full}.${half}`, String(full + half / 2)]),
  ),
);
/** `21` is two full baths and one half. */
const TWO_DIGITS = /^[1-9][0-3]$/;
const TWO_DIGITS_SHARE = 0.9;
const FULL_THEN_HALF = Object.fromEntries(
  Object.entries(HALF_BATHS)
    .filter(([text]) => !text.startsWith('0'))
    .map(([text, baths]) => [text.replace('.', ''), baths]),
);
const FULL_BATHS = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i + 1}0`, String(i + 1)]));

/** A home of this size has a bedroom and a bath: 0 stands for an unknown number. */
const LEAST_SQFT_WITH_ROOMS = 1000;
const ZERO = /^0(\.0{1,2})?$/;
const NO_ROOMS = { '0': '', '0.0': '', '0.00': '' };
/** Fewer zeros are errors of their rows: 3% of Milwaukee's raw sales of 2020. */
const ZERO_SHARE = 0.05;
const FULL_AND_HALF = /^\d{1,2}\s*[/|]\s*\d{1,2}$/;
/** Fewer rows show nothing. */
const LEAST_ROWS = 10;

/** Finds what is wrong with numbers of rooms. `readAs` says how a column is read. */
export function createRoomCheck(
  file: string,
  sourceOf: (column: string) => string,
  readAs: (column: string) => ColumnSource,
) {
  const baths = createBathCheck(file, sourceOf);
  const zeros = createZeroCheck(file, sourceOf, readAs);
  return {
    /** `houseSqft` is the living area of a house; 0 or NaN if that is unknown, and for other homes. */
    add(cell: (column: string) => string, houseSqft: number, line: number): void {
      if (houseSqft >= LEAST_SQFT_WITH_ROOMS) zeros.add(cell, line);
      baths.add(cell('bathrooms').trim(), line);
    },
    findings: (): Finding[] => [...baths.findings(), ...zeros.findings()],
  };
}

/** Finds 0 for an unknown number of rooms in large houses, with which homes would be compared to studios. */
function createZeroCheck(
  file: string,
  sourceOf: (column: string) => string,
  readAs: (column: string) => ColumnSource,
) {
  const zeros = ['bedrooms', 'bathrooms'].map((column) => ({ column, tally: createTally() }));
  let houses = 0;

  function add(cell: (column: string) => string, line: number): void {
    houses++;
    for (const { column, tally } of zeros) if (ZERO.test(cell(column).trim())) tally.add(cell(column), line);
  }

  function findings(): Finding[] {
    return zeros.flatMap(({ column, tally }) => {
      if (tally.count() < Math.max(LEAST_ROWS / 2, ZERO_SHARE * houses)) return [];
      const source = sourceOf(column);
      return tally.finding({
        check: 'zero_rooms',
        column,
        message: `${tally.count()} of ${houses} houses of ${LEAST_SQFT_WITH_ROOMS} sqft or more in ${file} have 0 ${column}: 0 may stand for an unknown number.`,
        remedy: `Leave these cells of ${source} empty, or read 0 as unknown.`,
        fixes: [{ label: 'Read 0 as unknown', mapping: { [column]: { ...readAs(column), map: NO_ROOMS } } }],
        isBlocking: true,
      });
    });
  }

  return { add, findings };
}

/** Finds baths such as 2.1 or 21 for two full and one half, and 1/2 next to numbers. */
function createBathCheck(file: string, sourceOf: (column: string) => string) {
  const [halves, fractions, twoDigits] = [createTally(), createTally(), createTally()];
  let hasHalfDigit = false;
  let baths = 0;
  let fullAndHalf = 0;

  function add(text: string, line: number): void {
    if (text === '') return;
    baths++;
    if (/^\d\.[1-3]0?$/.test(text)) halves.add(text, line);
    if (TWO_DIGITS.test(text)) {
      twoDigits.add(text, line);
      hasHalfDigit ||= !text.endsWith('0');
    }
    if (!FULL_AND_HALF.test(text)) return;
    fullAndHalf++;
    if (/^1\s*\/\s*2$/.test(text)) fractions.add(text, line);
  }

  function findings(): Finding[] {
    const found = (tally: Tally, what: string, ...fixes: Fix[]): Finding[] =>
      tally.finding({
        check: 'bath_notation',
        column: 'bathrooms',
        message: `The baths of ${file} ${what}.`,
        remedy: 'Give baths as numbers such as 2.5, or choose how they are read.',
        fixes,
        isBlocking: true,
      });
    const read = (label: string, map: Readonly<Record<string, string>>): Fix => ({
      label,
      mapping: { bathrooms: { source: sourceOf('bathrooms'), map } },
    });
    return [
      ...(halves.count() >= 0.03 * baths
        ? found(
            halves,
            'seem to be written as full.half: 2.1 for two full and one half, which is 2.5',
            read('Read 2.1 as two full and one half', HALF_BATHS),
          )
        : []),
      ...(baths >= LEAST_ROWS && twoDigits.count() >= TWO_DIGITS_SHARE * baths && hasHalfDigit
        ? found(
            twoDigits,
            'seem to be written as two digits: 21 for two full and one half, which is 2.5',
            read('Read 21 as two full and one half', { ...FULL_BATHS, ...FULL_THEN_HALF }),
          )
        : []),
      ...(fullAndHalf < baths
        ? found(
            fractions,
            'have 1/2 next to numbers: it may be half a bath, or one full and two half baths',
            read('Read 1/2 as half a bath', { '1/2': '0.5' }),
            read('Read 1/2 as one full and two half', { '1/2': '2' }),
          )
        : []),
    ];
  }

  return { add, findings };
}
