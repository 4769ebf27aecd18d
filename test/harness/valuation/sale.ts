import { attributesOf, type Attributes } from '../../../src/domain/property.ts';
import { dayOf } from '../../../src/domain/day.ts';
import type { Sale } from '../../../src/domain/sale.ts';

export type SalePart = Partial<Omit<Sale, 'attributes'>> & { readonly attributes?: Partial<Attributes> };

/** A sale of a house for $300,000 without a parcel or known attributes, except for what is given. */
export function saleOf({ attributes = {}, ...part }: SalePart): Sale {
  return {
    recordId: 'r',
    parcelId: null,
    soldOn: dayOf(2021, 3, 1),
    recordedOn: null,
    datePrecision: 'day',
    priceUsd: 300_000,
    address: { street: '1 A ST', city: '', stateCode: '', postalCode: '' },
    lat: 43,
    lon: -88,
    type: 'houses',
    isArmsLength: null,
    features: {},
    ...part,
    attributes: attributesOf(attributes),
  };
}
