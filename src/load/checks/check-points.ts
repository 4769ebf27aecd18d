import { parseAddress } from '../../domain/address-parts.ts';
import { bareName, PROJECTED_HEADINGS } from '../../domain/column-headings.ts';
import type { TableRow } from '../../tables/table.ts';
import type { TableKind } from '../rows/columns.ts';
import { isPoint } from '../rows/coordinates.ts';
import type { CellOf } from '../rows/mapping.ts';
import { createFirstHouses, houseOf } from './first-houses.ts';
import { createTally, doNotRead, isCommon, unreadColumn, type Finding } from './finding.ts';

/**
 * More rows than this share at the point of another house are not located one by one. Condominiums of several houses
 * make 6% of Milwaukee's sales.
 */
const SHARED_SHARE = 0.12;
const LEAST_ROWS = 20;

/**
 * A point with homes of so many streets is that of a ZIP code or a city, which geocoders give for an address that they do
 * not find. A condominium has one: of Milwaukee's sales, 43 homes of 8 streets are at one point.
 */
const AREA = { streets: 20, fewerStreets: 10, rowsPerStreet: 2 } as const;

/** The homes at a point but those of the first house, of which one is counted. */
interface SharedPoint {
  readonly streets: Set<string>;
  readonly line: number;
  rows: number;
}

const isArea = ({ streets: { size }, rows }: SharedPoint): boolean =>
  size >= AREA.streets || (size >= AREA.fewerStreets && rows <= AREA.rowsPerStreet * size);

const pointIn = (cell: CellOf): string => `${cell('latitude')}, ${cell('longitude')}`;

/** The cells of a row, without coordinates if they are one of these points. */
export function withoutPoints(cell: CellOf, known: CellOf, points: ReadonlySet<string>): CellOf {
  if (points.size === 0 || !points.has(pointIn(known))) return cell;
  return (column) => (column === 'latitude' || column === 'longitude' ? '' : cell(column));
}

/**
 * Finds homes at a point of others, such as the middle of a ZIP code. Addresses may share the point of a parcel.
 *
 * @param kind others than sales and rents are not checked
 */
export function createPointCheck(file: string, kind: TableKind) {
  const firstHouses = createFirstHouses();
  const shared = createTally();
  const points = new Map<string, SharedPoint>();
  let rows = 0;

  function areas(): [point: string, shared: SharedPoint][] {
    return [...points].filter(([, at]) => isArea(at));
  }

  return {
    add(cell: CellOf, line: number): void {
      if (kind !== 'sales' && kind !== 'rents') return;
      const address = cell('address');
      const house = houseOf(address);
      const point = pointIn(cell);
      if (house === undefined || !/[1-9].*, .*[1-9]/.test(point)) return;
      rows++;
      const other = firstHouses.otherAt(point, house);
      if (other === null) return;
      shared.add(`${point}: ${other} and ${house}`, line);
      const { preDirection, streetName, streetType } = parseAddress(address);
      const at = points.get(point) ?? { streets: new Set(), line, rows: 0 };
      at.streets.add(`${preDirection} ${streetName} ${streetType}`);
      at.rows++;
      points.set(point, at);
    },
    /** The points of areas, as they are written. Called after the last row. */
    areaPoints: (): Set<string> => new Set(areas().map(([point]) => point)),
    findings(): Finding[] {
      const found = areas();
      if (found.length > 0) return [areaFinding(file, rows, found)];
      if (rows < LEAST_ROWS || shared.count() <= SHARED_SHARE * rows) return [];
      return shared.finding({
        check: 'shared_coordinates',
        column: 'latitude',
        message: `${shared.count()} of ${rows} rows of ${file} have the coordinates of another house: they may be rounded, or those of a ZIP code.`,
        remedy:
          'Correct these coordinates, or do not read them and import parcels or addresses of the market, which locate the rows.',
        fixes: [NO_COORDINATES],
        isBlocking: true,
      });
    },
  };
}

const NO_COORDINATES = doNotRead('Do not read the coordinates', 'latitude', 'longitude');

function areaFinding(file: string, rows: number, areas: readonly [string, SharedPoint][]): Finding {
  const count = areas.reduce((sum, [, at]) => sum + at.rows + 1, 0);
  return {
    check: 'coordinates_of_areas',
    column: 'latitude',
    count,
    message:
      `${count} of ${rows} rows of ${file} are at ${areas.length === 1 ? 'a point' : `${areas.length} points`} with homes of ${AREA.fewerStreets} streets or more: ` +
      'that of a ZIP code or a city, not of the homes.',
    examples: areas
      .slice(0, 3)
      .map(([point, { streets, line }]) => `${point}: ${streets.size} streets (line ${line})`),
    remedy:
      'Correct these coordinates, or leave them out: parcels or addresses of the market then locate the rows.',
    fixes: count > rows / 2 ? [NO_COORDINATES] : [],
    isBlocking: isCommon(count, rows),
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
