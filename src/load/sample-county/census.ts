import { dayOf, yearMonthOf, type Day } from '../../domain/day.ts';
import { SUMMARY_LEVELS, type AreaVintage, type CensusLevel } from '../../domain/census/geoid.ts';
import { stateNameOf } from '../../domain/us-states.ts';
import type { Random } from '../../valuation/random.ts';
import type { SampleCounty } from './generate-sample-county.ts';
import type { SampleParcel } from './homes.ts';
import { PLACE } from './plan.ts';
import { chance, clamp, normal, streamOf } from './random-draws.ts';
import { trueMonthlyRentUsd, unitsOf, type RentUnit } from './sales-and-rents.ts';
import { COUNTY_FEET, type BoxFeet, type PlanePoint } from './terrain.ts';
import { trueValueUsd } from './true-value.ts';

/** A census area of the generated county: a rectangle. */
export interface SampleArea {
  readonly geoid: string;
  readonly level: CensusLevel;
  /** With its kind, as the Census Bureau's NAMELSAD. */
  readonly name: string;
  readonly box: BoxFeet;
}

/** The county is divided into 8 × 8 rectangles at these lines. The outer ones have no homes. */
const WEST_TO_EAST = [COUNTY_FEET.west, -5500, -3300, -1600, 0, 1600, 3300, 5500, COUNTY_FEET.east];
const SOUTH_TO_NORTH = [COUNTY_FEET.south, -4800, -2900, -1400, 0, 1400, 2900, 4800, COUNTY_FEET.north];
const CITY = PLACE.city;
const COUNTY = `${PLACE.stateFips}${PLACE.countyFips}`;

/** Tracts are 2 × 2 rectangles. Their block groups are halves in 2010 and quarters in 2020. */
export function censusAreas(vintage: AreaVintage): SampleArea[] {
  const rows = vintage === 2010 ? 2 : 1;
  const areas: SampleArea[] = [
    { level: 'county', geoid: COUNTY, name: PLACE.countyName, box: COUNTY_FEET },
    { level: 'cousub', geoid: `${COUNTY}60001`, name: `${CITY} city (generated)`, box: boxOf(0, 0, 8, 7) },
    { level: 'cousub', geoid: `${COUNTY}60002`, name: 'Plumb township (generated)', box: boxOf(0, 7, 8, 1) },
  ];
  for (let tract = 0; tract < 16; tract++) {
    const [i, j] = [2 * (tract % 4), 2 * Math.floor(tract / 4)];
    const geoid = `${COUNTY}${String(tract + 1).padStart(4, '0')}00`;
    areas.push({ level: 'tract', geoid, name: `Census Tract ${tract + 1}`, box: boxOf(i, j, 2, 2) });
    for (let group = 0; group < 4 / rows; group++) {
      const box = boxOf(i + (group % 2), j + Math.floor(group / 2), 1, rows);
      const [id, name] = [`${geoid}${group + 1}`, `Block Group ${group + 1}`];
      areas.push({ level: 'block_group', geoid: id, name, box });
    }
  }
  return areas;
}

function boxOf(i: number, j: number, columns: number, rows: number): BoxFeet {
  const [west, east] = [WEST_TO_EAST[i], WEST_TO_EAST[i + columns]];
  const [south, north] = [SOUTH_TO_NORTH[j], SOUTH_TO_NORTH[j + rows]];
  return { west, east, south, north };
}

export const isIn = ({ west, east, south, north }: BoxFeet, { x, y }: PlanePoint): boolean =>
  x >= west && x < east && y >= south && y < north;

/** An occupied home as the census counts it. Owners say what it is worth, renters what they pay with utilities. */
type Household = ReturnType<typeof drawHousehold>;

const VACANT_SHARE = 0.055;
const UTILITIES_USD = 100;

/** The households of the town in the middle of a year. Incomes follow home values and rents. */
export function householdsIn({ seed, parcels }: SampleCounty, year: number): Household[] {
  return parcels
    .filter(({ attributes }) => (attributes.yearBuilt ?? 0) <= year)
    .flatMap((parcel) => {
      const { isRented, units } = unitsOf(seed, parcel);
      return units.flatMap((unit) => {
        const random = streamOf(seed, `household ${parcel.index} ${unit.unit}`);
        const isVacant = chance(random, VACANT_SHARE);
        return isVacant ? [] : drawHousehold(random, parcel, unit, isRented, dayOf(year, 7, 1));
      });
    });
}

