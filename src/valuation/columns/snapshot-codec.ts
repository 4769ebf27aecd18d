import { packArchive, takeArray, unpackArchive, type ArchiveArray } from '../../array-archive.ts';
import { ATTRIBUTES, type Attribute } from '../../domain/property.ts';
import { archiveColumns, takeColumns } from '../typed-columns.ts';
import {
  ATTRIBUTE_COLUMNS,
  mapTexts,
  SALE_COLUMNS,
  TEXT_COLUMNS,
  type FeatureColumn,
  type SaleColumns,
} from './sale-columns.ts';

const KIND = 'sale-columns';

interface SnapshotMeta extends Pick<SaleColumns, 'n' | 'recordingLagDays'> {
  readonly kind: string;
  readonly rows: SaleColumns['kind'];
  readonly features: readonly Omit<FeatureColumn, 'codes'>[];
}

/** The columns as bytes: the same columns give the same bytes, on every engine and machine. */
export function encodeColumns(columns: SaleColumns): Uint8Array {
  const arrays: Record<string, ArchiveArray> = archiveColumns(SALE_COLUMNS, 'sale', columns);
  Object.assign(arrays, archiveColumns(ATTRIBUTE_COLUMNS, 'attribute', columns.attributes));
  for (const name of TEXT_COLUMNS) {
    arrays[`${name}.offsets`] = columns[name].offsets;
    arrays[`${name}.bytes`] = columns[name].bytes;
  }
  columns.features.forEach((feature, i) => (arrays[`feature.${i}`] = feature.codes));
  if (columns.lastSeenOn) arrays.lastSeenOn = columns.lastSeenOn;
  const { n, kind, recordingLagDays } = columns;
  const features = columns.features.map(({ name, levels }) => ({ name, levels }));
  return packArchive({ kind: KIND, n, rows: kind, recordingLagDays, features }, arrays);
}

/**
 * Columns as views of the bytes. An attribute that the snapshot lacks, because it was added to the program
 * later, is unknown in every row.
 *
 * @throws Error where the bytes are not a snapshot
 */
export function decodeColumns(bytes: Uint8Array): SaleColumns {
  const archive = unpackArchive(bytes);
  const meta = archive.meta as unknown as SnapshotMeta;
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
    ...mapTexts((name) => ({
      offsets: takeArray(archive, `${name}.offsets`, Uint32Array),
      bytes: takeArray(archive, `${name}.bytes`, Uint8Array),
    })),
    ...takeColumns(SALE_COLUMNS, 'sale', archive),
    attributes,
    features: meta.features.map(({ name, levels }, i): FeatureColumn => ({
      name,
      levels,
      codes: takeArray(archive, `feature.${i}`, Int32Array),
    })),
    lastSeenOn: 'lastSeenOn' in archive.arrays ? takeArray(archive, 'lastSeenOn', Int32Array) : null,
  };
}
