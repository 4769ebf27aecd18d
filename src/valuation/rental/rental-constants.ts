/** Constants of rents by the unit (docs/methods/rents.md). */
export const RENTAL = {
  /** Correlation of two units' errors within a building where a market has measured none (valuation.md §2). */
  priorCorrelation: 0.7,
} as const;
