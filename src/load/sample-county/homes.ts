import { attributesOf, type Attributes } from '../../domain/property.ts';
import type { Random } from '../../valuation/random.ts';
import { between, chance, clamp, normal, pickByShare, wholeBetween } from './dice.ts';
import type { Neighbourhood } from './town/town-plan.ts';

/**
 * What homes are like, by type and era. Correlated as in real towns: basements and porches are old, garages and
 * central air are new, lots cap the house, bedrooms and baths follow the area.
 */

export interface HomeDraw {
  readonly random: Random;
  readonly hood: Neighbourhood;
  readonly lotSqft: number;
}

/** A year in the neighbourhood's era, the middle likeliest; one home in 15 is later infill. */
export function drawYearBuilt(random: Random, hood: Neighbourhood): number {
  const infillFrom = Math.max(hood.builtTo + 10, 1985);
  if (infillFrom < 2016 && chance(random, 1 / 15)) return wholeBetween(random, infillFrom, 2023);
  const share = (random() + random()) / 2;
  return Math.round(hood.builtFrom + share * (hood.builtTo - hood.builtFrom));
}

/** Half baths: whole numbers and halves. */
const toHalf = (value: number): number => Math.round(value * 2) / 2;
const tens = (value: number): number => Math.round(value / 10) * 10;
const yes = (random: Random, probability: number): number => (chance(random, probability) ? 1 : 0);

function drawStories(random: Random, year: number, type: 'house' | 'plex'): number {
  if (type === 'plex') return pickByShare(random, [[2, 0.75] as const, [3, year < 1940 ? 0.2 : 0.1], [1, 1]]);
  if (year < 1946) return pickByShare(random, [[1.5, 0.3] as const, [2, 0.4], [1, 1]]);
  if (year < 1976) return pickByShare(random, [[1, 0.74] as const, [1.5, 0.1], [2, 1]]);
  return pickByShare(random, [[2, 0.62] as const, [3, 0.03], [1, 1]]);
}

function drawGarage(random: Random, year: number, sqft: number): number {
  const usual = year < 1930 ? 0.7 : year < 1958 ? 1.1 : year < 1978 ? 1.6 : 2.1;
  return clamp(Math.round(usual + (sqft - 1700) / 1500 + 0.55 * normal(random)), 0, 4);
}

const centralAirShare = (year: number): number => (year < 1958 ? 0.42 : year < 1980 ? 0.68 : 0.96);
const basementShare = (year: number): number => (year < 1958 ? 0.82 : year < 1985 ? 0.55 : 0.38);

export function drawHouse({ random, hood, lotSqft }: HomeDraw): Attributes {
  const yearBuilt = drawYearBuilt(random, hood);
  const infill = yearBuilt > hood.builtTo ? 1.25 : 1;
  const stories = drawStories(random, yearBuilt, 'house');
  const tall = 1 + 0.18 * (stories - 1.4);
  const wanted = hood.houseSqft * infill * tall * Math.exp(0.22 * normal(random));
  const sqft = tens(clamp(wanted, 520, 0.62 * lotSqft));
  const bedrooms = clamp(Math.round(1.1 + sqft / 720 + 0.5 * normal(random)), 1, 6);
  const baths = 0.4 + sqft / 950 + (yearBuilt > 1975 ? 0.5 : 0) + 0.3 * normal(random);
  return attributesOf({
    totalUnits: 1,
    bedrooms,
    bathrooms: clamp(toHalf(baths), 1, bedrooms + 1.5),
    livingAreaSqft: sqft,
    lotSizeSqft: tens(lotSqft * between(random, 0.94, 1.06)),
    yearBuilt,
    stories,
    hasPool: yes(random, 0.015 + (hood.level > 0.2 ? 0.11 : 0) + (yearBuilt > 1975 ? 0.03 : 0)),
    hasBasement: yes(random, basementShare(yearBuilt)),
    hasCentralAir: yes(random, centralAirShare(yearBuilt)),
    hasPorch: yes(random, yearBuilt < 1940 ? 0.78 : 0.35),
    hasDeck: yes(random, yearBuilt > 1970 ? 0.55 : 0.28),
    hasLaundry: yes(random, 0.93),
    hasAdu: yes(random, lotSqft > 6000 ? 0.035 : 0.015),
    fireplaceCount: clamp(Math.floor(sqft / 1900 + 0.55 * random() + (yearBuilt < 1940 ? 0.15 : 0)), 0, 3),
    garageSpaces: drawGarage(random, yearBuilt, sqft),
    otherSpaces: pickByShare(random, [[0, 0.3] as const, [1, 0.3], [2, 1]]),
  });
}

