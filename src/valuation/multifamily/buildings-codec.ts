import { packArchive, unpackArchive } from '../../array-archive.ts';
import type { JsonValue } from '../../domain/json.ts';
import { archiveColumns, takeColumns } from '../typed-columns.ts';
import { BUILDING_COLUMNS, type BuildingSales } from './building-sales.ts';

const KIND = 'building-sales';
/** Raised when what is stored changes its meaning. */
const FORMAT = 2;

interface Meta {
  readonly kind: string;
  readonly format: number;
  readonly trainedOn: number;
}

/** The sales as bytes. Equal sales give equal bytes: a model is named by their hash. */
export function encodeBuildings(sales: BuildingSales): Uint8Array {
  const meta: Meta = { kind: KIND, format: FORMAT, trainedOn: sales.trainedOn };
  return packArchive(meta as unknown as JsonValue, archiveColumns(BUILDING_COLUMNS, 'sale', sales));
}

/** @throws Error where the bytes are not building sales, or of another format */
export function decodeBuildings(bytes: Uint8Array): BuildingSales {
  const archive = unpackArchive(bytes);
  const meta = archive.meta as unknown as Meta;
  if (meta?.kind !== KIND) throw new Error('The archive is not a model of buildings.');
  if (meta.format !== FORMAT) {
    throw new Error(
      `The model of buildings has format ${meta.format}; this program reads format ${FORMAT}. Train again.`,
    );
  }
  const columns = takeColumns(BUILDING_COLUMNS, 'sale', archive);
  return { n: columns.parcel.length, trainedOn: meta.trainedOn, ...columns };
}
