import { PlumblineError, usageError } from '../../errors.ts';
import { openProjection, type Projection } from '../../geo/projection.ts';

/**
 * Geographic systems whose degrees are taken as WGS84. NAD83 (and GRS80 degrees without a datum) differs from it by
 * 1–2 m in the contiguous states: less than the boundaries themselves are off.
 */
const TAKEN_AS_WGS84 = /(^|[^0-9])(4326|4269|CRS:?84|CRS:?83|WGS_?\s?(19)?84|NAD_?\s?(19)?83)$/i;

/** Rejects a GeoJSON file that names another system than longitude and latitude, as files before RFC 7946 may. */
export function checkCrsName(path: string, name: string): void {
  if (!TAKEN_AS_WGS84.test(name.trim())) throw unreadable(path, `its crs is ${name.slice(0, 80)}`);
}

/**
 * The projection of a shapefile by its .prj: null for degrees. Any projection of WGS84 or NAD83 that proj4 knows is
 * read, such as UTM and state plane zones in meters or feet.
 */
export function projectionOfPrj(path: string, wellKnownText: string): Projection | null {
  const name = /^\s*\w+\s*\[\s*"([^"]{0,80})"/.exec(wellKnownText)?.[1] ?? 'unreadable';
  if (
    !/(WGS|World.Geodetic.System)[ _]?(19)?84|(NAD|North[ _]American)[ _]?(Datum[ _])?(19)?83/i.test(
      wellKnownText,
    )
  ) {
    throw unreadable(path, `its .prj is ${name}, which is neither WGS84 nor NAD83`);
  }
  if (/^\s*GEOG(CS|CRS|RAPHICCRS)\s*\[/i.test(wellKnownText)) return null;
  try {
    return openProjection(wellKnownText);
  } catch (cause) {
    throw unreadable(path, `its .prj is ${name}, a projection that is not known`, cause);
  }
}

/** For a file of numbers that are no degrees, without the name of a projection. */
export function notDegrees(path: string): PlumblineError {
  return unreadable(path, 'its coordinates are not degrees, and it names no projection');
}

function unreadable(path: string, what: string, cause?: unknown): PlumblineError {
  return usageError(
    `${path}: ${what}. Maps are read in WGS84 longitude and latitude: reproject it with ` +
      `ogr2ogr -t_srs EPSG:4326 (GDAL) and import the result.`,
    cause,
  );
}
