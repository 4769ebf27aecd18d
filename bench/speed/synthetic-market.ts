import { attributesOf, type PropertyType } from '../../src/domain/property.ts';
import type { Day } from '../../src/domain/day.ts';
import type { Sale } from '../../src/domain/sale.ts';
import { seededRandom, type Random } from '../../src/valuation/random.ts';

/** A synthetic city for speed only: its prices are plausible, its accuracy is meaningless. */
export const LAST_DAY: Day = 19_357; // 2022-12-31
const DAYS = 6 * 365;
const CENTER = { lat: 43.04, lon: -87.95 };
/** About 10 × 10 miles: the density of a mid-sized city at 50,000 sales. */
const SPREAD_DEGREES = 0.15;
const HOMES_OF_CITY = 50_000;

/** Where a city is, and how many homes it has: larger ones are as dense and cover more. */
interface City {
  readonly lat: number;
  readonly lon: number;
  readonly homesOfCity: number;
}

const TYPES: readonly PropertyType[] = [
  'houses',
  'houses',
  'houses',
  'condos',
  'small_multifamily',
  'townhomes',
];

/**
 * `count` sales over six years; a tenth of them lack half of the attributes. The same seed gives the same
 * sales.
 */
export function syntheticSales(
  count: number,
  seed = 1,
  city: City = { ...CENTER, homesOfCity: HOMES_OF_CITY },
): Sale[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, i) => saleOf(i, random, city));
}

function saleOf(i: number, random: Random, city: City): Sale {
  const spread = SPREAD_DEGREES * Math.sqrt(city.homesOfCity / HOMES_OF_CITY);
  const east = random() - 0.5;
  const north = random() - 0.5;
  const livingAreaSqft = Math.round(700 + 2600 * random() ** 2);
  const yearBuilt = Math.round(1900 + 120 * random());
  const bedrooms = 1 + Math.floor(5 * random());
  const isTerse = random() < 0.1;
  const soldOn = LAST_DAY - Math.floor(DAYS * random());
  const place = 0.5 * Math.sin(9 * east) + 0.4 * Math.cos(7 * north + 3 * east);
  const log =
    8.2 +
    0.6 * Math.log(livingAreaSqft) +
    place +
    (yearBuilt - 1960) / 300 +
    0.15 * (random() + random() - 1);
  return {
    recordId: `s${i}`,
    parcelId: `p${Math.floor(i / 1.2)}`,
    soldOn,
    recordedOn: null,
    datePrecision: 'day',
    priceUsd: Math.round(Math.exp(log)),
    address: { street: `${100 + i} MAIN ST`, city: 'Benchville', stateCode: 'WI', postalCode: '00000' },
    lat: city.lat + spread * north,
    lon: city.lon + spread * east,
    type: TYPES[Math.floor(TYPES.length * random())],
    attributes: attributesOf({
      totalUnits: 1,
      bedrooms,
      bathrooms: 1 + Math.floor(3 * random()),
      livingAreaSqft: isTerse ? null : livingAreaSqft,
      lotSizeSqft: isTerse ? null : Math.round(3000 + 6000 * random()),
      yearBuilt,
      stories: 1 + Math.floor(2 * random()),
      condition: 1 + Math.floor(5 * random()),
      hasBasement: random() < 0.7 ? 1 : 0,
      hasCentralAir: random() < 0.5 ? 1 : 0,
      garageSpaces: Math.floor(3 * random()),
    }),
    features: {},
    isArmsLength: true,
  };
}
