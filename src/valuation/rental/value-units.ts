import { RENT_FEATURES } from '../../domain/rent.ts';
import { ownWeight } from '../calibration/blend.ts';
import type { AttributeSources } from '../imputation/impute-subject.ts';
import type { Distribution } from '../calibration/distribution.ts';
import type { Home, Moment } from '../subject.ts';
import type { BoundMarket } from '../train-market.ts';
import {
  findListed,
  listComparable,
  NO_COMPARABLES,
  valueHomes,
  type HomeValue,
  type ListedComparable,
  type ListedComparables,
} from '../value-home.ts';
import { allocateComparables } from './allocate-comparables.ts';
import { totalRentOf } from './building-total.ts';

/** One unit of the request. */
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
export interface UnitComparable extends ListedComparable {
  readonly unitIndexes: readonly number[];
}

/** Monthly rents, whole USD. */
export interface ValuedBuilding {
  /** In the order of the request. */
  readonly units: readonly ValuedUnit[];
  readonly total: { readonly pointUsd: number; readonly distribution: Distribution };
  /** Correlation of two units' errors, used for the total's bounds. */
  readonly correlation: number;
  readonly comparables: { readonly items: readonly UnitComparable[]; readonly candidates: number };
}

/**
 * Values the units of one building as of a day. Identical units are valued once.
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
): ValuedBuilding {
  const groups = groupAlike(units);
  const homes = groups.map(({ unit }) => homeOfUnit(building, unit));
  const values = valueHomes(market, homes, sources, moment);
  const valuedOf = new Map(
    groups.flatMap(({ indexes }, g) => indexes.map((index) => [index, values[g]] as const)),
  );
  const valuedUnits = units.map((unit, index): ValuedUnit => {
    const valued = valuedOf.get(index);
    if (!valued) throw new Error(`unit ${index} is in no group`);
    return { unit, valued };
  });
  const correlation = correlationOf(market, valuedUnits);
  return {
    units: valuedUnits,
    total: totalRentOf(
      valuedUnits.map(({ valued }) => ({
        pointUsd: valued.estimate.pointUsd,
        distribution: valued.distribution,
      })),
      correlation,
    ),
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
): ValuedBuilding['comparables'] {
  // With fewer comparables than groups, only the first groups get one.
  const found = values.slice(0, listed.numComps).map((value) => findListed(market, value, moment, listed));
  const toDeal = groups.map(({ indexes }, g) => {
    const rows = found[g]?.rows.subarray(0, found[g].n) ?? [];
    const items = Array.from(rows, (row, at) => ({ row, similarity: found[g].similarity[at], g, at }));
    return { indexes, items };
  });
  const items = allocateComparables(toDeal, listed.numComps).map(({ g, at, unitIndexes }) => ({
    ...listComparable(market, values[g], moment, found[g], at),
    unitIndexes,
  }));
  return { items, candidates: Math.max(0, ...found.map(({ candidates }) => candidates)) };
}

/**
 * Correlation of two units' errors. Within a building it is ρ. The part of it that the building's
 * own listings have revealed is no error any more, which leaves ρ·(1 − share) against the units'
 * own 1 − ρ.
 */
function correlationOf(market: BoundMarket, units: readonly ValuedUnit[]): number {
  const correlation = market.salesData.buildingCorrelation;
  const ownShare = units.reduce((sum, { valued }) => sum + valued.estimate.raw.ownShare, 0) / units.length;
  const shared = correlation * (1 - ownWeight(market.trained.blend, ownShare));
  return shared / (shared + 1 - correlation);
}

/** The unit as a home of its building. */
export function homeOfUnit(building: Home, unit: RentalUnit): Home {
  return {
    ...building,
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
  const groups = new Map<string, { unit: RentalUnit; indexes: number[] }>();
  units.forEach((unit, index) => {
    const key = [unit.bedrooms, unit.bathrooms, unit.sizeSqft, unit.isFurnished].join('|');
    const group = groups.get(key);
    if (group) group.indexes.push(index);
    else groups.set(key, { unit, indexes: [index] });
  });
  return [...groups.values()];
}
