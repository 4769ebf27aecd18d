/**
 * Measures how many addresses are found in different spellings, and how far off: `node bench/locate.ts
 * [folder]`. Imports Milwaukee's address file and sales and King County's business addresses (../shared/data)
 * into a database in `folder` (default: a temporary one; an existing one is reused), then looks up 2,000
 * random addresses of each in several spellings.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/clock.ts';
import { PlumblineError } from '../src/errors.ts';
import { distanceMi, METERS_PER_MILE } from '../src/geo/distance.ts';
import { importAddresses } from '../src/load/import-parcels.ts';
import { importSales } from '../src/load/import-records.ts';
import { addressReadings } from '../src/domain/address-parts.ts';
import { addressSources, locateSubject } from '../src/locate/locate-subject.ts';
import { interpolateNumber, matchStreet } from '../src/locate/match-street.ts';
import { readAddressPoints, type AddressPointRow } from '../src/store/address-points.ts';
import { currentDataset } from '../src/store/datasets.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import { seededRandom, type Random } from '../src/valuation/random.ts';
import { DATA } from './accuracy-data.ts';
import type { DatasetKind } from '../src/store/tables/datasets.ts';

const SAMPLE = 2000;

type Words = Readonly<Record<string, string>>;
const FULL_TYPES: Words = {
  AV: 'Avenue',
  AVE: 'Avenue',
  ST: 'Street',
  DR: 'Drive',
  PL: 'Place',
  RD: 'Road',
  BL: 'Boulevard',
  CT: 'Court',
  PK: 'Parkway',
  LA: 'Lane',
  LN: 'Lane',
  CR: 'Circle',
  TR: 'Terrace',
  WA: 'Way',
  HWY: 'Highway',
};
const POSTAL_TYPES: Words = {
  AV: 'Ave.',
  ST: 'St.',
  BL: 'Blvd',
  LA: 'Ln',
  PK: 'Pkwy',
  CR: 'Cir',
  TR: 'Ter',
  WA: 'Way',
};
const FULL_DIRECTIONS: Words = {
  N: 'North',
  S: 'South',
  E: 'East',
  W: 'West',
  NE: 'Northeast',
  SW: 'Southwest',
};

interface Parts {
  readonly street: string;
  readonly unit: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
}

/**
 * Replaces whole words. The first and second word (a number, a street named "ST PAUL") never become types.
 */
function rewrite(street: string, types: Words, directions: Words): string {
  const words = street.split(' ');
  const last = words.findLastIndex((word, i) => i > 1 && word in types);
  return words
    .map((word, i) => (i === last ? types[word] : i > 0 && i !== 2 ? (directions[word] ?? word) : word))
    .join(' ');
}

const SPELLINGS: Readonly<Record<string, (p: Parts) => string>> = {
  'as published': (p) => p.street + (p.unit && ` #${p.unit}`),
  'lower case, city, state': (p) =>
    `${p.street}${p.unit && ` apt ${p.unit}`}, ${p.city}, ${p.state}`.toLowerCase(),
  'full words, commas, ZIP': (p) =>
    `${rewrite(p.street, FULL_TYPES, FULL_DIRECTIONS)}${p.unit && `, Unit ${p.unit}`}, ${p.city}, ${p.state} ${p.zip}`,
  'postal types, no commas': (p) =>
    `${rewrite(p.street, POSTAL_TYPES, {})}${p.unit && ` #${p.unit}`} ${p.city} ${p.state} ${p.zip}`.trim(),
  'city only, no commas': (p) => `${p.street}${p.unit && ` STE ${p.unit}`} ${p.city}`,
  'without its direction': (p) =>
    `${p.street
      .split(' ')
      .filter((w) => !(w in FULL_DIRECTIONS))
      .join(' ')}, ${p.city}`,
  'wrong number (+2000000)': (p) =>
    p.street.replace(/^\d+/, (n) => String(Number(n) + 2_000_000)) + `, ${p.city}`,
  'another state': (p) => `${p.street}, Chicago, IL`,
};

/** Spellings that must not be found. Suggestions take longer, so fewer are tried. */
const REFUSED = ['wrong number (+2000000)', 'another state'];

