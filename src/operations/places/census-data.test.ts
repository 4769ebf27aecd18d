import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { knownCell, percentageOf } from '../../domain/census/cell.ts';
import type { CensusTable } from '../../domain/census/census-table.ts';
import { openPlaces } from '../../places/open-places.ts';
import { publishCensusTables } from '../../../test/harness/places/census-places.ts';
import { currentDatasets } from '../../store/datasets.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { censusFigures, type CensusSelection } from './census-data.ts';
import { censusCreditsMax } from './census-variables.ts';

const GEOIDS = ['53033000100', '53033000200', '53061000100'];
const YEARS = [2019, 2021, 2023];
/** Loaded lines by table. B25003 has shares of 001E, B19013 has none. */
const LINES: Record<string, string[]> = { B25003: ['001E', '002E', '003E'], B19013: ['001E'] };
const KEYS = [
  'B25003_001E',
  'B25003_002E',
  'B25003_002E_pct',
  'B25003_003E',
  'B25003_003E_pct',
  'B19013_001E',
];

/** Each area, year and table is loaded by one or both of two markets, each with its own figures. */
const loaded = fc.uniqueArray(
  fc.record({
    market: fc.constantFrom(0, 1),
    geoid: fc.constantFrom(...GEOIDS),
    year: fc.constantFrom(...YEARS),
    tableId: fc.constantFrom(...Object.keys(LINES)),
    figure: fc.integer({ min: 1, max: 999 }),
  }),
  { selector: ({ market, geoid, year, tableId }) => `${market} ${geoid} ${year} ${tableId}`, maxLength: 20 },
);
type Loaded = typeof loaded extends fc.Arbitrary<infer Rows> ? Rows : never;
const someOf = (values: readonly string[]) => fc.option(fc.subarray([...values], { minLength: 1 }));
const selections = fc.record({
  years: fc.option(fc.subarray(YEARS, { minLength: 1 })),
  keys: someOf(KEYS),
  categories: someOf(['housing', 'income']),
});

function tableOf({ geoid, year, tableId, figure, market }: Loaded[number]): CensusTable {
  const cells = LINES[tableId].map(
    (line, i) => [line, knownCell(figure * (3 - i) + market, figure)] as const,
  );
  return { geoid, year, tableId, level: 'tract', name: `Tract ${geoid}`, cells: new Map(cells) };
}

/** The expected response, found by reading every row for every key. */
function naiveFigures(rows: Loaded, geoid: string, selection: CensusSelection): string[] {
  const wantsTable = (tableId: string): boolean =>
    selection.categories !== null ||
    selection.keys === null ||
    selection.keys.some((key) => key.startsWith(tableId));
  const has = (year: number, tableId?: string): boolean =>
    rows.some((row) => row.geoid === geoid && row.year === year && (!tableId || row.tableId === tableId));
  const newest = YEARS.filter((year) => Object.keys(LINES).some((id) => wantsTable(id) && has(year, id))).at(
    -1,
  );
  const years = selection.years ?? (newest === undefined ? [] : [newest]);
  return years
    .filter((year) => Object.keys(LINES).some((id) => wantsTable(id) && has(year, id)))
    .flatMap((year) =>
      KEYS.flatMap((key) => {
        const tableId = key.slice(0, 6);
        const category = tableId === 'B19013' ? 'income' : 'housing';
        const isNamed = selection.keys?.includes(key) ?? false;
        const isInCategory = selection.categories?.includes(category) ?? selection.keys === null;
        const row = rows
          .filter((each) => each.geoid === geoid && each.year === year && each.tableId === tableId)
          .sort((a, b) => b.market - a.market)[0];
        if (!isNamed && !(isInCategory && row)) return [];
        const cells = row && tableOf(row).cells;
        const cell = cells?.get(key.slice(7, 11));
        const base = cells?.get('001E');
        const value = key.endsWith('_pct') ? cell && base && percentageOf(cell, base).value : cell?.value;
        return [`${geoid} ${year} ${key} ${value ?? 'not_loaded'}`];
      }),
    );
}

for (const engine of engines) {
  test(`${engine.name}: figures equal those of a scan of every row; where two markets overlap, the later one is used`, async () => {
    const store = await engine.open();
    await fc.assert(
      fc.asyncProperty(loaded, selections, async (rows, selection) => {
        for (const market of [0, 1]) {
          await publishCensusTables(
            store,
            `market-${market}`,
            rows.filter((row) => row.market === market).map(tableOf),
          );
        }
        const places = openPlaces(store, () => currentDatasets(store));
        const areas = GEOIDS.map((geoid) => ({
          level: 'tract' as const,
          geoids: [geoid],
          geoidIn: () => geoid,
        }));
        const { entries, credits } = await censusFigures(places, areas, selection);
        const found = entries.flatMap(({ geoid, year, variables }) =>
          Object.entries(variables).map(
            ([key, { value, nullReason }]) => `${geoid} ${year} ${key} ${value ?? nullReason}`,
          ),
        );
        const wanted = GEOIDS.flatMap((geoid) => naiveFigures(rows, geoid, selection));
        assert.deepEqual(found.toSorted(), wanted.toSorted());
        assert.equal(credits, wanted.filter((line) => !line.endsWith('not_loaded')).length);
        assert.ok(
          credits <= (await censusCreditsMax(places, GEOIDS.length, selection)),
          'a dry run reported less',
        );
      }),
      { numRuns: 40 },
    );
    await store.close();
  });
}
