import type { PropertyType } from '../../domain/property.ts';

/**
 * How homes of a type are built, valued, sold and rented.
 *
 *   sqft, spread         median living area per unit, and its spread (of the logarithm); houses follow their neighborhood
 *   basement, air, porch multiply the era's share of homes with the feature; laundry is the share itself
 *   usd                  value of a home of `sqft` and `units` in an average location on 2024-01-01
 *   bySqft, byLot, …     elasticity of value to living area per unit, to lot size, and to the number of units
 *   …Share               how much location and amenities count, relative to a house
 *   noiseSd              standard deviation of ln(price) around ln(true value) in a market sale
 *   turnover, rented     share of homes sold per year, and share of homes that are rented out
 */
// prettier-ignore
export const TYPE_TRAITS = {
  houses: { sqft: 1600, spread: 0.22, sqftPerBedroom: 560, basement: 1, air: 1, porch: 1, laundry: 0.93, usd: 305_000, units: 1, bySqft: 0.62, byLot: 0.13, byUnits: 0, locationShare: 1, amenityShare: 1, noiseSd: 0.055, turnover: 0.12, rented: 0.07 },
  townhomes: { sqft: 1450, spread: 0.12, sqftPerBedroom: 620, basement: 0.5, air: 1, porch: 0.9, laundry: 0.95, usd: 262_000, units: 1, bySqft: 0.66, byLot: 0.03, byUnits: 0, locationShare: 0.9, amenityShare: 0.9, noiseSd: 0.045, turnover: 0.15, rented: 0.14 },
  condos: { sqft: 950, spread: 0.25, sqftPerBedroom: 520, basement: 0, air: 1, porch: 0.3, laundry: 0.6, usd: 196_000, units: 1, bySqft: 0.86, byLot: 0, byUnits: 0, locationShare: 0.95, amenityShare: 0.9, noiseSd: 0.045, turnover: 0.16, rented: 0.28 },
  small_multifamily: { sqft: 950, spread: 0.2, sqftPerBedroom: 470, basement: 1, air: 0.6, porch: 0.9, laundry: 0.45, usd: 345_000, units: 2, bySqft: 0.45, byLot: 0.07, byUnits: 0.72, locationShare: 0.85, amenityShare: 0.6, noiseSd: 0.07, turnover: 0.11, rented: 0.85 },
  multifamily: { sqft: 800, spread: 0.16, sqftPerBedroom: 520, basement: 0.5, air: 0.7, porch: 0, laundry: 0.4, usd: 1_150_000, units: 10, bySqft: 0.5, byLot: 0.03, byUnits: 0.95, locationShare: 0.75, amenityShare: 0.4, noiseSd: 0.08, turnover: 0.1, rented: 1 },
  mobile: { sqft: 1050, spread: 0.28, sqftPerBedroom: 450, basement: 0, air: 0.7, porch: 0.8, laundry: 0.8, usd: 68_000, units: 1, bySqft: 0.8, byLot: 0, byUnits: 0, locationShare: 0.3, amenityShare: 0.8, noiseSd: 0.08, turnover: 0.12, rented: 0.05 },
} as const satisfies Record<PropertyType, Readonly<Record<string, number>>>;
