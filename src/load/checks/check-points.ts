import { bareName, PROJECTED_HEADINGS } from '../../domain/column-headings.ts';
import type { TableRow } from '../../tables/table.ts';
import type { TableKind } from '../rows/columns.ts';
import { isPoint } from '../rows/coordinates.ts';
import { createFirstHouses, houseOf } from './first-houses.ts';
import { createTally, doNotRead, unreadColumn, type Finding } from './finding.ts';

/**
 * More rows than this share at the point of another house are not located one by one. Condominiums of several houses
 * make 6% of Milwaukee's sales.
 */
const SHARED_SHARE = 0.12;
const LEAST_ROWS = 20;

/** Finds homes at a point of others, such as the middle of a ZIP code. Addresses may share the point of a parcel. */
export function createPointCheck(file: string, kind: TableKind) {
  const firstHouses = createFirstHouses();
  const shared = createTally();
  let rows = 0;
  return {
    add(cell: (column: string) => string, line: number): void {
      if (kind !== 'sales' && kind !== 'rents') return;
      const house = houseOf(cell('address'));
      const point = `${cell('latitude')}, ${cell('longitude')}`;
      if (house === undefined || !/[1-9].*, .*[1-9]/.test(point)) return;
      rows++;
      const other = firstHouses.otherAt(point, house);
      if (other !== null) shared.add(`${point}: ${other} and ${house}`, line);
    },
    findings(): Finding[] {
      if (rows < LEAST_ROWS || shared.count() <= SHARED_SHARE * rows) return [];
      return shared.finding({
        check: 'shared_coordinates',
        column: 'latitude',
        message: `${shared.count()} of ${rows} rows of ${file} have the coordinates of another house: they may be rounded, or those of a ZIP code.`,
        remedy:
          'Correct these coordinates, or do not read them and import parcels or addresses of the market, which locate the rows.',
        fixes: [doNotRead('Do not read the coordinates', 'latitude', 'longitude')],
        isBlocking: true,
      });
    },
  };
}

/** Rows that are looked at. */
const MAX_ROWS = 10_000;

/** Finds points in columns that are not read: `(43.1, -87.9)` in one cell, or degrees in columns X and Y. */
export function createUnreadPointCheck(file: string, header: readonly string[], unread: readonly string[]) {
  const candidates = (['latitude', 'longitude'] as const).flatMap((axis) => {
    const names = new Set(PROJECTED_HEADINGS[axis].split(', ').map(bareName));
    return unread.map((name) => {
      const isNamed = names.has(bareName(name));
      return { axis, name, isNamed, position: header.indexOf(name), filled: 0, points: createTally() };
    });
  });
  let rows = 0;
  return {
    add({ line, cells }: TableRow): void {
      if (rows++ >= MAX_ROWS) return;
      for (const candidate of candidates) {
        const text = cells[candidate.position] ?? '';
        if (text.trim() === '') continue;
        candidate.filled++;
        const isDegrees = candidate.isNamed && Math.abs(Number(text)) <= 180 && text.includes('.');
        if (isDegrees || isPoint(text)) candidate.points.add(text, line);
      }
    },
    findings(): Finding[] {
      const likely = candidates.filter(({ filled, points }) => filled > 0 && points.count() > filled / 2);
      const both = likely.find(({ name }) => likely.filter((other) => other.name === name).length === 2);
      if (both) {
        const { name, points } = both;
        return points.finding({
          ...unreadColumn(file, 'latitude', [name]),
          message: `No column of ${file} is read as latitude and longitude, but "${name}" has both.`,
          remedy: 'Read it as both, or leave it out.',
          fixes: [
            { label: `Read "${name}" as coordinates`, mapping: { latitude: name, longitude: name } },
            doNotRead('It is not', 'latitude', 'longitude'),
          ],
          isBlocking: true,
        });
      }
      return likely.flatMap(({ axis, name, points }) =>
        points.finding({ ...unreadColumn(file, axis, [name]), isBlocking: true }),
      );
    },
  };
}