export function drawPlex({ random, hood, lotSqft }: HomeDraw): Attributes {
  const yearBuilt = drawYearBuilt(random, hood);
  const units = pickByShare(random, [[2, 0.68] as const, [3, 0.17], [4, 1]]);
  const unitSqft = clamp(980 * Math.exp(0.2 * normal(random)) - 60 * (units - 2), 480, 1700);
  const perUnit = clamp(Math.round(unitSqft / 470 + 0.3 * normal(random)), 1, 4);
  return attributesOf({
    totalUnits: units,
    bedrooms: units * perUnit,
    bathrooms: units * (unitSqft > 1250 ? 1.5 : 1),
    livingAreaSqft: tens(units * unitSqft),
    lotSizeSqft: tens(lotSqft * between(random, 0.96, 1.1)),
    yearBuilt,
    stories: drawStories(random, yearBuilt, 'plex'),
    hasPool: 0,
    hasBasement: yes(random, basementShare(yearBuilt)),
    hasCentralAir: yes(random, 0.6 * centralAirShare(yearBuilt)),
    hasPorch: yes(random, yearBuilt < 1940 ? 0.7 : 0.25),
    hasDeck: yes(random, 0.2),
    hasLaundry: yes(random, 0.45),
    hasAdu: 0,
    fireplaceCount: yes(random, 0.08),
    garageSpaces: clamp(Math.round(0.9 + 0.7 * normal(random)), 0, 4),
    otherSpaces: wholeBetween(random, 0, units),
  });
}

/** What all homes of a condominium building or townhome complex share. */
export interface Complex {
  readonly yearBuilt: number;
  readonly stories: number;
  readonly hasPool: number;
  readonly hasCentralAir: number;
  readonly hasLaundry: number;
  readonly garageSpaces: number;
  readonly sqft: number;
}

export function drawComplex(random: Random, hood: Neighbourhood, kind: 'condos' | 'townhomes'): Complex {
  const isCentre = hood.builtTo < 1950;
  const yearBuilt =
    isCentre && chance(random, 0.35) ? drawYearBuilt(random, hood) : wholeBetween(random, 1968, 2022);
  const townhome = kind === 'townhomes';
  return {
    yearBuilt,
    stories: townhome
      ? pickByShare(random, [[2, 0.7] as const, [3, 1]])
      : isCentre
        ? wholeBetween(random, 3, 5)
        : wholeBetween(random, 2, 4),
    hasPool: yes(random, hood.level > 0.2 ? 0.5 : 0.12),
    hasCentralAir: yes(random, centralAirShare(yearBuilt)),
    hasLaundry: yes(random, townhome ? 0.95 : yearBuilt > 1990 ? 0.85 : 0.35),
    garageSpaces: townhome ? wholeBetween(random, 1, 2) : yearBuilt > 1985 ? 1 : 0,
    sqft: (townhome ? 1450 : 920) * (1 + 0.45 * Math.max(0, hood.level)) * Math.exp(0.08 * normal(random)),
  };
}

export function drawCondo(random: Random, complex: Complex): Attributes {
  const bedrooms = pickByShare(random, [[1, 0.34] as const, [2, 0.5], [3, 0.13], [0, 1]]);
  const sqft = tens(
    clamp(complex.sqft * [0.6, 0.78, 1.08, 1.4][bedrooms] * Math.exp(0.08 * normal(random)), 380, 2600),
  );
  return attributesOf({
    ...complexAttributes(complex),
    bedrooms,
    bathrooms: clamp(toHalf(0.5 + sqft / 800 + 0.15 * normal(random)), 1, 3),
    livingAreaSqft: sqft,
    hasBasement: 0,
    hasPorch: yes(random, 0.15),
    hasDeck: yes(random, 0.6),
    fireplaceCount: yes(random, 0.15),
    otherSpaces: yes(random, 0.3),
  });
}

