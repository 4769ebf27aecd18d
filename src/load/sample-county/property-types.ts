import type { PropertyType } from '../../domain/property.ts';

/** How homes of a type are built, valued, sold and rented. */
interface TypeTraits {
  /** Median living area per unit, and its spread (of the logarithm). Houses follow their neighborhood instead. */
  readonly sqft: number;
  readonly spread: number;
  readonly sqftPerBedroom: number;
  /** Shares of homes with a feature. Those of basement, central air and porch multiply the share of the era. */
  readonly basement: number;
  readonly air: number;
  readonly porch: number;
  readonly laundry: number;
  /** Value of a standard home in an average location on 2024-01-01: `sqft` in area, `units` units. */
  readonly usd: number;
  readonly units: number;
  /** Elasticity of value to living area per unit, to lot size, and to the number of units. */
  readonly bySqft: number;
  readonly byLot: number;
  readonly byUnits: number;
  /** How much location and amenities count, relative to a house. */
  readonly locationShare: number;
  readonly amenityShare: number;
  /** Standard deviation of ln(price) around ln(true value) in a market sale. */
  readonly noiseSd: number;
  /** Share of homes sold per year, and share of homes that are rented out. */
  readonly turnover: number;
  readonly rented: number;
}

// prettier-ignore
export const TYPE_TRAITS: Readonly<Record<PropertyType, TypeTraits>> = {
  houses: { sqft: 1600, spread: 0.22, sqftPerBedroom: 560, basement: 1, air: 1, porch: 1, laundry: 0.93, usd: 305_000, units: 1, bySqft: 0.62, byLot: 0.13, byUnits: 0, locationShare: 1, amenityShare: 1, noiseSd: 0.055, turnover: 0.12, rented: 0.07 },
  townhomes: { sqft: 1450, spread: 0.12, sqftPerBedroom: 620, basement: 0.5, air: 1, porch: 0.9, laundry: 0.95, usd: 262_000, units: 1, bySqft: 0.66, byLot: 0.03, byUnits: 0, locationShare: 0.9, amenityShare: 0.9, noiseSd: 0.045, turnover: 0.15, rented: 0.14 },
  condos: { sqft: 950, spread: 0.25, sqftPerBedroom: 520, basement: 0, air: 1, porch: 0.3, laundry: 0.6, usd: 196_000, units: 1, bySqft: 0.86, byLot: 0, byUnits: 0, locationShare: 0.95, amenityShare: 0.9, noiseSd: 0.045, turnover: 0.16, rented: 0.28 },
  small_multifamily: { sqft: 950, spread: 0.2, sqftPerBedroom: 470, basement: 1, air: 0.6, porch: 0.9, laundry: 0.45, usd: 345_000, units: 2, bySqft: 0.45, byLot: 0.07, byUnits: 0.72, locationShare: 0.85, amenityShare: 0.6, noiseSd: 0.07, turnover: 0.11, rented: 0.85 },
  multifamily: { sqft: 800, spread: 0.16, sqftPerBedroom: 520, basement: 0.5, air: 0.7, porch: 0, laundry: 0.4, usd: 1_150_000, units: 10, bySqft: 0.5, byLot: 0.03, byUnits: 0.95, locationShare: 0.75, amenityShare: 0.4, noiseSd: 0.08, turnover: 0.1, rented: 1 },
  mobile: { sqft: 1050, spread: 0.28, sqftPerBedroom: 450, basement: 0, air: 0.7, porch: 0.8, laundry: 0.8, usd: 68_000, units: 1, bySqft: 0.8, byLot: 0, byUnits: 0, locationShare: 0.3, amenityShare: 0.8, noiseSd: 0.08, turnover: 0.12, rented: 0.05 },
};
