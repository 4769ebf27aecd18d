import { UNIT_MIX } from './multifamily-constants.ts';

/** Identical units of a building. */
export interface UnitGroup {
  readonly count: number;
  /** null = unknown. */
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  readonly sizeSqft: number | null;
}

/** A building's totals. */
export interface BuildingTotals {
  readonly totalUnits: number;
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  readonly livingAreaSqft: number | null;
}

/**
 * Divides a building's totals into whole units as evenly as possible; units with more bedrooms also
 * get more baths and area. A half bath (7.5 of 4 units) goes to one unit.
 */
export function unitMixOf({ totalUnits, bedrooms, bathrooms, livingAreaSqft }: BuildingTotals): UnitGroup[] {
  const bedroomsOf = evenly(bedrooms, totalUnits);
  const bathroomsOf = evenly(bathrooms, totalUnits);
  const groups: { count: number; bedrooms: number | null; bathrooms: number | null }[] = [];
  for (let unit = 0; unit < totalUnits; unit++) {
    const last = groups.at(-1);
    const rooms = { bedrooms: bedroomsOf(unit), bathrooms: bathroomsOf(unit) };
    if (last && last.bedrooms === rooms.bedrooms && last.bathrooms === rooms.bathrooms) last.count++;
    else groups.push({ count: 1, ...rooms });
  }
  const shareOf = (group: { bedrooms: number | null }): number =>
    1 + UNIT_MIX.areaPerBedroom * (group.bedrooms ?? 0);
  const shares = groups.reduce((sum, group) => sum + group.count * shareOf(group), 0);
  const netSqft = rentableSqft(totalUnits, livingAreaSqft);
  return groups.map((group) => ({
    ...group,
    sizeSqft: netSqft === null ? null : Math.max(1, Math.round((netSqft * shareOf(group)) / shares)),
  }));
}

/** From unit number to its part of a total: the first units one more, the next the fraction. */
function evenly(total: number | null, units: number): (unit: number) => number | null {
  if (total === null) return () => null;
  const whole = Math.floor(total);
  const each = Math.floor(whole / units);
  const more = whole - each * units;
  // Of 7.3 the rest is 0.3, without the error of binary fractions.
  const rest = Number((total - whole).toFixed(6));
  return (unit) => each + (unit < more ? 1 : unit === more ? rest : 0);
}

function rentableSqft(units: number, livingAreaSqft: number | null): number | null {
  if (livingAreaSqft === null) return null;
  return livingAreaSqft * (units >= UNIT_MIX.commonFromUnits ? 1 - UNIT_MIX.commonShare : 1);
}
