import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { medianOf } from '../order-statistics.ts';
import { seededRandom } from '../random.ts';
import { NEVER, type SaleColumns } from '../columns/sale-columns.ts';
import { testColumns } from '../../../test/harness/valuation/market.ts';
import { baselineValues } from './baseline-values.ts';
import type { Visibility } from './market-rows.ts';
import { medianPerUnit, nearestTenSameBedrooms } from './rules-of-thumb.ts';

/** Three years of rows at places with distinct distances; some bedrooms unknown or rare. */
function market(n: number, seed: number): SaleColumns {
  const random = seededRandom(seed);
  const columns = testColumns(n, seed);
  const soldOn = Int32Array.from({ length: n }, () => Math.floor(1100 * random())).sort();
  const bedrooms = Float32Array.from({ length: n }, () => {
    const draw = random();
    return draw < 0.05 ? NaN : draw < 0.06 ? 9 : Math.floor(4 * random());
  });
  const totalUnits = Float32Array.from({ length: n }, () =>
    random() < 0.1 ? NaN : 2 + Math.floor(20 * random()),
  );
  return {
    ...columns,
    soldOn,
    availableOn: soldOn.map((day) => day + Math.floor(30 * random())),
    type: columns.type.map(() =>
      PROPERTY_TYPES.indexOf(random() < 0.5 ? 'small_multifamily' : 'multifamily'),
    ),
    attributes: { ...columns.attributes, bedrooms, totalUnits },
    flag: Uint8Array.from({ length: n }, () => (random() < 0.1 ? 7 : 0)),
    flaggedOn: soldOn.map((day) => (random() < 0.1 ? day + Math.floor(400 * random()) : NEVER)),
  };
}

const LATITUDE = 43.05;

/** What each protocol may use: up to the day before the row's own, to a cut, or to its day. */
const SIGHTS: Readonly<Record<string, (columns: SaleColumns) => (row: number) => Visibility>> = {
  walk_forward:
    ({ soldOn }) =>
    (row) => ({ closedBefore: soldOn[row], knownBefore: soldOn[row] }),
  frozen: () => () => ({ closedBefore: 800, knownBefore: 800 }),
  folds:
    ({ soldOn }) =>
    (row) => ({ closedBefore: soldOn[row] + 1, knownBefore: 1200 }),
};

function seenBy(columns: SaleColumns, row: number, { closedBefore, knownBefore }: Visibility): number[] {
  return [...columns.soldOn.keys()].filter(
    (other) =>
      other !== row &&
      columns.soldOn[other] < closedBefore &&
      columns.soldOn[other] >= closedBefore - 730.5 &&
      columns.availableOn[other] < knownBefore,
  );
}

function assertNear(found: number, expected: number, what: string): void {
  if (Number.isNaN(expected)) assert.ok(Number.isNaN(found), what);
  else assert.ok(Math.abs(found - expected) <= 1e-9 * expected, `${what}: ${found} ≠ ${expected}`);
}

test('the rent baseline takes the ten nearest with the same bedrooms, else the ten nearest, under every protocol', () => {
  const columns = market(500, 11);
  const { bedrooms } = columns.attributes;
  const all = Int32Array.from(columns.soldOn.keys());
  const east = Math.cos((LATITUDE * Math.PI) / 180);
  for (const [protocol, sights] of Object.entries(SIGHTS)) {
    const visibilityOf = sights(columns);
    const found = nearestTenSameBedrooms(columns, {
      candidates: all,
      subjects: all,
      visibilityOf,
      latitude: LATITUDE,
    });
    let fallbacks = 0;
    for (const row of all) {
      const away = (other: number) =>
        ((columns.lon[other] - columns.lon[row]) * east) ** 2 + (columns.lat[other] - columns.lat[row]) ** 2;
      const seen = seenBy(columns, row, visibilityOf(row)).sort((a, b) => away(a) - away(b));
      const alike = seen.filter((other) => bedrooms[other] === bedrooms[row]);
      if (alike.length < 10) fallbacks++;
      const taken = (alike.length >= 10 ? alike : seen).slice(0, 10);
      assertNear(found[row], medianOf(taken.map((other) => columns.priceUsd[other])), `${protocol} ${row}`);
    }
    assert.ok(fallbacks > 5 && fallbacks < 400, `${protocol}: ${fallbacks} fell back`);
  }
});

test('the per-unit baseline is the median price per unit of two years of unflagged sales, times the units', () => {
  const columns = market(500, 12);
  const { totalUnits } = columns.attributes;
  const all = Int32Array.from(columns.soldOn.keys());
  for (const [protocol, sights] of Object.entries(SIGHTS)) {
    const visibilityOf = sights(columns);
    // Withheld rows, a fold's own among them, are absent from the candidates.
    const subjects = all.filter((row) => row % 4 === 0);
    const candidates = protocol === 'folds' ? all.filter((row) => row % 4 !== 0) : all;
    const found = medianPerUnit(columns, { candidates, subjects, visibilityOf, latitude: LATITUDE });
    for (const [i, row] of subjects.entries()) {
      const visibility = visibilityOf(row);
      const seen = seenBy(columns, row, visibility).filter(
        (other) =>
          candidates.includes(other) &&
          columns.type[other] === columns.type[row] &&
          columns.flaggedOn[other] > visibility.knownBefore - 1 &&
          totalUnits[other] > 0,
      );
      // A frozen test has no sale of its own before the cut; earlier rows are subjects only.
      if (protocol === 'frozen' && columns.soldOn[row] < 800) continue;
      const perUnit = medianOf(seen.map((other) => columns.priceUsd[other] / totalUnits[other]));
      assertNear(found[i], perUnit * totalUnits[row], `${protocol} ${row}`);
    }
  }
});

test('no baseline of any kind learns from a withheld row', () => {
  const columns: SaleColumns = { ...market(300, 13), recordingLagDays: 0 };
  const withheld = Int32Array.from(columns.soldOn.keys()).filter((row) => row % 3 === 0);
  const dearer = columns.priceUsd.map((usd, row) => (row % 3 === 0 ? 5 * usd : usd));
  for (const kind of ['property', 'rental', 'multifamily'] as const) {
    const evidence = kind === 'rental' ? 'rents' : 'sales';
    const task = { kind, rows: withheld, trainedOn: 1200, knownBy: 1200, withheld, latitude: LATITUDE };
    const before = baselineValues({ ...columns, kind: evidence }, task);
    assert.deepEqual(baselineValues({ ...columns, kind: evidence, priceUsd: dearer }, task), before);
    const seeing = baselineValues(
      { ...columns, kind: evidence, priceUsd: dearer },
      { ...task, withheld: null },
    );
    for (const [name, values] of Object.entries(seeing)) assert.notDeepEqual(values, before[name], name);
  }
});
