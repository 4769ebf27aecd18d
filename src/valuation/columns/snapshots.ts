import {
  archiveParts,
  collectDerived,
  packArchive,
  takeArray,
  unpackArchive,
  type ArchiveArray,
  type Derive,
} from '../../array-archive.ts';
import type { Day } from '../../domain/day.ts';
import { ATTRIBUTES, type Attribute } from '../../domain/property.ts';
import { countBelow } from '../order-statistics.ts';
import { decodeIndexes, encodeIndexes, type ExternalIndexes } from '../price-index/external-index.ts';
import { archiveColumns, stringColumn, takeColumns, type StringColumn } from '../typed-columns.ts';
import {
  asOfEnd,
  ATTRIBUTE_COLUMNS,
  mapTexts,
  REVIEW_COLUMNS,
  SALE_COLUMNS,
  TEXT_COLUMNS,
  type FeatureColumn,
  type SaleColumns,
} from './sale-columns.ts';
import { createHash, type Hash } from 'node:crypto';

const KIND = 'sale-columns';

interface SnapshotMeta extends Pick<SaleColumns, 'n' | 'recordingLagDays'> {
  readonly kind: string;
  readonly rows: SaleColumns['kind'];
  readonly features: readonly Omit<FeatureColumn, 'codes'>[];
}

/** The columns as bytes: the same columns give the same bytes, on every engine and machine. */
export function encodeColumns(columns: SaleColumns): Uint8Array {
  const { meta, arrays } = archiveOf(columns);
  return packArchive(meta, arrays);
}

/** The same bytes as parts, which are views of the columns. */
export function snapshotParts(columns: SaleColumns): readonly Uint8Array[] {
  const { meta, arrays } = archiveOf(columns);
  return archiveParts(meta, arrays);
}

function archiveOf(columns: SaleColumns) {
  const arrays: Record<string, ArchiveArray> = archiveColumns(SALE_COLUMNS, 'sale', columns);
  Object.assign(arrays, archiveColumns(ATTRIBUTE_COLUMNS, 'attribute', columns.attributes));
  for (const name of TEXT_COLUMNS) {
    arrays[`${name}.offsets`] = columns[name].offsets;
    arrays[`${name}.bytes`] = columns[name].bytes;
  }
  columns.features.forEach((feature, i) => (arrays[`feature.${i}`] = feature.codes));
  if (columns.lastSeenOn) arrays.lastSeenOn = columns.lastSeenOn;
  if (columns.reviews) Object.assign(arrays, archiveColumns(REVIEW_COLUMNS, 'review', columns.reviews));
  if (columns.indexes) arrays.indexes = encodeIndexes(columns.indexes);
  const { n, kind, recordingLagDays } = columns;
  const features = columns.features.map(({ name, levels }) => ({ name, levels }));
  return { meta: { kind: KIND, n, rows: kind, recordingLagDays, features }, arrays };
}

/**
 * Columns as views of the bytes. An attribute that the snapshot lacks, because it was added to the program
 * later, is unknown in every row.
 *
 * @throws Error where the bytes are not a snapshot
 */
export function decodeColumns(bytes: Uint8Array): SaleColumns {
  const archive = unpackArchive<SnapshotMeta>(bytes);
  const { meta } = archive;
  if (meta?.kind !== KIND) throw new Error('The archive is not a snapshot of sales.');
  const attributes = {} as Record<Attribute, Float32Array>;
  for (const attribute of ATTRIBUTES) {
    const name = `attribute.${attribute}`;
    attributes[attribute] =
      name in archive.arrays
        ? takeArray(archive, name, Float32Array)
        : new Float32Array(meta.n).fill(Number.NaN);
  }
  return {
    n: meta.n,
    kind: meta.rows,
    recordingLagDays: meta.recordingLagDays,
    ...mapTexts((name) =>
      stringColumn(
        takeArray(archive, `${name}.offsets`, Uint32Array),
        takeArray(archive, `${name}.bytes`, Uint8Array),
      ),
    ),
    ...takeColumns(SALE_COLUMNS, 'sale', archive),
    attributes,
    features: meta.features.map(({ name, levels }, i): FeatureColumn => ({
      name,
      levels,
      codes: takeArray(archive, `feature.${i}`, Int32Array),
    })),
    lastSeenOn: 'lastSeenOn' in archive.arrays ? takeArray(archive, 'lastSeenOn', Int32Array) : null,
    ...('review.row' in archive.arrays && { reviews: takeColumns(REVIEW_COLUMNS, 'review', archive) }),
    ...('indexes' in archive.arrays && {
      indexes: decodeIndexes(takeArray(archive, 'indexes', Uint8Array)),
    }),
  };
}

