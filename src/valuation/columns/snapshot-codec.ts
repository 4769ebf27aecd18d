import { ATTRIBUTES, type Attribute } from '../../domain/property.ts';
import {
  packArchive,
  takeArray,
  unpackArchive,
  type Archive,
  type ArchiveArray,
} from '../../array-archive.ts';
import type { FeatureColumn, SaleColumns } from './sale-columns.ts';
import type { StringColumn } from './string-column.ts';

const KIND = 'sale-columns';
const TEXTS = ['recordId', 'parcelId', 'street', 'city', 'stateCode', 'postalCode'] as const;

interface SnapshotMeta {
  readonly kind: string;
  readonly n: number;
  readonly rows: SaleColumns['kind'];
  readonly recordingLagDays: number;
  readonly features: readonly { readonly name: string; readonly levels: readonly string[] }[];
}

/** The columns as bytes: the same columns give the same bytes, on every engine and machine. */
export function encodeColumns(columns: SaleColumns): Uint8Array {
  const arrays: Record<string, ArchiveArray> = {
    soldOn: columns.soldOn,
    availableOn: columns.availableOn,
    parcel: columns.parcel,
    priceUsd: columns.priceUsd,
    lat: columns.lat,
    lon: columns.lon,
    type: columns.type,
    armsLength: columns.armsLength,
    flag: columns.flag,
    flaggedOn: columns.flaggedOn,
  };
  for (const name of TEXTS) {
    arrays[`${name}.offsets`] = columns[name].offsets;
    arrays[`${name}.bytes`] = columns[name].bytes;
  }
  for (const attribute of ATTRIBUTES) arrays[`attribute.${attribute}`] = columns.attributes[attribute];
  columns.features.forEach((feature, i) => (arrays[`feature.${i}`] = feature.codes));
  if (columns.lastSeenOn) arrays.lastSeenOn = columns.lastSeenOn;
  return packArchive(
    {
      kind: KIND,
      n: columns.n,
      rows: columns.kind,
      recordingLagDays: columns.recordingLagDays,
      features: columns.features.map(({ name, levels }) => ({ name, levels })),
    },
    arrays,
  );
}

/** Columns as views of the bytes. Attributes that a snapshot older than the program lacks are unknown in every row. */
export function decodeColumns(bytes: Uint8Array): SaleColumns {
  const archive = unpackArchive(bytes);
  const meta = archive.meta as unknown as SnapshotMeta;
  if (meta?.kind !== KIND) throw new Error('The archive is no snapshot of sales.');
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
    recordId: takeTexts(archive, 'recordId'),
    parcelId: takeTexts(archive, 'parcelId'),
    street: takeTexts(archive, 'street'),
    city: takeTexts(archive, 'city'),
    stateCode: takeTexts(archive, 'stateCode'),
    postalCode: takeTexts(archive, 'postalCode'),
    soldOn: takeArray(archive, 'soldOn', Int32Array),
    availableOn: takeArray(archive, 'availableOn', Int32Array),
    parcel: takeArray(archive, 'parcel', Int32Array),
    priceUsd: takeArray(archive, 'priceUsd', Float64Array),
    lat: takeArray(archive, 'lat', Float64Array),
    lon: takeArray(archive, 'lon', Float64Array),
    type: takeArray(archive, 'type', Uint8Array),
    attributes,
    features: meta.features.map(({ name, levels }, i): FeatureColumn => ({
      name,
      levels,
      codes: takeArray(archive, `feature.${i}`, Int32Array),
    })),
    armsLength: takeArray(archive, 'armsLength', Uint8Array),
    lastSeenOn: 'lastSeenOn' in archive.arrays ? takeArray(archive, 'lastSeenOn', Int32Array) : null,
    flag: takeArray(archive, 'flag', Uint8Array),
    flaggedOn: takeArray(archive, 'flaggedOn', Int32Array),
  };
}

function takeTexts(archive: Archive, name: (typeof TEXTS)[number]): StringColumn {
  return {
    offsets: takeArray(archive, `${name}.offsets`, Uint32Array),
    bytes: takeArray(archive, `${name}.bytes`, Uint8Array),
  };
}
