import { formatDay } from '../domain/day.ts';
import type { Sale } from '../domain/sale.ts';
import { canonicalSale } from './rows/canonical-rows.ts';
import type { Located, Pass } from './import-run.ts';
import type { PlaceIndex } from './place-rows.ts';
import { typeOfUnits } from './rows/property-type-words.ts';
import type { Unplaced } from './rows/read-rows.ts';
import { RowRefusal } from './rows/row-refusal.ts';

/** The sales of the files by record id, placed. */
export interface NewSales {
  readonly sales: ReadonlyMap<string, Sale>;
  /** Rows that said again, word for word, what a row before them said. */
  readonly repeated: number;
}

export async function readNewSales(pass: Pass<Unplaced<Sale>>, places: PlaceIndex): Promise<NewSales> {
  const sales = new Map<string, Sale>();
  let repeated = 0;
  for await (const batch of pass.batches) {
    for (const { file, line, value } of await placeBatch(pass, batch, places)) {
      const sale = value.recordId === '' ? { ...value, recordId: freeRecordId(sales, value) } : value;
      const earlier = sales.get(sale.recordId);
      if (earlier === undefined) sales.set(sale.recordId, sale);
      else if (isSame(earlier, sale)) repeated++;
      else
        pass.log.add(
          file,
          line,
          new RowRefusal('rejected', 'record_id_repeated', 'record_id', sale.recordId),
        );
    }
  }
  return { sales, repeated };
}

/**
 * The id made of what makes a sale. Rows of one home, day and price that differ elsewhere are numbered: all of them
 * stay, to be flagged as duplicates.
 */
function freeRecordId(sales: ReadonlyMap<string, Sale>, sale: Sale): string {
  const plain = recordIdOf(sale);
  let recordId = plain;
  for (let again = 2; ; again++) {
    const earlier = sales.get(recordId);
    if (earlier === undefined || isSame(earlier, sale)) return recordId;
    recordId = `${plain}/${again}`;
  }
}

function isSame(a: Sale, b: Sale): boolean {
  return canonicalSale(a) === canonicalSale({ ...b, recordId: a.recordId });
}

/**
 * Sales without coordinates take those of their parcel, else of their address; apartment buildings without a number
 * of units take the parcel's. Rows that cannot be placed are refused.
 */
async function placeBatch(
  pass: Pass<Unplaced<Sale>>,
  batch: readonly Located<Unplaced<Sale>>[],
  places: PlaceIndex,
): Promise<Located<Sale>[]> {
  const wanted = batch.flatMap(({ value }) =>
    needsParcel(value) && value.parcelId !== null ? [value.parcelId] : [],
  );
  const parcels = await places.parcels([...new Set(wanted)]);
  const placed: Located<Sale>[] = [];
  for (const { file, line, value } of batch) {
    const parcel = value.parcelId === null ? undefined : parcels.get(value.parcelId);
    const { lat, lon } = value;
    const point =
      lat !== null && lon !== null ? { lat, lon } : (parcel ?? (await places.address(value.address)));
    if (point) {
      const sale = { ...value, lat: point.lat, lon: point.lon };
      placed.push({ file, line, value: withUnits(sale, parcel?.totalUnits ?? null) });
    } else {
      pass.log.add(file, line, new RowRefusal('rejected', 'not_located', 'address', value.address.street));
    }
  }
  return placed;
}

function needsParcel(sale: Unplaced<Sale>): boolean {
  return sale.lat === null || lacksUnits(sale);
}

function lacksUnits(sale: Pick<Sale, 'type' | 'attributes'>): boolean {
  return sale.type === 'multifamily' && sale.attributes.totalUnits === null;
}

function withUnits(sale: Sale, totalUnits: number | null): Sale {
  if (!lacksUnits(sale) || totalUnits === null || totalUnits < 2) return sale;
  return { ...sale, type: typeOfUnits(totalUnits), attributes: { ...sale.attributes, totalUnits } };
}

/** The same row has the same id in every file and order. */
function recordIdOf(sale: Sale): string {
  const home = [sale.parcelId, sale.address.street].filter((part) => part !== null && part !== '').join('/');
  return `${home || `${sale.lat},${sale.lon}`}/${formatDay(sale.soldOn)}/${sale.priceUsd}`;
}
