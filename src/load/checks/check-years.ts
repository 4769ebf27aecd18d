import type { ColumnSource } from '../rows/column-source.ts';
import { createTally, type Finding, type Tally } from './finding.ts';

/** Before this year, hardly two homes of a county are recorded with the same one. */
const OLD_YEAR = 1850;
/** More homes of one old year than this share of the known years: it stands for an unknown one. */
const PLACEHOLDER_SHARE = 0.05;
const LEAST_ROWS = 10;

/** Finds a year such as 1800 that stands for an unknown year of construction. `readAs` says how a column is read. */
export function createYearCheck(
  file: string,
  sourceOf: (column: string) => string,
  readAs: (column: string) => ColumnSource,
) {
  const oldYears = new Map<string, Tally>();
  let known = 0;

  function add(text: string, line: number): void {
    if (!/^[12]\d{3}(\.0*)?$/.test(text)) return;
    known++;
    if (Number(text) >= OLD_YEAR) return;
    const tally = oldYears.get(text) ?? createTally();
    oldYears.set(text, tally);
    tally.add(text, line);
  }

  function findings(): Finding[] {
    const read = readAs('year_built');
    return [...oldYears].flatMap(([year, tally]) => {
      if (tally.count() < Math.max(LEAST_ROWS, PLACEHOLDER_SHARE * known)) return [];
      return tally.finding({
        check: 'placeholder_years',
        column: 'year_built',
        message: `${tally.count()} of ${known} years of ${file} are ${year}, which may stand for an unknown year.`,
        remedy: `Leave these cells of ${sourceOf('year_built')} empty, or read ${year} as unknown.`,
        fixes: [
          {
            label: `Read ${year} as unknown`,
            mapping: { year_built: { ...read, map: { ...read.map, [year]: '' } } },
          },
        ],
        isBlocking: true,
      });
    });
  }

  return { add, findings };
}