export function drawTownhome(random: Random, complex: Complex, lotSqft: number): Attributes {
  const sqft = tens(complex.sqft * Math.exp(0.1 * normal(random)));
  const bedrooms = clamp(Math.round(sqft / 620 + 0.3 * normal(random)), 1, 4);
  return attributesOf({
    ...complexAttributes(complex),
    bedrooms,
    bathrooms: clamp(toHalf(0.6 + sqft / 850 + 0.2 * normal(random)), 1, 3.5),
    livingAreaSqft: sqft,
    lotSizeSqft: tens(lotSqft * between(random, 0.55, 0.75)),
    hasBasement: yes(random, 0.3),
    hasPorch: yes(random, 0.4),
    hasDeck: yes(random, 0.55),
    fireplaceCount: yes(random, 0.3),
    otherSpaces: wholeBetween(random, 0, 1),
  });
}

function complexAttributes(complex: Complex): Partial<Attributes> {
  const { yearBuilt, stories, hasPool, hasCentralAir, hasLaundry, garageSpaces } = complex;
  return { totalUnits: 1, yearBuilt, stories, hasPool, hasCentralAir, hasLaundry, garageSpaces, hasAdu: 0 };
}

/** A building of five units or more, sold whole: bedrooms, baths and area are its totals. */
export function drawApartmentHouse({ random, hood, lotSqft }: HomeDraw): Attributes {
  const yearBuilt =
    hood.builtTo < 1950 && chance(random, 0.5)
      ? drawYearBuilt(random, hood)
      : wholeBetween(random, 1958, 2019);
  const units = clamp(Math.round(5 + 9 * -Math.log(1 - random())), 5, 48);
  const unitSqft = clamp(780 * Math.exp(0.16 * normal(random)), 450, 1250);
  const bedroomsPerUnit = clamp(unitSqft / 520 + 0.1 * normal(random), 0.6, 2.6);
  return attributesOf({
    totalUnits: units,
    bedrooms: Math.round(units * bedroomsPerUnit),
    bathrooms: Math.round(units * (unitSqft > 900 ? 1.3 : 1)),
    livingAreaSqft: tens(units * unitSqft * 1.08),
    lotSizeSqft: tens(lotSqft * Math.max(1, units / 16)),
    yearBuilt,
    stories: clamp(Math.ceil(units / 10) + 1, 2, 5),
    hasPool: yes(random, units > 20 && yearBuilt > 1965 ? 0.4 : 0),
    hasBasement: yes(random, yearBuilt < 1958 ? 0.7 : 0.15),
    hasCentralAir: yes(random, 0.7 * centralAirShare(yearBuilt)),
    hasPorch: 0,
    hasDeck: yes(random, 0.3),
    hasLaundry: yes(random, 0.4),
    hasAdu: 0,
    fireplaceCount: 0,
    garageSpaces: chance(random, 0.3) ? Math.round(units / 2) : 0,
    otherSpaces: Math.round(units * between(random, 0.4, 1.2)),
  });
}

export function drawMobileHome(random: Random): Attributes {
  const isDouble = chance(random, 0.45);
  const sqft = tens((isDouble ? 1350 : 840) * Math.exp(0.1 * normal(random)));
  return attributesOf({
    totalUnits: 1,
    bedrooms: clamp(Math.round(sqft / 450 + 0.2 * normal(random)), 1, 4),
    bathrooms: isDouble ? 2 : pickByShare(random, [[1, 0.6] as const, [1.5, 0.2], [2, 1]]),
    livingAreaSqft: sqft,
    yearBuilt: wholeBetween(random, 1971, 2021),
    stories: 1,
    hasPool: 0,
    hasBasement: 0,
    hasCentralAir: yes(random, 0.6),
    hasPorch: yes(random, 0.45),
    hasDeck: yes(random, 0.35),
    hasLaundry: yes(random, 0.8),
    hasAdu: 0,
    fireplaceCount: yes(random, 0.06),
    garageSpaces: yes(random, 0.1),
    otherSpaces: wholeBetween(random, 1, 2),
  });
}
