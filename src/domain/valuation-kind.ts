/** The kinds of valuation: a home, the rents of a building's units, a multifamily building. */
export const VALUATION_KINDS = ['property', 'rental', 'multifamily'] as const;

export type ValuationKind = (typeof VALUATION_KINDS)[number];
