/** What an answered request costs (contract §8). Nothing is charged for an error, nor for a dry run. */
export const CREDITS = {
  propertyValuation: 30,
  rentalValuation: 30,
  /** Each unit after the first. */
  furtherUnit: 1,
  multifamilyValuation: 50,
  comparable: 1,
  /** Per key, area and year. */
  censusValue: 1,
  crime: 10,
  /** Per 100 records begun. */
  crimeRecords: 1,
  hazard: 10,
} as const;
