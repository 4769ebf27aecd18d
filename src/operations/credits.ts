/** What a successful request costs, in credits. Errors and dry runs cost nothing. */
export const CREDITS = {
  propertyValuation: 30,
  rentalValuation: 30,
  /** For each unit after the first. */
  furtherUnit: 1,
  multifamilyValuation: 50,
  comparable: 1,
  /** Per key, area and year. */
  censusValue: 1,
  crime: 10,
  /** Per 100 records, rounded up. */
  crimeRecords: 1,
  hazard: 10,
} as const;
