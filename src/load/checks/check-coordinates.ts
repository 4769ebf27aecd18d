import { isInUs } from '../../geo/bounds.ts';
import { milesApart, type LatLon } from '../../geo/distance.ts';
import { selectInPlace } from '../../valuation/order-statistics.ts';
import { createNumberColumn, type NumberColumn } from '../growing-columns.ts';
import type { ColumnSource } from '../rows/column-source.ts';
import {
  createTally,
  doNotRead,
  isCommon,
  type Finding,
  type Fix,
  type RowCheck,
  type Tally,
} from './finding.ts';

/** Points further than this from the middle of a file are in another market. */
const FAR_MI = 150;
/** Points kept for the middle of the file and the distances from it. */
const MAX_POINTS = 1_000_000;
/** Smaller numbers are degrees. */
const LEAST_PROJECTED = 1000;
const DMS = /\d\s*[°º'"′″’”:]|^[NSEW]?-?\d{1,3}\s+\d{1,2}\s+[\d.]+|\d\s*[NSEW]$|^[NSEW]\s*\d/i;

/** The points of a file and their lines. */
export function createFilePoints() {
  const [lats, lons, lines] = Array.from({ length: 3 }, createNumberColumn);
  let count = 0;
  const values = (column: NumberColumn): Float64Array =>
    Float64Array.from({ length: count }, (_, i) => column.at(i) ?? NaN);
  const median = (numbers: Float64Array): number => selectInPlace(numbers, count, count >> 1);
  return {
    add(lat: number, lon: number, line: number): void {
      if (count === MAX_POINTS) return;
      lats.set(count, lat);
      lons.set(count, lon);
      lines.set(count++, line);
    },
    /** Their middle, which a few distant ones do not move; null without points. */
    middle: (): LatLon | null =>
      count === 0 ? null : { lat: median(values(lats)), lon: median(values(lons)) },
    *[Symbol.iterator](): Generator<LatLon & { readonly line: number }> {
      for (let i = 0; i < count; i++)
        yield { lat: lats.at(i) ?? NaN, lon: lons.at(i) ?? NaN, line: lines.at(i) ?? 0 };
    },
  };
}

type CoordinateCheck = Extract<
  RowCheck,
  | 'swapped_coordinates'
  | 'wrong_sign'
  | 'projected_coordinates'
  | 'degrees_minutes_seconds'
  | 'far_coordinates'
>;

/** What is wrong with a point outside the United States; null if nothing is known to be. */
function faultOutside(lat: number, lon: number): CoordinateCheck | null {
  if (Math.abs(lat) >= LEAST_PROJECTED || Math.abs(lon) >= LEAST_PROJECTED) return 'projected_coordinates';
  if (isInUs(lon, lat) || isInUs(lon, -lat)) return 'swapped_coordinates';
  if (isInUs(lat, -lon) || isInUs(-lat, lon) || isInUs(-lat, -lon)) return 'wrong_sign';
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? 'far_coordinates' : null;
}

/** What was found in the rows of a file. */
interface FoundCoordinates {
  readonly file: string;
  readonly columns: { readonly lat: string; readonly lon: string };
  readonly tallies: Readonly<Record<CoordinateCheck, Tally>>;
  rows: number;
  isSwappedUnsigned: boolean;
  isMicrodegrees: boolean;
  wrongSign: 'latitude' | 'longitude';
}

/**
 * Finds coordinates that are swapped, without their sign, projected, not in degrees, or far from the others.
 * `isOneMarket` is false for files of several places. `middle` is known if rows that are far from it are left out;
 * otherwise it is found in the end.
 */
export function createCoordinateCheck(
  file: string,
  columns: FoundCoordinates['columns'],
  isOneMarket: boolean,
  middle: LatLon | null = null,
) {
  const found: FoundCoordinates = {
    file,
    columns,
    tallies: {
      swapped_coordinates: createTally(),
      wrong_sign: createTally(),
      projected_coordinates: createTally(),
      degrees_minutes_seconds: createTally(),
      far_coordinates: createTally(),
    },
    rows: 0,
    isSwappedUnsigned: false,
    isMicrodegrees: false,
    wrongSign: 'longitude',
  };
  const points = createFilePoints();

  function checkOf(latText: string, lonText: string, line: number): CoordinateCheck | null {
    if (DMS.test(latText) || DMS.test(lonText)) return 'degrees_minutes_seconds';
    const [lat, lon] = [latText, lonText].map((text) => Number(text.replaceAll(',', '')));
    if (!Number.isFinite(lat) || !Number.isFinite(lon) || (lat === 0 && lon === 0)) return null;
    if (isInUs(lat, lon)) {
      if (middle !== null && isOneMarket && milesApart(middle, { lat, lon }) > FAR_MI)
        return 'far_coordinates';
      points.add(lat, lon, line);
      return null;
    }
    const fault = faultOutside(lat, lon);
    if (fault === 'projected_coordinates') found.isMicrodegrees = isInUs(lat / 1e6, lon / 1e6);
    if (fault === 'swapped_coordinates') found.isSwappedUnsigned ||= !isInUs(lon, lat);
    if (fault === 'wrong_sign') found.wrongSign = isInUs(-lat, lon) ? 'latitude' : 'longitude';
    return fault === 'far_coordinates' && !isOneMarket ? null : fault;
  }

  /** Counts points of the United States that are far from the middle of the file. */
  function addDistant(): void {
    const center = middle === null && isOneMarket ? points.middle() : null;
    if (center === null) return;
    for (const point of points) {
      if (milesApart(center, point) > FAR_MI)
        found.tallies.far_coordinates.add(`${point.lat}, ${point.lon}`, point.line);
    }
  }

  return {
    /** Returns the check that the row fails. */
    add(latText: string, lonText: string, line: number): RowCheck | null {
      if (latText === '' || lonText === '') return null;
      found.rows++;
      const check = checkOf(latText, lonText, line);
      if (check !== null) found.tallies[check].add(`${latText}, ${lonText}`, line);
      return check;
    },
    findings(): Finding[] {
      addDistant();
      return findingsOf(found);
    },
  };
}

function findingsOf(found: FoundCoordinates): Finding[] {
  const { columns, wrongSign, isSwappedUnsigned } = found;
  const { lat, lon } = columns;
  const swappedLatitude: ColumnSource = isSwappedUnsigned ? { source: lat, times: -1 } : { source: lat };
  const signSource = wrongSign === 'latitude' ? lat : lon;
  return [
    ...findingOf(
      found,
      'swapped_coordinates',
      (some) => `Latitude and longitude are swapped in ${some}.`,
      'Read the two columns the other way around.',
      { label: 'Swap the columns', mapping: { latitude: lon, longitude: swappedLatitude } },
    ),
    ...findingOf(
      found,
      'wrong_sign',
      (some) =>
        `The ${wrongSign} of ${some} has the wrong sign: the United States is north of the equator and west of Greenwich.`,
      `Change the sign of the ${wrongSign}.`,
      { label: 'Change the sign', mapping: { [wrongSign]: { source: signSource, times: -1 } } },
      wrongSign,
    ),
    ...projectedFinding(found),
    ...findingOf(
      found,
      'degrees_minutes_seconds',
      (some) => `The coordinates of ${some} are in degrees, minutes and seconds.`,
      'Convert them to decimal degrees: degrees + minutes / 60 + seconds / 3600, negative for south and west.',
    ),
    ...findingOf(
      found,
      'far_coordinates',
      (some) =>
        `The coordinates of ${some} are outside the United States or more than ${FAR_MI} miles from the middle of the file.`,
      'Correct these rows, or import them into a market of their own.',
    ),
  ];
}

function projectedFinding(found: FoundCoordinates): Finding[] {
  if (!found.isMicrodegrees) {
    return findingOf(
      found,
      'projected_coordinates',
      (some) =>
        `The coordinates of ${some} are not degrees but feet or meters of a map projection, such as state plane.`,
      'Export the file with latitude and longitude (WGS84, EPSG:4326). Or do not read the two columns, and import parcels or addresses with coordinates.',
      doNotRead('Do not read these columns', 'latitude', 'longitude'),
    );
  }
  const { lat, lon } = found.columns;
  const [latitude, longitude] = [lat, lon].map((source) => ({ source, times: 0.000001 }));
  return findingOf(
    found,
    'projected_coordinates',
    (some) => `The coordinates of ${some} are millionths of degrees.`,
    'Divide them by a million.',
    { label: 'Divide by a million', mapping: { latitude, longitude } },
  );
}

/** `fix` changes all rows, so that it is no remedy for some. */
function findingOf(
  { file, columns, tallies, rows }: FoundCoordinates,
  check: CoordinateCheck,
  messageOf: (rowsOfFile: string) => string,
  remedy: string,
  fix: Fix | null = null,
  column = columns.lat,
): Finding[] {
  const count = tallies[check].count();
  const hasFix = fix !== null && count > rows / 2;
  return tallies[check].finding({
    check,
    column,
    message: messageOf(`${count} of ${rows} rows of ${file}`),
    remedy: fix === null || hasFix ? remedy : 'Correct these rows.',
    fixes: hasFix ? [fix] : [],
    isBlocking: isCommon(count, rows),
  });
}