async function measure(
  store: Store,
  name: string,
  points: readonly AddressPointRow[],
  random: Random,
  partsOf: (p: AddressPointRow) => Parts,
) {
  const drawn = Array.from({ length: SAMPLE }, () => points[Math.floor(random() * points.length)]);
  for (const [spelling, write] of Object.entries(SPELLINGS)) {
    const sample = REFUSED.includes(spelling) ? drawn.slice(0, SAMPLE / 10) : drawn;
    const meters: number[] = [];
    const misses: string[] = [];
    let ambiguous = 0;
    const started = performance.now();
    for (const point of sample) {
      const text = write(partsOf(point));
      try {
        const located = await locateSubject(
          { store },
          { address: text, lat: null, lon: null, mapsPlace: null },
        );
        meters.push(distanceMi(located.lat, located.lon, point.lat, point.lon) * METERS_PER_MILE);
      } catch (error) {
        if (!(error instanceof PlumblineError)) throw error;
        if (error.message.includes('several places')) ambiguous++;
        misses.push(`${error.message.includes('several places') ? 'ambiguous' : 'not found'}: ${text}`);
      }
    }
    const ms = (performance.now() - started) / sample.length;
    meters.sort((a, b) => a - b);
    const share = (n: number): string => `${((n / sample.length) * 100).toFixed(2)} %`;
    const far = meters.filter((m) => m > 100).length;
    const at = (q: number): string => (meters[Math.floor((meters.length - 1) * q)] ?? NaN).toFixed(1);
    console.log(
      `${name}, ${spelling}: found ${share(meters.length)}, ambiguous ${share(ambiguous)}, ` +
        `median ${at(0.5)} m, 99th ${at(0.99)} m, beyond 100 m ${share(far)}; ${ms.toFixed(2)} ms`,
    );
    if (process.argv.includes('--misses')) for (const text of misses.slice(0, 12)) console.log(`    ${text}`);
  }
}

/**
 * Looks up the addresses of sales, as the assessor writes them, in the city's own address file. The sales'
 * coordinates were joined from that file by parcel, so distances show wrong matches but not precision.
 */
async function measureSales(store: Store, random: Random): Promise<void> {
  const addresses = await currentDataset(store, 'wi-milwaukee', 'addresses');
  const points = await pointsOf(store, 'wi-milwaukee', 'sales');
  const meters: number[] = [];
  for (let i = 0; i < SAMPLE; i++) {
    const point = points[Math.floor(random() * points.length)];
    const { street, city, stateCode } = point.address;
    const request = {
      address: `${street}, ${city}, ${stateCode}`,
      lat: null,
      lon: null,
      mapsPlace: null,
    };
    const located = await locateSubject({ store }, request).catch(() => null);
    if (located?.matchedPoint?.rowsId !== addresses?.rowsId) continue;
    meters.push(distanceMi(located?.lat ?? NaN, located?.lon ?? NaN, point.lat, point.lon) * METERS_PER_MILE);
  }
  meters.sort((a, b) => a - b);
  const at = (q: number): string => meters[Math.floor((meters.length - 1) * q)].toFixed(1);
  console.log(
    `Milwaukee sales in the city's address file: found ${((meters.length / SAMPLE) * 100).toFixed(2)} %, ` +
      `median ${at(0.5)} m, 90th ${at(0.9)} m, 99th ${at(0.99)} m`,
  );
}

/**
 * Locates addresses as if the index lacked their house number: between neighbors, and by their street.
 * `found` counts those that could be located; `within` those whose true location is within the reported
 * distance.
 */
