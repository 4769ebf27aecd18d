/** What an answered request costs (contract §8). Nothing is charged for an error, nor for a dry run. */
export const CREDITS = {
  propertyValuation: 30,
  comparable: 1,
  /** Per key, area and year. */
  censusValue: 1,
  crime: 10,
  /** Per 100 records begun. */
  crimeRecords: 1,
  hazard: 10,
} as const;
