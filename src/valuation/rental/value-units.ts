import { RENT_FEATURES } from '../../domain/rent.ts';
import { ownWeight } from '../calibration/blend.ts';
import type { AttributeSources } from '../imputation/impute-subject.ts';
import { totalRentOf } from '../calibration/distribution.ts';
import type { Home, Moment } from '../subject.ts';
import type { BoundMarket } from '../train-market.ts';
import {
  findListed,
  listComparables,
  NO_COMPARABLES,
  valueHomes,
  type HomeValue,
  type ListedComparables,
} from '../value-home.ts';

export interface RentalUnit {
  readonly bedrooms: number;
  readonly bathrooms: number;
  /** null = unknown: averaged over the donors. */
  readonly sizeSqft: number | null;
  readonly isFurnished: boolean;
}

export interface ValuedUnit {
  readonly unit: RentalUnit;
  readonly valued: HomeValue;
}

/** A comparable listed for, and adjusted to, the identical units in `unitIndexes`. */
export type UnitComparable = ReturnType<typeof listForGroups>['items'][number];

/**
 * Monthly rents of the units of one building as of a day. Identical units are valued once.
 *
 * @param building the building's own attributes; bedrooms, bathrooms and size come from each unit
 */
export function valueUnits(
  market: BoundMarket,
  building: Home,
  units: readonly RentalUnit[],
  sources: AttributeSources,
  moment: Moment,
  listed: ListedComparables = NO_COMPARABLES,
) {
  const groups = groupAlike(units);
  const homes = groups.map(({ unit }) => homeOfUnit(building, unit));
  const values = valueHomes(market, homes, sources, moment);
  const valuedUnits: ValuedUnit[] = [];
  groups.forEach(({ indexes }, g) => {
    for (const index of indexes) valuedUnits[index] = { unit: units[index], valued: values[g] };
  });
  const correlation = correlationOf(market, valuedUnits);
  const estimates = valuedUnits.map(({ valued: { estimate, distribution } }) => ({
    pointUsd: estimate.pointUsd,
    distribution,
  }));
  return {
    /** In the order of the request. */
    units: valuedUnits,
    total: totalRentOf(estimates, correlation),
    /** Correlation of two units' errors, used for the total's bounds. */
    correlation,
    comparables: listForGroups(market, groups, values, moment, listed),
  };
}

/** Listings allocated to groups. Only these get an adjustment grid, as costly as a value. */
function listForGroups(
  market: BoundMarket,
  groups: readonly Group[],
  values: readonly HomeValue[],
  moment: Moment,
  listed: ListedComparables,
) {
  // With fewer comparables than groups, only the first groups get one.
  const found = values.slice(0, listed.numComps).map((value) => findListed(market, value, moment, listed));
  const toDeal = groups.map(({ indexes }, g) => {
    const rows = found[g]?.rows.subarray(0, found[g].n) ?? [];
    const items = Array.from(rows, (row, at) => ({ row, similarity: found[g].similarity[at], g, at }));
    return { indexes, items };
  });
  const items = allocateComparables(toDeal, listed.numComps).flatMap(({ g, at, unitIndexes }) =>
    listComparables(market, values[g], moment, found[g], [at]).map((item) => ({ ...item, unitIndexes })),
  );
  return { items, candidates: Math.max(0, ...found.map(({ candidates }) => candidates)) };
}

/**
 * Correlation of two units' errors. Within a building it is ρ. The part that the building's own
 * listings have revealed is not an error any more, which leaves ρ·(1 − share) against 1 − ρ.
 */
function correlationOf(market: BoundMarket, units: readonly ValuedUnit[]): number {
  const correlation = market.salesData.buildingCorrelation;
  const ownShare = units.reduce((sum, { valued }) => sum + valued.estimate.raw.ownShare, 0) / units.length;
  const shared = correlation * (1 - ownWeight(market.trained.blend, ownShare));
  return shared / (shared + 1 - correlation);
}

/** The unit in its building, and in the other buildings that may be meant. */
export function homeOfUnit(building: Home, unit: RentalUnit): Home {
  const { alternatives } = building;
  return {
    ...building,
    ...(alternatives && {
      alternatives: alternatives.map(({ home, probability }) => {
        // A home that is rented as a whole has its own size.
        const sizeSqft = home.attributes.livingAreaSqft ?? unit.sizeSqft;
        return { home: homeOfUnit(home, { ...unit, sizeSqft }), probability };
      }),
    }),
    attributes: {
      ...building.attributes,
      bedrooms: unit.bedrooms,
      bathrooms: unit.bathrooms,
      livingAreaSqft: unit.sizeSqft,
    },
    features: { ...building.features, [RENT_FEATURES.isFurnished]: unit.isFurnished ? '1' : '0' },
  };
}

interface Group {
  readonly unit: RentalUnit;
  readonly indexes: readonly number[];
}

/** Identical units, in order of first appearance. */
function groupAlike(units: readonly RentalUnit[]): Group[] {
  const keyOf = ({ bedrooms, bathrooms, sizeSqft, isFurnished }: RentalUnit) =>
    [bedrooms, bathrooms, sizeSqft, isFurnished].join('|');
  const groups = Map.groupBy(units.keys(), (index) => keyOf(units[index]));
  return [...groups.values()].map((indexes) => ({ unit: units[indexes[0]], indexes }));
}

export interface FoundListing {
  readonly row: number;
  readonly similarity: number;
}

/** Identical units with the listings found for them, best first. */
export interface FoundGroup<Found extends FoundListing> {
  readonly indexes: readonly number[];
  readonly items: readonly Found[];
}

/** The listing is for the units in `unitIndexes`, which are identical. */
type Allocated<Found extends FoundListing> = Found & { readonly unitIndexes: readonly number[] };

/** Splits a count evenly over groups, the first groups one more. */
export function splitEvenly(count: number, groups: number): number[] {
  return Array.from({ length: groups }, (_, g) => Math.floor(count / groups) + Number(g < count % groups));
}

/**
 * One list for all groups, best first. Each listing appears once, for the units it is most similar
 * to. Each group gets its share of the best left to it; the best of the others fill up.
 */
export function allocateComparables<Found extends FoundListing>(
  groups: readonly FoundGroup<Found>[],
  wanted: number,
): Allocated<Found>[] {
  const byRow = new Map<number, Allocated<Found>>();
  for (const { indexes, items } of groups) {
    for (const item of items) {
      const before = byRow.get(item.row);
      if (!before || item.similarity > before.similarity) {
        byRow.set(item.row, { ...item, unitIndexes: indexes });
      }
    }
  }
  const found = [...byRow.values()].sort(bestFirst);
  const shares = splitEvenly(Math.min(wanted, found.length), groups.length);
  const left = new Map(groups.map(({ indexes }, g) => [indexes, shares[g]]));
  const dealt = new Set<Allocated<Found>>();
  for (const item of found) {
    const share = left.get(item.unitIndexes) ?? 0;
    if (share > 0) dealt.add(item);
    left.set(item.unitIndexes, share - 1);
  }
  for (const item of found) if (dealt.size < wanted) dealt.add(item);
  return [...dealt].sort(bestFirst);
}

function bestFirst(a: FoundListing, b: FoundListing): number {
  return b.similarity - a.similarity || a.row - b.row;
}
