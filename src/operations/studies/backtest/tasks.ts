import { createHash } from 'node:crypto';
import { type Day, formatDay } from '../../../domain/day.ts';
import { PlumblineError } from '../../../errors.ts';
import type { DatedProtocol, FoldProtocol, FoldUnit, Step } from './protocol.ts';
import type { StudyTask } from './study-method.ts';
import { asOfRows, type SaleColumns } from '../../../valuation/columns/sale-columns.ts';
import { textAt } from '../../../valuation/typed-columns.ts';
import { WINDOW } from '../../../valuation/model/constants.ts';

/** The steps of a protocol of dates that have testable rows, with these rows. */
export function datedTasks(
  columns: SaleColumns,
  testable: Int32Array,
  protocol: DatedProtocol,
  steps: readonly Step[],
): StudyTask[] {
  const isMonthly =
    protocol.kind === 'walk_forward' && protocol.every.unit === 'months' && protocol.every.count === 1;
  const tested = steps
    .map((step) => ({
      ...step,
      rows: testable.filter((row) => columns.soldOn[row] >= step.start && columns.soldOn[row] < step.end),
    }))
    .filter(({ rows }) => rows.length > 0);
  if (tested.length > 0) requireSample(columns, tested[0]);
  return tested.map(({ trainedOn, rows }) => {
    const task = { trainedOn, rows, knownBy: null, withheld: null, isMonthly };
    if (protocol.kind !== 'frozen') return task;
    if (!columns.indexes) return { ...task, knownBy: trainedOn };
    // Published figures go on while the sales stop.
    const isLater = (row: number) => columns.availableOn[row] > trainedOn;
    return { ...task, withheld: Int32Array.from(columns.soldOn.keys()).filter(isLater) };
  });
}

/** A sample too small to train on is rejected before hours of training, not after. */
function requireSample(columns: SaleColumns, first: Step): void {
  const known = asOfRows(columns, first.trainedOn).length;
  if (known >= WINDOW.minUsable) return;
  throw new PlumblineError(
    'insufficient_data',
    `Only ${known} usable ${columns.kind} were known before ${formatDay(first.start)}, the first day tested; a model needs at least ${WINDOW.minUsable}. Begin later.`,
  );
}

/**
 * Every testable row by a model trained on the newest day without its fold. Flagged rows of the fold are withheld with
 * it: a repeat of a tested listing would reveal its rent.
 */
export function foldTasks(columns: SaleColumns, testable: Int32Array, protocol: FoldProtocol): StudyTask[] {
  const folds = assignFolds(columns, protocol.unit, protocol.count);
  const trainedOn = columns.availableOn.reduce<Day>((newest, day) => Math.max(newest, day), -Infinity);
  return Array.from({ length: protocol.count }, (_, fold) => {
    const withheld = Int32Array.from(folds.keys()).filter((row) => folds[row] === fold);
    const rows = testable.filter((row) => folds[row] === fold);
    return { trainedOn, rows, knownBy: trainedOn, withheld, isMonthly: false };
  }).filter(({ rows }) => rows.length > 0);
}

/** The same folds for every study, so that two studies of a market can be compared row by row. */
const SEED = 1;
/** Decimals of a degree to which two places are the same: about a meter. */
const POINT_DECIMALS = 5;
/** Degrees, in latitude and longitude: 220 m from south to north (170 m from west to east in New York). */
const CELL_DEG = 0.002;

/**
 * The fold of each row, 0 … count − 1, by a hash of its place, so that all rows of a place are in one fold; single rows
 * by a hash of their record id.
 */
export function assignFolds(columns: SaleColumns, unit: FoldUnit, count: number): Uint8Array {
  const placeOf = {
    row: () => (row: number) => textAt(columns.recordId, row),
    point: () => buildingsOf(columns),
    cell: () => (row: number) => cellOf(columns, row),
  }[unit]();
  return new Uint8Array(columns.n).map((_, row) => hashOf(placeOf(row)) % count);
}

function hashOf(place: string): number {
  return createHash('sha256').update(`${SEED} ${place}`).digest().readUInt32BE(0);
}

function cellOf({ lat, lon }: SaleColumns, row: number): string {
  return `${Math.floor(lat[row] / CELL_DEG)} ${Math.floor(lon[row] / CELL_DEG)}`;
}

/** The place of each row's building. Rows at one point or of one parcel share a building, directly or through others. */
function buildingsOf(columns: SaleColumns): (row: number) => string {
  const { lat, lon, parcel } = columns;
  const placeAt = (row: number) => `${lat[row].toFixed(POINT_DECIMALS)} ${lon[row].toFixed(POINT_DECIMALS)}`;
  const first = new Int32Array(columns.n);
  const firstOf = (row: number): number => {
    let root = row;
    while (first[root] !== root) root = first[root] = first[first[root]];
    return root;
  };
  const rowOfParcel = new Map<number, number>();
  const rowOfPlace = new Map<string, number>();
  for (let row = 0; row < columns.n; row++) {
    first[row] = row;
    for (const earlier of [rowOfParcel.get(parcel[row]), rowOfPlace.get(placeAt(row))]) {
      if (earlier === undefined) continue;
      const [a, b] = [firstOf(row), firstOf(earlier)];
      first[Math.max(a, b)] = Math.min(a, b);
    }
    rowOfParcel.set(parcel[row], row);
    rowOfPlace.set(placeAt(row), row);
  }
  return (row) => placeAt(firstOf(row));
}
