import { countOf, meanOf, medianOf, type MedianStyle, type PrintedEstimate } from './census-figures.ts';
import type { Commute, Dwelling, Household, HouseholdKind, Person } from './households.ts';

/** A table of the American Community Survey, filled from the homes of an area. */
export interface SampleTable {
  readonly id: string;
  /** Given the homes of the whole county, fills lines 001, 002 … from those of an area. */
  readonly linesIn: (
    county: readonly Dwelling[],
  ) => (homes: readonly Dwelling[]) => readonly PrintedEstimate[];
}

type Is<T> = (item: T) => boolean;

/** How many of something there are in all, and of each kind: one line each, in the Bureau's order. */
function counted<T>(
  id: string,
  itemsOf: (homes: readonly Dwelling[]) => readonly T[],
  kinds: readonly Is<T>[],
): SampleTable {
  return {
    id,
    linesIn: (county) => {
      const inCounty = itemsOf(county).length;
      return (homes) => {
        const items = itemsOf(homes);
        return [() => true, ...kinds].map((is) => countOf(items.filter(is).length, inCounty));
      };
    },
  };
}

function median(
  id: string,
  valuesOf: (homes: readonly Dwelling[]) => readonly number[],
  style: MedianStyle,
): SampleTable {
  return { id, linesIn: () => (homes) => [medianOf(valuesOf(homes), style)] };
}

const dwellings = (homes: readonly Dwelling[]): readonly Dwelling[] => homes;
const households = (homes: readonly Dwelling[]): Household[] =>
  homes.flatMap(({ household }) => household ?? []);
const persons = (homes: readonly Dwelling[]): Person[] => households(homes).flatMap((home) => home.persons);
/** Each household once for every person in it. */
const residents = (homes: readonly Dwelling[]): Household[] =>
  households(homes).flatMap((household) => household.persons.map(() => household));
const workers = (homes: readonly Dwelling[]): Person[] =>
  persons(homes).filter(({ commute }) => commute !== null);

/** From each bound up to the next, the last without end. */
function bands<T>(valueOf: (item: T) => number, bounds: readonly number[]): Is<T>[] {
  return bounds.map((from, at) => (item) => {
    const value = valueOf(item);
    return value >= from && value < (bounds[at + 1] ?? Infinity);
  });
}

const AGES = [
  0, 5, 10, 15, 18, 20, 21, 22, 25, 30, 35, 40, 45, 50, 55, 60, 62, 65, 67, 70, 75, 80, 85,
] as const;
const INCOMES = [
  0, 10_000, 15_000, 20_000, 25_000, 30_000, 35_000, 40_000, 45_000, 50_000, 60_000, 75_000, 100_000, 125_000,
  150_000, 200_000,
] as const;
/** Newest first, as table B25034 of 2022 and later has them. */
const BUILT_FROM = [2020, 2010, 2000, 1990, 1980, 1970, 1960, 1950, 1940, 0] as const;

const male: Is<Person> = ({ isFemale }) => !isFemale;
const female: Is<Person> = ({ isFemale }) => isFemale;
const isOwner: Is<Household> = ({ valueUsd }) => valueUsd !== null;
const isRenter: Is<Household> = ({ valueUsd }) => valueUsd === null;
const kindIs =
  (...kinds: readonly HouseholdKind[]): Is<Household> =>
  ({ kind }) =>
    kinds.includes(kind);
const goesBy =
  (...ways: readonly Commute[]): Is<Person> =>
  ({ commute }) =>
    commute !== null && ways.includes(commute);
const never = (): boolean => false;
const both =
  <T>(a: Is<T>, b: Is<T>): Is<T> =>
  (item) =>
    a(item) && b(item);

const byAge = bands(({ age }: Person) => age, AGES);
const inUnits = bands(({ unitsInBuilding }: Dwelling) => unitsInBuilding, [1, 2, 3, 5, 10, 20, 50]);
const isMobile: Is<Dwelling> = ({ type }) => type === 'mobile';
const isAttached: Is<Dwelling> = ({ type }) => type === 'townhomes';
const isDetached: Is<Dwelling> = (home) => inUnits[0](home) && !isMobile(home) && !isAttached(home);
const builtIn: Is<Dwelling>[] = BUILT_FROM.map(
  (from, at) =>
    ({ yearBuilt }) =>
      yearBuilt >= from && yearBuilt < (BUILT_FROM[at - 1] ?? Infinity),
);
const isMotherAlone: Is<Household> = ({ kind, persons: [householder] }) =>
  kind === 'single_parent' && householder.isFemale;

