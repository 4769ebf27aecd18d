import { attributesOf } from '../../domain/property.ts';
import type { RentListing } from '../../domain/rent.ts';
import type { Sale } from '../../domain/sale.ts';
import type { Home } from '../../valuation/subject.ts';
import { readRent } from '../rows/read-rent.ts';
import { normal, streamOf } from './dice.ts';
import type { SampleCounty, SampleParcel } from './sample-county.ts';
import { MARKET_NOISE_SD, recordedAttributes } from './sales.ts';
import { trueValueUsd } from './true-value.ts';
import { rentRows } from './write-sample-county.ts';

/** The sales as importing the generated file gives them, for benches and tests that need no store. */
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

/** The same of the generated listings. */
export function rentsAsImported(county: SampleCounty): RentListing[] {
  const settings = { today: county.asOf, features: [], datePrecision: null };
  return Array.from(rentRows(county), (row, i) => {
    const listing = readRent((column) => row[column] ?? '', settings);
    const { lat, lon } = county.rents[i].parcel;
    return { ...listing, lat, lon };
  });
}

/** A home as the assessor's roll describes it on the county's as-of date, gaps included. */
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

/** What the home might truly fetch on the as-of date: its true value with the noise of an honest sale. */
export function possiblePriceUsd(county: SampleCounty, parcel: SampleParcel): number {
  const random = streamOf(county.seed, `possible price ${parcel.index}`);
  return trueValueUsd(parcel, county.asOf) * Math.exp(MARKET_NOISE_SD[parcel.type] * normal(random));
}
