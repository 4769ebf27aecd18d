import type { RecordKind, MarketRecord, ReadRow } from './record-kind.ts';
import type { Located, Pass } from './import-run.ts';
import type { PlaceIndex } from './place-rows.ts';
import { typeOfUnits } from '../domain/property-type-words.ts';
import { RowRejection } from './rows/row-rejection.ts';

type RowBuilder<Read extends ReadRow, Row extends MarketRecord> = Pick<
  RecordKind<Read, Row>,
  'place' | 'identityOf' | 'canonical'
>;

/** The rows of the files by record id, placed. */
export interface NewRows<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  /** Rows that repeat an earlier row exactly. */
  readonly repeated: number;
}

export async function readNewRows<Read extends ReadRow, Row extends MarketRecord>(
  builder: RowBuilder<Read, Row>,
  pass: Pass<Read>,
  places: PlaceIndex,
): Promise<NewRows<Row>> {
  const rows = new Map<string, Row>();
  const isSame = (a: Row, b: Row): boolean =>
    builder.canonical(a) === builder.canonical({ ...b, recordId: a.recordId });
  let repeated = 0;
  for await (const batch of pass.batches) {
    for (const { file, line, value } of await placeBatch(builder, pass, batch, places)) {
      const row =
        value.recordId === '' ? { ...value, recordId: freeRecordId(builder, rows, value, isSame) } : value;
      const earlier = rows.get(row.recordId);
      if (earlier === undefined) rows.set(row.recordId, row);
      else if (isSame(earlier, row)) repeated++;
      else
        pass.log.add(
          file,
          line,
          new RowRejection('rejected', 'record_id_repeated', 'record_id', row.recordId),
        );
    }
  }
  return { rows, repeated };
}

/**
 * The id made of what makes a row, so that the same row has the same id in every file and order. Rows that are alike
 * in that and differ elsewhere are numbered: all of them stay, to be flagged as duplicates.
 */
function freeRecordId<Read extends ReadRow, Row extends MarketRecord>(
  builder: RowBuilder<Read, Row>,
  rows: ReadonlyMap<string, Row>,
  row: Row,
  isSame: (a: Row, b: Row) => boolean,
): string {
  const home = [row.parcelId, row.address.street].filter((part) => part !== null && part !== '').join('/');
  const plain = `${home || `${row.lat},${row.lon}`}/${builder.identityOf(row)}`;
  let recordId = plain;
  for (let again = 2; ; again++) {
    const earlier = rows.get(recordId);
    if (earlier === undefined || isSame(earlier, row)) return recordId;
    recordId = `${plain}/${again}`;
  }
}

/**
 * Rows without coordinates take those of their parcel, else of their address; apartment buildings without a number
 * of units take the parcel's. Rows that cannot be placed are refused.
 */
async function placeBatch<Read extends ReadRow, Row extends MarketRecord>(
  { place }: RowBuilder<Read, Row>,
  pass: Pass<Read>,
  batch: readonly Located<Read>[],
  places: PlaceIndex,
): Promise<Located<Row>[]> {
  const wanted = batch.flatMap(({ value }) =>
    needsParcel(value) && value.parcelId !== null ? [value.parcelId] : [],
  );
  const parcels = await places.parcels([...new Set(wanted)]);
  const placed: Located<Row>[] = [];
  for (const { file, line, value } of batch) {
    const parcel = value.parcelId === null ? undefined : parcels.get(value.parcelId);
    const { lat, lon } = value;
    const point =
      lat !== null && lon !== null ? { lat, lon } : (parcel ?? (await places.address(value.address)));
    if (point) {
      const row = place(value, { lat: point.lat, lon: point.lon });
      placed.push({ file, line, value: withUnits(row, parcel?.totalUnits ?? null) });
    } else {
      pass.log.add(file, line, new RowRejection('rejected', 'not_located', 'address', value.address.street));
    }
  }
  return placed;
}

function needsParcel(row: ReadRow): boolean {
  return row.lat === null || lacksUnits(row);
}

function lacksUnits(row: Pick<MarketRecord, 'type' | 'attributes'>): boolean {
  return row.type === 'multifamily' && row.attributes.totalUnits === null;
}

function withUnits<Row extends MarketRecord>(row: Row, totalUnits: number | null): Row {
  if (!lacksUnits(row) || totalUnits === null || totalUnits < 2) return row;
  return { ...row, type: typeOfUnits(totalUnits), attributes: { ...row.attributes, totalUnits } };
}
