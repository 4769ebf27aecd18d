import { attributesOf } from '../../../src/domain/property.ts';
import type { RentListing } from '../../../src/domain/rent.ts';
import type { Sale } from '../../../src/domain/sale.ts';
import type { Home } from '../../../src/valuation/subject.ts';
import { readRent } from '../../../src/load/rows/read-rows.ts';
import type { SampleCounty } from '../../../src/load/sample-county/generate-sample-county.ts';
import type { SampleParcel } from '../../../src/load/sample-county/homes.ts';
import { TYPE_TRAITS } from '../../../src/load/sample-county/property-types.ts';
import { normal, streamOf } from '../../../src/load/sample-county/random-draws.ts';
import { recordedAttributes } from '../../../src/load/sample-county/sales-and-rents.ts';
import { trueValueUsd } from '../../../src/load/sample-county/true-value.ts';
import { rentRows } from '../../../src/load/sample-county/write-sample-county.ts';

/** The generated sales as they are after import, for benchmarks and tests that need no store. */
export function salesAsImported(county: SampleCounty): Sale[] {
  return county.sales.map((sale) => ({
    recordId: sale.recordId,
    parcelId: sale.parcel.parcelId,
    soldOn: sale.soldOn,
    recordedOn: sale.recordedOn,
    datePrecision: 'day',
    priceUsd: sale.priceUsd,
    address: sale.parcel.address,
    lat: sale.parcel.lat,
    lon: sale.parcel.lon,
    type: sale.parcel.type,
    attributes: sale.recorded,
    features: {},
    isArmsLength: sale.isArmsLength,
  }));
}

/** The generated rental listings as they are after import. */
export function rentsAsImported(county: SampleCounty): RentListing[] {
  const settings = { today: county.asOf, features: [], datePrecision: null };
  return Array.from(rentRows(county), (row, i) => {
    const listing = readRent((column) => String(row[column] ?? ''), settings);
    const { lat, lon } = county.rents[i].parcel;
    return { ...listing, lat, lon };
  });
}

/** A home as the assessor's roll describes it on the county's as-of date, including gaps. */
export function homeAsRecorded(county: SampleCounty, parcel: SampleParcel): Home {
  const random = streamOf(county.seed, `roll ${parcel.index}`);
  return {
    lat: parcel.lat,
    lon: parcel.lon,
    type: parcel.type,
    attributes: attributesOf(recordedAttributes(random, parcel, county.asOf)),
    features: {},
    parcelId: parcel.parcelId,
  };
}

/**
 * A price that the home might truly sell for on the as-of date: its true value with the noise of an
 * arm's-length sale.
 */
export function possiblePriceUsd(county: SampleCounty, parcel: SampleParcel): number {
  const random = streamOf(county.seed, `possible price ${parcel.index}`);
  return trueValueUsd(parcel, county.asOf) * Math.exp(TYPE_TRAITS[parcel.type].noiseSd * normal(random));
}