function drawHousehold(random: Random, parcel: SampleParcel, unit: RentUnit, rents: boolean, day: Day) {
  const { bedrooms } = unit;
  const persons = clamp(Math.round(1 + 0.55 * bedrooms + 0.9 * normal(random)), 1, 7);
  const [luck, judgment] = [normal(random), normal(random)];
  const home = { point: parcel.point, bedrooms, persons };
  if (rents) {
    const rentUsd = trueMonthlyRentUsd(parcel, unit, day);
    // Half of all renters pay less than 29% of their income, as in most towns.
    const incomeUsd = ((12 * rentUsd) / 0.29) * Math.exp(0.4 * luck);
    const grossRentUsd = rentUsd + UTILITIES_USD * Math.exp(0.3 * judgment);
    return { ...home, incomeUsd, valueUsd: null, grossRentUsd };
  }
  const usd = trueValueUsd(parcel, day);
  const incomeUsd = 88_000 * (usd / 400_000) ** 0.6 * Math.exp(0.42 * luck);
  return { ...home, incomeUsd, valueUsd: usd * Math.exp(0.12 * judgment), grossRentUsd: null };
}

/** A figure with its margin of error at 90% confidence, as the Census Bureau prints them. */
type Figure = readonly [estimate: string, margin: string];
type FigureOf = (homes: readonly Household[]) => Figure;

const medianRent = (least: number, most: number): FigureOf =>
  medianOf(1, ({ bedrooms, grossRentUsd }) => (bedrooms >= least && bedrooms <= most ? grossRentUsd : null));

/** Table id → its lines 001, 002, … */
export const SAMPLE_TABLES: Readonly<Record<string, readonly FigureOf[]>> = {
  B01003: [(homes) => countOf(homes.reduce((sum, { persons }) => sum + persons, 0))],
  B19013: [medianOf(1, ({ incomeUsd }) => incomeUsd)],
  B25003: [
    (homes) => countOf(homes.length),
    (homes) => countOf(homes.filter(({ valueUsd }) => valueUsd !== null).length),
    (homes) => countOf(homes.filter(({ valueUsd }) => valueUsd === null).length),
  ],
  B25031: [medianRent(0, 99), ...[0, 1, 2, 3, 4].map((n) => medianRent(n, n)), medianRent(5, 99)],
  B25064: [medianRent(0, 99)],
  B25077: [medianOf(100, ({ valueUsd }) => valueUsd)],
};

/** The survey samples one home in eight within five years. Margins are 1.645 standard errors. */
const SAMPLED = 1 / 8;
const Z_90 = 1.645;

/** An exact count with the margin of a simple random sample: √((1−f)/f · x). The Bureau prints ± 12 next to 0. */
function countOf(count: number): Figure {
  const error = Math.sqrt(((1 - SAMPLED) / SAMPLED) * count);
  return [String(count), String(count === 0 ? 12 : Math.ceil(Z_90 * error))];
}

/** The median of the known values, rounded. Its standard error is 1.2533 times a mean's. Fewer than 24 are not shown. */
function medianOf(step: number, valueOf: (home: Household) => number | null): FigureOf {
  return (homes) => {
    const sorted = homes
      .map(valueOf)
      .filter((value) => value !== null)
      .sort((a, b) => a - b);
    if (sorted.length < 24) return ['-', '**'];
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))];
    const error = (1.2533 * (at(0.75) - at(0.25))) / 1.349 / Math.sqrt(sorted.length * SAMPLED);
    const rounded = (value: number): string => String(Math.round(value / step) * step);
    return [rounded(at(0.5)), rounded(Math.max(step, Z_90 * error))];
  };
}

/** The last year with published five-year estimates: they appear in December of the next year. */
export function newestAcsYear(day: Day): number {
  const { year, month } = yearMonthOf(day);
  return month === 12 ? year - 1 : year - 2;
}

/** The tables of a year as data.census.gov exports them, one CSV file each. Files start with a byte order mark. */
export function censusTableFiles(county: SampleCounty, year: number, vintage: AreaVintage) {
  const households = householdsIn(county, year);
  const areas = censusAreas(vintage).map((area) => ({
    area,
    homes: households.filter(({ point }) => isIn(area.box, point)),
  }));
  return Object.entries(SAMPLE_TABLES).map(([id, lines]) => {
    const columns = lines.map((_, i) => `${id}_${String(i + 1).padStart(3, '0')}`);
    const header = ['GEO_ID', 'NAME', ...columns.flatMap((column) => [`${column}E`, `${column}M`])];
    const rows = areas.map(({ area, homes }) => [
      `${SUMMARY_LEVELS[area.level]}0000US${area.geoid}`,
      `"${area.name}, ${PLACE.countyName}, ${stateNameOf(PLACE.stateCode)}"`,
      ...lines.flatMap((lineOf) => lineOf(homes)),
    ]);
    return {
      name: `generated-ACSDT5Y${year}.${id}-Data.csv`,
      chunks: [`\uFEFF${[header, ...rows].map((row) => row.join(',')).join('\n')}\n`],
    };
  });
}
