import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { formatDay } from '../../src/domain/day.ts';
import { seededRandom } from '../../src/valuation/random.ts';
import { LAST_DAY } from './synthetic-market.ts';

/** 25 years, in which half of the homes are sold more than once. */
const DAYS = 25 * 365;
const SALES_OF_HOME = 2;
/** Homes of a square mile. */
const DENSITY = 800;
const MILES_PER_LAT = 69;
const MILES_PER_LON = 50;
const HOMES_OF_STREET = 400;

const SALE_COLUMNS =
  'record_id,parcel_id,sale_date,recorded_date,sale_price,arms_length,address,city,state_code,postal_code,property_type,' +
  'total_units,bedrooms,bathrooms,living_area,lot_size,year_built,num_stories,neighborhood';
const TYPES = ['houses', 'houses', 'houses', 'houses', 'condos', 'small_multifamily', 'townhomes'];
const WRITTEN_AT_ONCE = 1 << 18;

/** What a home is, from its number alone. Homes with neighboring numbers are neighbors, as in the lists of assessors. */
function homeOf(home: number, homes: number) {
  const random = seededRandom(home);
  const side = Math.sqrt(homes / DENSITY);
  const inLine = Math.ceil(Math.sqrt(homes));
  const x = ((home % inLine) + random()) / inLine - 0.5;
  const y = (Math.floor(home / inLine) + random()) / inLine - 0.5;
  const livingArea = Math.round(700 + 2600 * random() ** 2);
  const street = Math.floor(home / HOMES_OF_STREET);
  return {
    parcelId: String(1_000_000_000 + home),
    address: `${100 + 2 * (home % HOMES_OF_STREET)} ${street % 2 === 0 ? 'N' : 'W'} ${street} ST`,
    postalCode: String(53_000 + (street % 900)),
    lat: (43.04 + (side * y) / MILES_PER_LAT).toFixed(6),
    lon: (-87.95 + (side * x) / MILES_PER_LON).toFixed(6),
    type: TYPES[Math.floor(TYPES.length * random())],
    bedrooms: 1 + Math.floor(5 * random()),
    bathrooms: 1 + Math.floor(5 * random()) / 2,
    livingArea,
    lotSize: Math.round(3000 + 6000 * random()),
    yearBuilt: Math.round(1880 + 115 * random()),
    stories: 1 + Math.floor(2 * random()),
    area: 1000 + 40 * Math.floor(8 * (x + 0.5)) + Math.floor(8 * (y + 0.5)),
    logPrice: 8 + 0.6 * Math.log(livingArea) + 0.5 * Math.sin(9 * x) + 0.4 * Math.cos(7 * y + 3 * x),
  };
}

function saleLine(i: number, homes: number): string {
  const random = seededRandom(0x5a1e + i);
  const home = homeOf(Math.floor(homes * random()), homes);
  const soldOn = LAST_DAY - Math.floor(DAYS * random());
  const growth = (0.04 * (soldOn - LAST_DAY)) / 365;
  const priceUsd = 500 * Math.round(Math.exp(home.logPrice + growth + 0.2 * (random() + random() - 1)) / 500);
  return [
    `D${1_000_000 + i}`,
    home.parcelId,
    formatDay(soldOn),
    formatDay(soldOn + Math.floor(30 * random())),
    priceUsd,
    random() < 0.9 ? 'yes' : 'no',
    `${home.address},Benchville,WI,${home.postalCode}`,
    home.type,
    home.type === 'small_multifamily' ? 2 : 1,
    home.bedrooms,
    home.bathrooms,
    random() < 0.05 ? '' : home.livingArea,
    home.lotSize,
    home.yearBuilt,
    home.stories,
    home.area,
    `${home.lat},${home.lon}`,
  ].join(',');
}

function parcelLine(i: number, homes: number): string {
  const { parcelId, address, postalCode, lat, lon } = homeOf(i, homes);
  return `${parcelId},${address},Benchville,WI,${postalCode},${lat},${lon}`;
}

async function writeLines(path: string, header: string, count: number, lineOf: (i: number) => string) {
  const file = createWriteStream(path);
  let text = `${header}\n`;
  for (let i = 0; i < count; i++) {
    text += `${lineOf(i)}\n`;
    if (text.length < WRITTEN_AT_ONCE) continue;
    if (!file.write(text)) await once(file, 'drain');
    text = '';
  }
  file.end(text);
  await once(file, 'close');
}

/** Writes generated sales as CSV, about 140 bytes each. Without coordinates they are placed by their parcels. */
export function writeSalesFile(path: string, sales: number, hasCoordinates: boolean): Promise<void> {
  const homes = Math.ceil(sales / SALES_OF_HOME);
  const withoutPoint = (line: string): string => line.split(',').slice(0, -2).join(',');
  return writeLines(path, SALE_COLUMNS + (hasCoordinates ? ',latitude,longitude' : ''), sales, (i) =>
    hasCoordinates ? saleLine(i, homes) : withoutPoint(saleLine(i, homes)),
  );
}

/** Writes the parcels of the same sales. */
export function writeParcelsFile(path: string, sales: number): Promise<void> {
  const homes = Math.ceil(sales / SALES_OF_HOME);
  const header = 'parcel_id,address,city,state_code,postal_code,latitude,longitude';
  return writeLines(path, header, homes, (i) => parcelLine(i, homes));
}