/**
 * Rows hashed between two links of the chain. A snapshot hash for any day re-hashes at most this
 * many rows (~120 bytes each: 0.3 ms), and the links of 50,000 sales fill 1.6 kB.
 */
const ROWS_PER_LINK = 1024;

const HASHES_KEPT = 64;
const HASH_BYTES = 32;

export type DataSnapshots = ReturnType<typeof chainSnapshots>;

/**
 * Hashes of the sales on record on a day. A valuation keeps the hash, so that a replay can tell
 * whether the data are the same.
 *
 * A hash chain over the rows in column order: link k covers rows 0 … k·1024−1. Later sales come
 * after earlier ones, so an import changes no hash of a day on which its sales were not on record.
 */
export function chainSnapshots(columns: SaleColumns, derive: Derive = collectDerived().derive) {
  const { links } = derive('links', () => ({ links: linksOf(columns) }));
  /** Of all rows before the link; empty for none. */
  const linkAt = (link: number) => links.subarray(Math.max(0, link - 1) * HASH_BYTES, link * HASH_BYTES);
  // Most requests are as of today, so the last few hashes are kept (0.17 ms each otherwise).
  const kept = new Map<string, string>();
  const { indexes } = columns;
  return {
    /** SHA-256, hex, over the sales and the figures of price indexes that were known on the day. */
    hashAsOf(asOf: Day): string {
      const end = asOfEnd(columns, asOf);
      const figures = indexes ? countBelow(indexes.availableOn, asOf + 1, indexes.availableOn.length) : 0;
      const key = `${end} ${figures}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const link = Math.floor(end / ROWS_PER_LINK);
      const rows = hashRows(columns, linkAt(link), link * ROWS_PER_LINK, end);
      const hash = indexes && figures > 0 ? hashFigures(indexes, rows, figures) : rows;
      if (kept.size >= HASHES_KEPT) kept.clear();
      kept.set(key, hash.toString('hex'));
      return hash.toString('hex');
    },
  };
}

/** Hashes of the rows before each multiple of ROWS_PER_LINK, one after the other. */
function linksOf(columns: SaleColumns): Uint8Array {
  const count = Math.floor(columns.n / ROWS_PER_LINK);
  const links = new Uint8Array(count * HASH_BYTES);
  let last: Uint8Array = new Uint8Array(0);
  for (let link = 0; link < count; link++) {
    last = hashRows(columns, last, link * ROWS_PER_LINK, (link + 1) * ROWS_PER_LINK);
    links.set(last, link * HASH_BYTES);
  }
  return links;
}

/** Hash of the first `n` figures, chained to `previous`. */
function hashFigures({ series, ...columns }: ExternalIndexes, previous: Uint8Array, n: number): Buffer {
  const hash = createHash('sha256').update(previous);
  for (let i = 0; i < n; i++) {
    const { name, periodMonths } = series[columns.seriesCode[i]];
    hash.update(JSON.stringify([name, periodMonths, columns.day[i], columns.logValue[i]]));
  }
  return hash.digest();
}

/** Hash of everything in rows from … to−1 that can influence a value, chained to `previous`. */
function hashRows(columns: SaleColumns, previous: Uint8Array, from: number, to: number): Buffer {
  const hash = createHash('sha256').update(previous);
  const { soldOn, availableOn, priceUsd, lat, lon, type, armsLength } = columns;
  const attributes = ATTRIBUTES.map((attribute) => columns.attributes[attribute]);
  const numeric = [soldOn, availableOn, priceUsd, lat, lon, type, armsLength, ...attributes];
  for (const column of numeric) hash.update(bytesOf(column.subarray(from, to)));
  for (const name of TEXT_COLUMNS) hashTexts(hash, columns[name], from, to);
  for (const feature of columns.features) {
    const values: string[] = [];
    for (let row = from; row < to; row++) values.push(feature.levels[feature.codes[row]] ?? '');
    hash.update(JSON.stringify([feature.name, values]));
  }
  return hash.digest();
}

function hashTexts(hash: Hash, { offsets, bytes }: StringColumn, from: number, to: number): void {
  const lengths = Uint32Array.from(
    { length: to - from },
    (_, i) => offsets[from + i + 1] - offsets[from + i],
  );
  hash.update(bytesOf(lengths));
  hash.update(bytes.subarray(offsets[from], offsets[to]));
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
