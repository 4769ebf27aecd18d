import { CONUS_ALBERS } from '../../geo/projection.ts';

/** The keys of a GeoTIFF's coordinate system, as geotiff names them. */
export type GeoKeys = Readonly<Partial<Record<string, unknown>>>;

/** EPSG:4326 (WGS 84) and 4269 (NAD83): degrees; the two differ by a metre or two. */
const DEGREES = [4326, 4269];
/** EPSG:5070, and ESRI's own number for the same projection. */
const CONUS = [5070, 102039];
/** EPSG:3338, NAD83 / Alaska Albers. */
const ALASKA = 3338;
const ALASKA_ALBERS =
  '+proj=aea +lat_1=55 +lat_2=65 +lat_0=50 +lon_0=-154 +x_0=0 +y_0=0 +ellps=GRS80 +units=m +no_defs';
/** Zones of UTM, of NAD83 (EPSG:26901 to 26923) and of WGS84 (EPSG:32601 to 32660). */
const UTM = /^(?:269(0[1-9]|1\d|2[0-3])|326(0[1-9]|[1-5]\d|60))$/;
const MODEL_PROJECTED = 1;
const MODEL_DEGREES = 2;
const USER_DEFINED = 32767;
const ALBERS = 11;
const METRE = 9001;

/**
 * The projection of a raster: null for degrees, 'unknown' for any that is not read. Albers projections of NAD83 may
 * also be spelled out by their parameters, as ArcGIS does.
 */
export function projectionOf(keys: GeoKeys): string | null | 'unknown' {
  if (keys.GTModelTypeGeoKey === MODEL_DEGREES) return isDegrees(keys) ? null : 'unknown';
  if (keys.GTModelTypeGeoKey !== MODEL_PROJECTED) return 'unknown';
  const code = keys.ProjectedCSTypeGeoKey;
  if (typeof code === 'number' && CONUS.includes(code)) return CONUS_ALBERS;
  if (code === ALASKA) return ALASKA_ALBERS;
  const [, nad83Zone, wgs84Zone] = UTM.exec(String(code)) ?? [];
  const zone = nad83Zone ?? wgs84Zone;
  if (zone !== undefined) return `+proj=utm +zone=${Number(zone)} +ellps=GRS80 +units=m +no_defs`;
  return code === USER_DEFINED || code === undefined ? (spelledAlbersOf(keys) ?? 'unknown') : 'unknown';
}

function isDegrees({ GeographicTypeGeoKey: code }: GeoKeys): boolean {
  return typeof code === 'number' && DEGREES.includes(code);
}

function spelledAlbersOf(keys: GeoKeys): string | null {
  const isAlbers = keys.ProjCoordTransGeoKey === ALBERS && isDegrees(keys);
  const isMeters = keys.ProjLinearUnitsGeoKey === METRE || keys.ProjLinearUnitsGeoKey === undefined;
  if (!isAlbers || !isMeters) return null;
  const first = (...names: readonly string[]): number => {
    const value = names.map((name) => keys[name]).find((candidate) => candidate !== undefined);
    return typeof value === 'number' ? value : NaN;
  };
  const params: AlbersParams = {
    standardParallels: [first('ProjStdParallel1GeoKey'), first('ProjStdParallel2GeoKey')],
    originLat: first('ProjNatOriginLatGeoKey', 'ProjFalseOriginLatGeoKey', 'ProjCenterLatGeoKey'),
    originLon: first('ProjNatOriginLongGeoKey', 'ProjFalseOriginLongGeoKey', 'ProjCenterLongGeoKey'),
    falseEastingM: first('ProjFalseEastingGeoKey', 'ProjFalseOriginEastingGeoKey'),
    falseNorthingM: first('ProjFalseNorthingGeoKey', 'ProjFalseOriginNorthingGeoKey'),
  };
  return isSound(params) ? albers(params) : null;
}

interface AlbersParams {
  readonly standardParallels: readonly [number, number];
  readonly originLat: number;
  readonly originLon: number;
  readonly falseEastingM: number;
  readonly falseNorthingM: number;
}

function albers({
  standardParallels,
  originLat,
  originLon,
  falseEastingM,
  falseNorthingM,
}: AlbersParams): string {
  const [south, north] = standardParallels;
  return (
    `+proj=aea +lat_1=${south} +lat_2=${north} +lat_0=${originLat} +lon_0=${originLon} ` +
    `+x_0=${falseEastingM} +y_0=${falseNorthingM} +ellps=GRS80 +units=m +no_defs`
  );
}

/** A cone: parallels of the same sign that are no poles, finite everything. */
function isSound(params: AlbersParams): boolean {
  const { standardParallels, originLat, originLon, falseEastingM, falseNorthingM } = params;
  const [a, b] = standardParallels;
  return (
    [a, b, originLat].every((lat) => Math.abs(lat) < 89) &&
    a * b > 0 &&
    Math.abs(originLon) <= 360 &&
    Number.isFinite(falseEastingM + falseNorthingM)
  );
}
