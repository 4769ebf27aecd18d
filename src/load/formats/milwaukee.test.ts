import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { formatDay } from '../../domain/day.ts';
import type { ParcelPoint } from '../../store/property-records.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import type { PlaceIndex } from '../address-index.ts';
import { createPriceCheck, findChangedScales } from '../checks/check-sales.ts';
import { readNewRows } from '../import-records.ts';
import { SALES } from '../record-kinds.ts';
import { beginImport } from '../import-run.ts';
import { openColumns, startPass } from '../read-files.ts';
import { openTable } from '../../tables/open-table.ts';
import { featureColumn } from '../rows/mapping.ts';
import { readSale } from '../rows/read-rows.ts';
import { skipWholeFile } from '../../../test/harness/cases.ts';
import { openImportFixture } from '../../../test/harness/load/import-files.ts';
import { bindFormat } from './bind-format.ts';

const OLD =
  'PropType,Taxkey,Address,CondoProject,District,Nbhd,Style,Extwall,Stories,Year_Built,Nr_of_rms,Fin_sqft,Units,Bdrms,Fbath,Hbath,Lotsize,Sale_date,Sale_price';
const NEW =
  'PropertyID,PropType,taxkey,Address,CondoProject,District,nbhd,Style,Extwall,Stories,Year_Built,Rooms,FinishedSqft,Units,Bdrms,Fbath,Hbath,Lotsize,Sale_date,Sale_price';

function homeOf(header: string, cells: Record<string, string>): string {
  const columns = header.split(',');
  const { bind } = bindFormat('milwaukee', 'sales.csv', columns, 'sales');
  const given = Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name.toLowerCase(), cell]));
  try {
    const cell = bind({ line: 2, cells: columns.map((column) => given[column.toLowerCase()] ?? '') });
    return [cell('property_type'), cell('total_units'), cell('bedrooms')].join(' ');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test('kind, style and units give the type, the units and the bedrooms', () => {
  const apartments = (Style: string) =>
    homeOf(OLD, { PropType: 'Lg Apartment', Units: '1', Bdrms: '0', Style });
  assert.equal(apartments('Apartment: 30: 2-Br ,6: 3-Br  Units'), 'multifamily 36 78');
  assert.equal(apartments('Apartment: 4: 2-Br  Units'), 'small_multifamily 4 8');
  assert.equal(apartments('Apartment:  Units'), 'multifamily  ', 'the parcel decides');
  assert.equal(
    apartments('Apartment: 2: 1-Br ,3: 1-Br ,6: 2-Br ,18: 2-Br ,'),
    'multifamily  ',
    'cut at 48 characters',
  );
  const residential = (Style: string, Units: string) =>
    homeOf(NEW, { PropType: 'Residential', Style, Units, Bdrms: '3' });
  assert.equal(residential('Ranch', '1'), 'houses 1 3');
  assert.equal(residential('Townhouse', '1'), 'townhomes 1 3');
  assert.equal(residential('Townhouse', '2'), 'small_multifamily 2 3');
  assert.equal(residential('Rm or Rooming House', '8'), 'multifamily 8 3');
  assert.equal(residential('', 'NULL'), 'no_building');
  const condominium = (Style: string) =>
    homeOf(NEW, { PropType: 'Condominium', Style, Units: '1', Bdrms: '0' });
  assert.equal(condominium('TOWN HOUSE'), 'townhomes 1 ');
  assert.equal(condominium('Low Rise 1-3 Stories'), 'condos 1 ');
  const large = {
    PropType: 'Lg Apartment',
    Style: 'AP1 (Conventional Apt with 4-6 Units)',
    Units: '6',
    Bdrms: '2',
  };
  assert.equal(homeOf(NEW, large), 'multifamily 6 ', 'the bedrooms of one apartment');
  assert.equal(homeOf(NEW, { ...large, PropType: 'Commercial' }), 'multifamily 6 ');
  assert.equal(homeOf(NEW, { PropType: 'Commercial', Style: 'Tavern', Units: '1' }), 'not_residential');
});

test('a format also reads columns of the file as features', () => {
  const columns = NEW.split(',');
  const { bind } = bindFormat('milwaukee', 'sales.csv', columns, 'sales', ['Extwall']);
  const texts: Record<string, string> = { PropType: 'Condominium', Style: 'Mid Rise', Extwall: 'Brick' };
  const cell = bind({ line: 2, cells: columns.map((column) => texts[column] ?? '') });
  assert.deepEqual([cell('property_type'), cell(featureColumn('Extwall'))], ['condos', 'Brick']);
  assert.throws(() => bindFormat('milwaukee', 'sales.csv', columns, 'sales', ['Roof']), /no column "Roof"/);
});

const data = fileURLToPath(new URL('../../../../shared/data/milwaukee/', import.meta.url));

/** The parcel file as a place index: what an import would find in the store. */
async function parcelsOnly(): Promise<PlaceIndex> {
  const table = await openTable(`${data}parcels_2021.csv.gz`, () => {});
  const { bind } = bindFormat('milwaukee', 'parcels_2021.csv.gz', table.columns, 'parcels');
  const parcels = new Map<string, ParcelPoint>();
  for await (const batch of table.batches) {
    for (const row of batch) {
      const cell = bind(row);
      const point = { lat: Number(cell('latitude')), lon: Number(cell('longitude')) };
      parcels.set(cell('parcel_id'), { ...point, totalUnits: Number(cell('total_units')) });
    }
  }
  return {
    isEmpty: false,
    parcelsId: null,
    parcels: async () => parcels,
    address: async () => null,
  };
}

test(
  'the raw files give the cleaned sales: price, date, type and units',
  { skip: skipWholeFile(data) },
  async () => {
    const { deps, close } = await openImportFixture(engines[0]);
    const files = readdirSync(`${data}raw`).map((name) => `${data}raw/${name}`);
    assert.equal(files.length, 18);
    const run = await beginImport(deps, { marketId: 'wi-milwaukee', format: 'milwaukee', files }, 'sales');
    const open = openColumns(run, (cell) => readSale(cell, run.settings));
    const pass = await startPass(run, 'Reading sales', open);
    const sales = await readNewRows(SALES, pass, await parcelsOnly());
    assert.equal(pass.log.count('rejected').byReason.date_in_future, 1);
    // The checks of whole files pass: apartments have no bedrooms, and homes sold twice on one day are few.
    assert.deepEqual(findChangedScales(SALES.buildColumns(sales)), []);
    assert.ok(
      createPriceCheck(sales)
        .findings()
        .every(({ isBlocking }) => !isBlocking),
    );
    const counts = new Map<string, number>();
    for (const { parcelId, soldOn, priceUsd, type, attributes } of sales) {
      const key = [parcelId, formatDay(soldOn), priceUsd, type, attributes.totalUnits ?? ''].join('|');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const clean = await openTable(`${data}sales.csv.gz`, () => {});
    const wanted = ['parcel_id', 'sale_date', 'sale_price', 'property_type', 'total_units'];
    const at = wanted.map((name) => clean.columns.indexOf(name));
    let rows = 0;
    let found = 0;
    for await (const batch of clean.batches) {
      for (const { cells } of batch) {
        const key = at.map((i) => cells[i]).join('|');
        const left = counts.get(key) ?? 0;
        if (left > 0) found++;
        counts.set(key, left - 1);
        rows++;
      }
    }
    assert.equal(rows, 52_128);
    // Without the address index 122 sales of parcels that the parcel file lacks cannot be placed.
    assert.ok(found / rows >= 0.99, `${found} of ${rows} rows`);
    await close();
  },
);