async function measureMissing(
  store: Store,
  name: string,
  points: readonly AddressPointRow[],
  random: Random,
  partsOf: (p: AddressPointRow) => Parts,
): Promise<void> {
  const sources = await addressSources({ store });
  for (const [method, find] of [
    ['between its neighbors', interpolateNumber],
    ['by its street', matchStreet],
  ] as const) {
    const meters: number[] = [];
    let within = 0;
    const started = performance.now();
    for (let i = 0; i < SAMPLE; i++) {
      const point = points[Math.floor(random() * points.length)];
      const { street, city, state } = partsOf(point);
      const place = await find(sources, addressReadings(`${street}, ${city}, ${state}`)[0]);
      if (place === null || place.isDoubtful) continue;
      const off = distanceMi(place.lat, place.lon, point.lat, point.lon) * METERS_PER_MILE;
      meters.push(off);
      if (off <= (place.accuracyM ?? 0)) within++;
    }
    const ms = (performance.now() - started) / SAMPLE;
    meters.sort((a, b) => a - b);
    const at = (q: number): string => (meters[Math.floor((meters.length - 1) * q)] ?? NaN).toFixed(0);
    console.log(
      `${name}, missing, ${method}: placed ${((meters.length / SAMPLE) * 100).toFixed(1)} %, median ${at(0.5)} m, ` +
        `90th ${at(0.9)} m, 99th ${at(0.99)} m, within what it says ${((within / meters.length) * 100).toFixed(1)} %; ` +
        `${ms.toFixed(2)} ms`,
    );
  }
}

async function load(store: Store, dataDir: string): Promise<void> {
  const file = (path: string): string => fileURLToPath(new URL(path, DATA));
  const mapping = (name: string, columns: unknown): string => {
    const path = join(dataDir, name);
    writeFileSync(path, JSON.stringify(columns));
    return path;
  };
  const deps = { store, clock: systemClock, dataDir };
  const milwaukee = mapping('milwaukee.json', { address: 'address_string' });
  const king = mapping('king.json', {
    address: 'address',
    city: 'city',
    postal_code: 'zip_code',
    state_code: { const: 'WA' },
  });
  await importAddresses(deps, {
    marketId: 'wi-milwaukee',
    files: [file('milwaukee/addresses.csv.gz')],
    mapping: milwaukee,
  });
  await importSales(deps, { marketId: 'wi-milwaukee', files: [file('milwaukee/sales.csv.gz')] });
  await importAddresses(deps, {
    marketId: 'wa-king',
    files: [file('king/business_addresses.csv.gz')],
    mapping: king,
  });
}

async function pointsOf(
  store: Store,
  marketId: string,
  kind: DatasetKind = 'addresses',
): Promise<AddressPointRow[]> {
  const dataset = await currentDataset(store, marketId, kind);
  const points: AddressPointRow[] = [];
  if (dataset) for await (const page of readAddressPoints(store, dataset.rowsId)) points.push(...page);
  return points;
}

function milwaukeeParts({ address }: AddressPointRow): Parts {
  const [street, unit = ''] = address.street.split(' #');
  return { street, unit, city: 'Milwaukee', state: 'WI', zip: '' };
}

function kingParts({ address }: AddressPointRow): Parts {
  const whole = address.street.replace(new RegExp(`^(.*) ${address.city}.*$`, 'i'), '$1');
  const [, street, unit = ''] = /^(.*?)(?: (?:#|STE #?|UNIT #?|APT #?|BLDG )(.*))?$/.exec(whole) ?? [
    '',
    whole,
    '',
  ];
  return { street, unit, city: address.city, state: 'WA', zip: address.postalCode };
}

if (import.meta.main) {
  const folder = process.argv[2]?.startsWith('--') ? undefined : process.argv[2];
  if (!existsSync(DATA))
    console.log('bench/locate.ts needs ../shared/data, which is not here: nothing measured.');
  else {
    const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'plumbline-locate-'));
    const store = await openStore({ databaseUrl: null, dataDir, clock: systemClock });
    const started = performance.now();
    if (!(await currentDataset(store, 'wa-king', 'addresses'))) await load(store, dataDir);
    console.log(`loaded in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    const random = seededRandom(7);
    await measureSales(store, random);
    const milwaukee = await pointsOf(store, 'wi-milwaukee');
    const king = await pointsOf(store, 'wa-king');
    await measure(store, 'Milwaukee', milwaukee, random, milwaukeeParts);
    await measure(store, 'King', king, random, kingParts);
    await measureMissing(store, 'Milwaukee', milwaukee, random, milwaukeeParts);
    await measureMissing(store, 'King', king, random, kingParts);
    await store.close();
    if (folder === undefined) rmSync(dataDir, { recursive: true });
  }
}
