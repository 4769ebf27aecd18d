import { packArchive, takeArray, unpackArchive } from '../../array-archive.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { BuildingSales } from './building-sales.ts';

const KIND = 'building-sales';
/** Raised when what is stored changes its meaning. */
const FORMAT = 1;

const FLOATS = [
  'lat',
  'lon',
  'units',
  'yearBuilt',
  'condition',
  'bedrooms',
  'logPrice',
  'logSalesValue',
  'logAnnualRent',
  'rentLogSd',
] as const;

/** Equal sales give equal bytes: a model is named by their hash. */
export function encodeBuildings(sales: BuildingSales): Uint8Array {
  const floats = Object.fromEntries(FLOATS.map((name) => [name, sales[name]]));
  return packArchive(
    { kind: KIND, format: FORMAT, trainedOn: sales.trainedOn },
    { ...floats, parcel: sales.parcel },
  );
}

export function decodeBuildings(bytes: Uint8Array): BuildingSales {
  const archive = unpackArchive(bytes);
  const { kind, format, trainedOn } = membersOf(archive.meta);
  if (kind !== KIND) throw new Error('The archive is no model of buildings.');
  if (format !== FORMAT || typeof trainedOn !== 'number') {
    throw new Error(
      `The model of buildings has format ${String(format)}; this program reads format ${FORMAT}. Train again.`,
    );
  }
  const floats = (name: (typeof FLOATS)[number]): Float64Array => takeArray(archive, name, Float64Array);
  const parcel = takeArray(archive, 'parcel', Int32Array);
  return {
    n: parcel.length,
    trainedOn,
    parcel,
    lat: floats('lat'),
    lon: floats('lon'),
    units: floats('units'),
    yearBuilt: floats('yearBuilt'),
    condition: floats('condition'),
    bedrooms: floats('bedrooms'),
    logPrice: floats('logPrice'),
    logSalesValue: floats('logSalesValue'),
    logAnnualRent: floats('logAnnualRent'),
    rentLogSd: floats('rentLogSd'),
  };
}

function membersOf(meta: JsonValue): JsonObject {
  return isObject(meta) ? meta : {};
}

function isObject(meta: JsonValue): meta is JsonObject {
  return meta !== null && typeof meta === 'object' && !Array.isArray(meta);
}
