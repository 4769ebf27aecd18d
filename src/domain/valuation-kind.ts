/** The kinds of valuation: a home, the rents of a building's units, a multifamily building. */
export const VALUATION_KINDS = ['property', 'rental', 'multifamily'] as const;

export type ValuationKind = (typeof VALUATION_KINDS)[number];

export function isValuationKind(text: string): text is ValuationKind {
  return (VALUATION_KINDS as readonly string[]).includes(text);
}
