import { attributesOf } from '../../src/domain/property.ts';
import type { RentListing } from '../../src/domain/rent.ts';
import { seededRandom, type Random } from '../../src/valuation/random.ts';
import { LAST_DAY } from './synthetic-market.ts';

const DAYS = 3 * 365;
const CENTER = { lat: 43.04, lon: -87.95 };
const SPREAD_DEGREES = 0.15;
const LISTINGS_PER_BUILDING = 5;

interface Building {
  readonly id: string;
  readonly east: number;
  readonly north: number;
  readonly totalUnits: number;
  readonly yearBuilt: number;
}

/**
 * Listings of a synthetic city, for speed only: three years, five per building, two in five sizes unknown.
 */
export function syntheticRents(count: number, seed = 2): RentListing[] {
  const random = seededRandom(seed);
  const buildings = Array.from({ length: Math.ceil(count / LISTINGS_PER_BUILDING) }, (_, b) =>
    buildingOf(b, random),
  );
  return Array.from({ length: count }, (_, i) =>
    listingOf(i, buildings[Math.floor(buildings.length * random())], random),
  );
}

function buildingOf(b: number, random: Random): Building {
  return {
    id: `b${b}`,
    east: random() - 0.5,
    north: random() - 0.5,
    totalUnits: 2 + Math.floor(60 * random() ** 3),
    yearBuilt: Math.round(1900 + 120 * random()),
  };
}

function listingOf(i: number, building: Building, random: Random): RentListing {
  const { east, north, totalUnits, yearBuilt } = building;
  const bedrooms = Math.floor(5 * random());
  const bathrooms = 1 + Math.floor(3 * random()) / 2;
  const sizeSqft = Math.round(350 + 280 * bedrooms + 150 * random());
  const isFurnished = random() < 0.1;
  const listedOn = LAST_DAY - Math.floor(DAYS * random());
  const log =
    6.6 +
    0.14 * bedrooms +
    0.1 * bathrooms +
    0.4 * Math.sin(9 * east) +
    0.3 * Math.cos(7 * north + 3 * east) +
    0.2 * Math.log(sizeSqft / 700) +
    0.05 * Number(isFurnished) +
    0.12 * (random() + random() - 1);
  return {
    recordId: `l${i}`,
    parcelId: building.id,
    listedOn,
    lastSeenOn: null,
    datePrecision: 'day',
    rentUsd: Math.round(Math.exp(log)),
    address: { street: `${building.id} MAIN ST`, city: 'Benchville', stateCode: 'WI', postalCode: '00000' },
    lat: CENTER.lat + SPREAD_DEGREES * north,
    lon: CENTER.lon + SPREAD_DEGREES * east,
    type: totalUnits < 5 ? 'small_multifamily' : 'multifamily',
    attributes: attributesOf({
      totalUnits,
      bedrooms,
      bathrooms,
      livingAreaSqft: random() < 0.4 ? null : sizeSqft,
      yearBuilt,
      hasLaundry: random() < 0.5 ? 1 : 0,
      hasCentralAir: random() < 0.4 ? 1 : 0,
    }),
    isFurnished,
    hasParking: random() < 0.3 ? true : null,
    features: {},
  };
}
