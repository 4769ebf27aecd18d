import { attributesOf } from '../../../src/domain/property.ts';
import type { Parcel } from '../../../src/domain/parcel.ts';
import type { RentListing } from '../../../src/domain/rent.ts';
import type { Sale } from '../../../src/domain/sale.ts';
import type { KeyedAddressPoint } from '../../../src/store/address-points.ts';
import type { DatasetSource } from '../../../src/store/datasets.ts';
import type { ApiKeyRecord, ValuationRecord } from '../../../src/store/tables/accounts.ts';

/** Rows for store tests: complete, each slightly different, with texts that are hard to store. */

export const SOURCE: DatasetSource = {
  name: 'Test county',
  license: 'CC0-1.0',
  retrievedAt: '2024-05-01',
  fileHashes: ['ab', 'cd'],
  options: { features: ['grade'], mapping: null },
};

/** Quotes, backslashes, braces, other alphabets, astral characters, an empty text, the word NULL. */
const AWKWARD_TEXTS = [
  `O'Hara "Lane" \\ 5`,
  '{1,NULL}',
  'NULL',
  '',
  ' Ärzteweg ß',
  '𝔸venue 🏠',
  'a\tb\nc',
  '\\x41',
];

function awkward(i: number): string {
  return AWKWARD_TEXTS[i % AWKWARD_TEXTS.length];
}

export function testSale(i: number): Sale {
  return {
    recordId: `${awkward(i)}-${i}`,
    parcelId: i % 3 === 0 ? null : `parcel ${i % 5}`,
    soldOn: 15_000 + i,
    recordedOn: i % 2 === 0 ? null : 15_020 + i,
    datePrecision: i % 4 === 0 ? 'month' : 'day',
    priceUsd: 250_000.1 + i / 3,
    address: { street: `${i} ${awkward(i + 1)}`, city: awkward(i + 2), stateCode: 'WI', postalCode: '' },
    lat: 43 + i * 0.000_1,
    lon: -87.9 - i / 7_000,
    type: i % 2 === 0 ? 'houses' : 'condos',
    attributes: attributesOf({ bedrooms: i % 6, bathrooms: 1.5, hasPool: i % 2, livingAreaSqft: 0.1 + 0.2 }),
    features: i % 2 === 0 ? {} : { view: awkward(i), grade: String(i) },
    isArmsLength: [true, false, null][i % 3],
  };
}

export function testRent(i: number): RentListing {
  const { recordId, parcelId, soldOn, datePrecision, address, lat, lon, type, attributes, features } =
    testSale(i);
  return {
    recordId,
    parcelId,
    datePrecision,
    address,
    lat,
    lon,
    type,
    attributes,
    features,
    listedOn: soldOn,
    lastSeenOn: i % 2 === 0 ? null : soldOn + i,
    rentUsd: 1_500.1 + i / 3,
    isFurnished: [true, false, null][i % 3],
    hasParking: [null, true, false][i % 3],
  };
}

export function testParcel(i: number): Parcel {
  const { address, lat, lon, attributes, features } = testSale(i);
  const type = i % 2 === 0 ? null : 'townhomes';
  return { parcelId: `${awkward(i)} ${i}`, asOf: 18_000 + i, address, lat, lon, type, attributes, features };
}

export function testAddressPoint(i: number): KeyedAddressPoint {
  const { address, lat, lon, parcelId } = testSale(i);
  const key = {
    number: String(100 + (i % 4)),
    numberSuffix: i % 5 === 0 ? 'A' : '',
    preDirection: 'N',
    streetName: i % 2 === 0 ? 'LAKE' : awkward(i),
    streetType: 'DR',
    postDirection: '',
    unit: String(i % 7),
    city: 'MILWAUKEE',
    stateCode: 'WI',
    postalCode: '53202',
  };
  return { address, lat, lon, parcelId, key, knownOn: i % 3 === 0 ? i : null };
}

export function many<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_unused, i) => make(i));
}

export async function collect<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

export function testApiKey(keyId: string): ApiKeyRecord {
  return {
    keyId,
    accountId: 'self',
    name: 'A key',
    environment: 'live',
    scopes: ['valuations'],
    secretSha256: 'ab'.repeat(32),
    lastCharacters: 'wxyz',
    createdAt: 1_700_000_000_000,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
  };
}

export function testValuation(valuationId: string): ValuationRecord {
  return {
    valuationId,
    accountId: 'self',
    keyId: null,
    kind: 'property',
    createdAt: 1_700_000_000_000,
    request: JSON.stringify({ address: `1 ${AWKWARD_TEXTS[0]}`, latitude: 43.1 }),
    inputs: JSON.stringify({ modelId: 'm', datasets: [1, 2] }),
    response: '{"point_value": 250000}\n',
    credits: 30,
  };
}
