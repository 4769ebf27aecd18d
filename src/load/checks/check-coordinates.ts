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

/**
 * Finds coordinates that are swapped, without their sign, projected, not in degrees, or far from the others.
 * `isOneMarket` is false for files of several places. `middle` is known if rows that are far from it are left out;
 * otherwise it is found in the end.
 */
export function createCoordinateCheck(
  file: string,
  columns: { readonly lat: string; readonly lon: string },
  isOneMarket: boolean,
  middle: LatLon | null = null,
) {
  const [swapped, unsigned, projected, dms, far] = Array.from({ length: 5 }, createTally);
  const points = createFilePoints();
  let rows = 0;
  let isSwappedUnsigned = false;
  let isMicrodegrees = false;
  let wrongSign: 'latitude' | 'longitude' = 'longitude';

  /** Returns the check that the row fails. */
  function add(latText: string, lonText: string, line: number): RowCheck | null {
    if (latText === '' || lonText === '') return null;
    rows++;
    const shown = `${latText}, ${lonText}`;
    if (DMS.test(latText) || DMS.test(lonText)) {
      dms.add(shown, line);
      return 'degrees_minutes_seconds';
    }
    const [lat, lon] = [latText, lonText].map((text) => Number(text.replaceAll(',', '')));
    if (!Number.isFinite(lat) || !Number.isFinite(lon) || (lat === 0 && lon === 0)) return null;
    if (isInUs(lat, lon)) {
      if (middle !== null && isOneMarket && milesApart(middle, { lat, lon }) > FAR_MI) {
        far.add(shown, line);
        return 'far_coordinates';
      }
      points.add(lat, lon, line);
    } else if (Math.abs(lat) >= LEAST_PROJECTED || Math.abs(lon) >= LEAST_PROJECTED) {
      isMicrodegrees = isInUs(lat / 1e6, lon / 1e6);
      projected.add(shown, line);
      return 'projected_coordinates';
    } else if (isInUs(lon, lat) || isInUs(lon, -lat)) {
      isSwappedUnsigned ||= !isInUs(lon, lat);
      swapped.add(shown, line);
      return 'swapped_coordinates';
    } else if (isInUs(lat, -lon) || isInUs(-lat, lon) || isInUs(-lat, -lon)) {
      wrongSign = isInUs(-lat, lon) ? 'latitude' : 'longitude';
      unsigned.add(shown, line);
      return 'wrong_sign';
    } else if (isOneMarket && Math.abs(lat) <= 90 && Math.abs(lon) <= 180) {
      far.add(shown, line);
      return 'far_coordinates';
    }
    return null;
  }

  /** Counts points of the United States that are far from the middle of the file. */
  function addDistant(): void {
    const found = middle === null && isOneMarket ? points.middle() : null;
    if (found === null) return;
    for (const point of points) {
      if (milesApart(found, point) > FAR_MI) far.add(`${point.lat}, ${point.lon}`, point.line);
    }
  }

  function findings(): Finding[] {
    addDistant();
    const { lat, lon } = columns;
    /** `fix` changes all rows, so that it is no remedy for some. */
    const found = (
      check: Finding['check'],
      tally: Tally,
      column: string,
      messageOf: (rowsOfFile: string) => string,
      remedy: string,
      fix: Fix | null = null,
    ): Finding[] => {
      const hasFix = fix !== null && tally.count() > rows / 2;
      return tally.finding({
        check,
        column,
        message: messageOf(`${tally.count()} of ${rows} rows of ${file}`),
        remedy: fix === null || hasFix ? remedy : 'Correct these rows.',
        fixes: hasFix ? [fix] : [],
        isBlocking: isCommon(tally.count(), rows),
      });
    };
    const swappedLatitude: ColumnSource = isSwappedUnsigned ? { source: lat, times: -1 } : { source: lat };
    const signSource = wrongSign === 'latitude' ? lat : lon;
    const outOf = (times: number) => ({
      latitude: { source: lat, times },
      longitude: { source: lon, times },
    });
    return [
      ...found(
        'swapped_coordinates',
        swapped,
        lat,
        (some) => `Latitude and longitude are swapped in ${some}.`,
        'Read the two columns the other way around.',
        { label: 'Swap the columns', mapping: { latitude: lon, longitude: swappedLatitude } },
      ),
      ...found(
        'wrong_sign',
        unsigned,
        wrongSign,
        (some) =>
          `The ${wrongSign} of ${some} has the wrong sign: the United States is north of the equator and west of Greenwich.`,
        `Change the sign of the ${wrongSign}.`,
        { label: 'Change the sign', mapping: { [wrongSign]: { source: signSource, times: -1 } } },
      ),
      ...(isMicrodegrees
        ? found(
            'projected_coordinates',
            projected,
            lat,
            (some) => `The coordinates of ${some} are millionths of degrees.`,
            'Divide them by a million.',
            { label: 'Divide by a million', mapping: outOf(0.000001) },
          )
        : found(
            'projected_coordinates',
            projected,
            lat,
            (some) =>
              `The coordinates of ${some} are not degrees but feet or meters of a map projection, such as state plane.`,
            'Export the file with latitude and longitude (WGS84, EPSG:4326). Or do not read the two columns, and import parcels or addresses with coordinates.',
            doNotRead('Do not read these columns', 'latitude', 'longitude'),
          )),
      ...found(
        'degrees_minutes_seconds',
        dms,
        lat,
        (some) => `The coordinates of ${some} are in degrees, minutes and seconds.`,
        'Convert them to decimal degrees: degrees + minutes / 60 + seconds / 3600, negative for south and west.',
      ),
      ...found(
        'far_coordinates',
        far,
        lat,
        (some) =>
          `The coordinates of ${some} are outside the United States or more than ${FAR_MI} miles from the middle of the file.`,
        'Correct these rows, or import them into a market of their own.',
      ),
    ];
  }
  return { add, findings };
}