const TENURE = [isOwner, isRenter];
const sizesOf = (homes: readonly Dwelling[], is: Is<Household>): number[] =>
  households(homes)
    .filter(is)
    .map((household) => household.persons.length);
const DOLLARS_OF_INCOME: MedianStyle = { step: 1, top: 250_000 };
const DOLLARS_OF_VALUE: MedianStyle = { step: 100, top: 2_000_000 };
/** Of homes with at least, and fewer than, so many bedrooms. */
const grossRents = (homes: readonly Dwelling[], from = 0, below = Infinity): number[] =>
  homes
    .filter(({ bedrooms }) => bedrooms >= from && bedrooms < below)
    .flatMap(({ household }) => household?.grossRentUsd ?? []);
const DOLLARS_OF_RENT: MedianStyle = { step: 1, top: 3_500 };
const YEARS: MedianStyle = { step: 1, top: 10_000 };
const AGE: MedianStyle = { step: 0.1, top: 200 };

/** Those that every vintage has. */
export const BASIC_TABLES: readonly SampleTable[] = [
  counted('B01003', persons, []),
  median('B19013', (homes) => households(homes).map(({ incomeUsd }) => incomeUsd), DOLLARS_OF_INCOME),
  counted('B25003', households, TENURE),
  median('B25064', (homes) => grossRents(homes), DOLLARS_OF_RENT),
  median('B25077', (homes) => households(homes).flatMap(({ valueUsd }) => valueUsd ?? []), DOLLARS_OF_VALUE),
];

/** Lines in the Bureau's order; docs/methods/sample-county.md lists what each table is. */
export const SAMPLE_TABLES: readonly SampleTable[] = [
  ...BASIC_TABLES,
  counted('B01001', persons, [
    male,
    ...byAge.map((is) => both(male, is)),
    female,
    ...byAge.map((is) => both(female, is)),
  ]),
  {
    id: 'B01002',
    linesIn: () => (homes) =>
      [() => true, male, female].map((is) =>
        medianOf(
          persons(homes)
            .filter(is)
            .map(({ age }) => age),
          AGE,
        ),
      ),
  },
  counted('B08301', workers, [
    goesBy('drove_alone', 'carpool'),
    goesBy('drove_alone'),
    goesBy('carpool'),
    goesBy('carpool'),
    never,
    never,
    never,
    never,
    goesBy('bus'),
    goesBy('bus'),
    never,
    never,
    never,
    never,
    never,
    never,
    goesBy('bicycle'),
    goesBy('walked'),
    never,
    goesBy('home'),
  ]),
  counted('B11001', households, [
    kindIs('couple', 'single_parent'),
    kindIs('couple'),
    kindIs('single_parent'),
    (household) => kindIs('single_parent')(household) && !isMotherAlone(household),
    isMotherAlone,
    kindIs('alone', 'sharing'),
    kindIs('alone'),
    kindIs('sharing'),
  ]),
  counted(
    'B19001',
    households,
    bands(({ incomeUsd }) => incomeUsd, INCOMES),
  ),
  counted('B25001', dwellings, []),
  counted('B25002', dwellings, [
    ({ household }) => household !== null,
    ({ household }) => household === null,
  ]),
  {
    id: 'B25010',
    linesIn: () => (homes) => [() => true, ...TENURE].map((is) => meanOf(sizesOf(homes, is), 2)),
  },
  counted('B25024', dwellings, [
    isDetached,
    isAttached,
    ...inUnits.slice(1).map((is) => both(is, (home) => !isMobile(home) && !isAttached(home))),
    isMobile,
    never,
  ]),
  {
    id: 'B25031',
    linesIn: () => (homes) => [
      medianOf(grossRents(homes), DOLLARS_OF_RENT),
      ...[0, 1, 2, 3, 4].map((bedrooms) =>
        medianOf(grossRents(homes, bedrooms, bedrooms + 1), DOLLARS_OF_RENT),
      ),
      medianOf(grossRents(homes, 5), DOLLARS_OF_RENT),
    ],
  },
  counted('B25034', dwellings, builtIn),
  median('B25035', (homes) => homes.map(({ yearBuilt }) => yearBuilt), YEARS),
  counted(
    'B25041',
    dwellings,
    bands(({ bedrooms }) => bedrooms, [0, 1, 2, 3, 4, 5]),
  ),
  counted('B25008', residents, TENURE),
];
